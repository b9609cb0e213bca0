#!/bin/sh
# A Redis that keeps nothing on disk, on port $2, under the allocator $1: `speed` and `balanced`
# are karat-alloc's profiles, `jemalloc` is what Debian links Redis with.
case $1 in
speed | balanced)
    library=$(dirname "$0")/../allocator-mix/subject/karat.so
    # The loader only warns of a library that is not there.
    [ -e "$library" ] || { echo "no $library: run studies/allocator-mix/subject/build.sh" >&2; exit 2; }
    export LD_PRELOAD="$library" KARAT_ALLOC_PROFILE="$1"
    ;;
jemalloc) ;;
*) echo "server.sh speed|balanced|jemalloc PORT" >&2; exit 2 ;;
esac
exec redis-server --port "$2" --bind 127.0.0.1 --save '' --appendonly no --daemonize no --loglevel warning
