#!/bin/sh
# The cargo that CI gives to maturin: it builds as `cargo shared` does.
[ "$1" = rustc ] || exec cargo "$@"
exec cargo shared --message-format=json-render-diagnostics
