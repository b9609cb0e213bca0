#!/usr/bin/env bash
# The action's script with a karat that writes down how it was called.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cat > "$work/bin/karat" << 'KARAT'
#!/usr/bin/env bash
printf '[%s]' "$@" > "$CALLED"
for ((i = 1; i < $#; i++)); do
    [ "${!i}" = -o ] || continue
    file=$((i + 1))
    echo "a report" > "${!file}"
done
exit "${CODE:-0}"
KARAT
chmod +x "$work/bin/karat"
export PATH=$work/bin:$PATH RUNNER_TEMP=$work CALLED=$work/called
export GITHUB_STEP_SUMMARY=$work/summary GITHUB_OUTPUT=$work/output
die() { echo "failed: $*" >&2; exit 1; }
passed=0
# ARGS, karat's code, the code that is wanted, the call that is wanted.
try() {
    rm -f "$work"/{called,summary,output}
    local code=0
    KARAT_ARGS=$1 CODE=$2 bash run.sh > "$work/said" || code=$?
    [ "$code" = "$3" ] || die "$1: ended with $code, not $3"
    [ "$(cat "$work/called")" = "$4" ] || die "$1: called $(cat "$work/called")"
    [ "$(cat "$work/summary")" = "a report" ] || die "$1: no summary"
    grep -qx "code=$2" "$work/output" || die "$1: no code among the outputs"
    passed=$((passed + 1))
}
md=[-o][$work/karat.md]
sarif=[-o][$work/karat.sarif]
try 'run studies/x' 0 0 "[run][studies/x]$md"
try 'run studies/x' 1 1 "[run][studies/x]$md"
try 'run studies/x' 3 0 "[run][studies/x]$md"
try "audit 'a b' --top 5" 0 0 "[audit][a b][--top][5]$md$sarif"
try 'ab -- echo a -- echo "$HOME *"' 0 0 "[ab]$md[--][echo][a][--][echo][\$HOME *]"
KARAT_ALLOW='' try 'run studies/x' 3 3 "[run][studies/x]$md"
KARAT_ALLOW='1 3' try 'run studies/x' 1 0 "[run][studies/x]$md"
KARAT_SARIF=false try 'audit a' 0 0 "[audit][a]$md"
env -u GITHUB_OUTPUT -u GITHUB_STEP_SUMMARY KARAT_ARGS='run x' bash run.sh || die "elsewhere"
echo "$((passed + 1)) passed, 0 failed"
