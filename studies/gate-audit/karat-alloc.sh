#!/bin/sh
# The same questions of an allocator that ships: which gates does karat-alloc's code have, and how
# often does a mix of two million operations ask them? Built with line tables, because most
# gates are inlined.
set -e
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/subject/target}
CARGO_PROFILE_RELEASE_DEBUG=line-tables-only cargo build --quiet --release -p karat-alloc-preload \
    --manifest-path ../../Cargo.toml --target-dir "$target/gate-audit"
library=$target/gate-audit/release/libkarat_alloc.so
gcc -O2 -pthread -o "$target/gate-audit/mix" ../allocator-mix/subject/mix.c
karat gates "$library" --gate karat_alloc::config::checked --gate karat_alloc::config::profiled \
    --gate karat_alloc::config::debug --gate karat_alloc::config::hardened \
    --gate karat_alloc::config::decay --count=20000 "$@" \
    -- env LD_PRELOAD="$library" "$target/gate-audit/mix" apart 8192 2000000
