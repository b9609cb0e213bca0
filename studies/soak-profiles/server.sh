#!/bin/sh
# A Redis that keeps nothing on disk, on port $1, whose allocator gives unused memory back as
# $2 says: `speed` never, `lean` at once.
case $2 in
speed) decay=-1 ;;
lean) decay=0 ;;
*) echo "server.sh PORT speed|lean" >&2; exit 2 ;;
esac
MALLOC_CONF=dirty_decay_ms:$decay,muzzy_decay_ms:$decay exec redis-server \
    --port "$1" --bind 127.0.0.1 --save '' --appendonly no --daemonize no --loglevel warning
