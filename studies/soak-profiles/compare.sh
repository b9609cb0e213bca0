#!/bin/sh
# Both settings in turns. KARAT is the program, TIME the time of each setting, EPOCH and WARM
# the lengths of an epoch and of the warm-up.
cd "$(dirname "$0")" || exit 1
exec "${KARAT:-karat}" ab --soak --for "${TIME:-10min}" --epoch "${EPOCH:-5s}" --warm "${WARM:-30s}" \
    --load './load.sh 7399' \
    --line '^"SET","(?<rate>[0-9.]+)","[0-9.]+","[0-9.]+","(?<p50_ms>[0-9.]+)","(?<p95_ms>[0-9.]+)","(?<p99_ms>[0-9.]+)","(?<max_ms>[0-9.]+)"$' \
    "$@" -- ./server.sh 7399 speed -- ./server.sh 7399 lean
