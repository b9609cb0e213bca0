#!/usr/bin/env bash
# The karat that the book's blocks call when they are run: studies are planned and not run
# (tests run those of docs/worked-studies.md), of the kernels one is looked at, times are a
# second, and a verdict is no failure.
set -u
given=("$@")
args=()
while [ $# -gt 0 ]; do
    args+=("$1")
    case $1 in
        --) shift; args+=("$@"); break ;;
        --max-time) args+=(1s); shift ;;
    esac
    shift
done
case "${given[*]:0:2}" in
    run\ *) args=("${given[@]}"); [[ " ${given[*]} " == *" --dry-run "* ]] || args+=(--dry-run) ;;
    "kernels bench")
        args+=(--kernel sha512)
        [[ " ${given[*]} " == *" --quick "* ]] || args+=(--quick)
        ;;
    "kernels check" | "kernels tune") args+=(--kernel sha512) ;;
esac
"$KARAT" "${args[@]}"
code=$?
case $code in 1 | 3) exit 0 ;; esac
exit $code
