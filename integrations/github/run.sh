#!/usr/bin/env bash
# The action's script: runs `karat $KARAT_ARGS`, puts the report into the step's summary, and
# exits as karat does, but for the codes in KARAT_ALLOW. What was kept of KARAT_BASELINE by an
# earlier run is the baseline.
set -uo pipefail
: "${KARAT_ARGS:?says what follows karat}"
temp=${RUNNER_TEMP:-$(mktemp -d)}
report=$temp/karat.md
rm -f "$report" "$temp/karat.sarif"

# Quotes in the arguments mean what they mean in a shell; nothing is expanded.
mapfile -t args < <(xargs -n 1 printf '%s\n' <<< "$KARAT_ARGS")
outputs=(-o "$report")
sarif=${KARAT_SARIF:-auto}
if [ "$sarif" = auto ]; then
    case ${args[0]-} in audit | scan) sarif=true ;; *) sarif=false ;; esac
fi
[ "$sarif" = true ] && outputs+=(-o "$temp/karat.sarif")

if [ -n "${KARAT_BASELINE:-}" ]; then
    kept=karat-baseline/$(basename -- "$KARAT_BASELINE")
    if [ -f "$kept" ]; then
        outputs+=(--baseline "$kept")
    else
        echo "::notice::there is no baseline of this branch yet"
    fi
fi

# Options of karat stand before the commands that it is to run.
before=() after=()
for ((i = 0; i < ${#args[@]}; i++)); do
    [ "${args[i]}" = -- ] && { after=("${args[@]:i}"); break; }
    before+=("${args[i]}")
done
karat "${before[@]}" "${outputs[@]}" ${after[@]+"${after[@]}"}
code=$?

if [ -f "$report" ]; then
    [ -n "${GITHUB_STEP_SUMMARY:-}" ] && cat "$report" >> "$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
    found=
    [ -f "$temp/karat.sarif" ] && found=$temp/karat.sarif
    printf 'code=%s\nreport=%s\nsarif=%s\n' "$code" "$report" "$found" >> "$GITHUB_OUTPUT"
fi
for allowed in ${KARAT_ALLOW-3}; do
    if [ "$code" = "$allowed" ] && [ "$code" != 0 ]; then
        echo "::warning::karat ended with $code, which is allowed"
        exit 0
    fi
done
exit "$code"
