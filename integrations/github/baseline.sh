#!/usr/bin/env bash
# The baseline by branch: says under which keys it is cached, or keeps $KARAT_BASELINE for
# later runs. A pull request reads its base branch's and writes none.
set -euo pipefail
: "${KARAT_BASELINE:?names the file}"
if [ "${KARAT_KEEP:-}" = true ]; then
    rm -rf karat-baseline
    mkdir karat-baseline
    cp -- "$KARAT_BASELINE" karat-baseline/
    exit
fi
: "${GITHUB_OUTPUT:?the runner sets it}"
key() { printf 'karat-baseline-%s-%s-%s-' "${RUNNER_OS:-}" "${RUNNER_ARCH:-}" "$1"; }
restore=$(key "${GITHUB_BASE_REF:-${GITHUB_REF_NAME:?the runner sets it}}")
save=
[ "${GITHUB_EVENT_NAME:-}" = push ] && save=$(key "$GITHUB_REF_NAME")
printf 'restore=%s\nsave=%s\n' "$restore" "$save" >> "$GITHUB_OUTPUT"
