#!/bin/sh
# Builds the programs, the floor and karat's library beside this file.
set -e
cd "$(dirname "$0")"
gcc -O2 -g1 -Wall -Wextra -pthread -o mix mix.c
gcc -O2 -fno-builtin -shared -fPIC -o floor.so floor.c
cargo build --release --quiet --manifest-path ../../../Cargo.toml -p karat-alloc-preload --target-dir "${CARGO_TARGET_DIR:-target}"
cp "${CARGO_TARGET_DIR:-target}/release/libkarat_alloc.so" karat.so
