#!/usr/bin/env bash
# The scripts of the action and of the template, with a karat that writes down how it was called.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
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
# GitHub's command line: writes down its calls, and knows the comment $OWN.
cat > "$work/bin/gh" << 'GH'
#!/usr/bin/env bash
printf '[%s]' "$@" >> "$CALLED"
last=${!#}
case "$*" in
    *--jq*) echo "${OWN:-}" ;;
    *) cp "${last#body=@}" "$CALLED.body" ;;
esac
GH
chmod +x "$work/bin/karat" "$work/bin/gh"
cd "$work"
export PATH=$work/bin:$PATH RUNNER_TEMP=$work CALLED=$work/called
export GITHUB_STEP_SUMMARY=$work/summary GITHUB_OUTPUT=$work/output
die() { echo "failed: $*" >&2; exit 1; }
passed=0
# ARGS, karat's code, the code that is wanted, the call that is wanted.
try() {
    rm -f "$work"/{called,summary,output}
    local code=0
    KARAT_ARGS=$1 CODE=$2 bash "$here/run.sh" > "$work/said" || code=$?
    [ "$code" = "$3" ] || die "$1: ended with $code, not $3"
    [ "$(cat "$work/called")" = "$4" ] || die "$1: called $(cat "$work/called")"
    [ "$(cat "$work/summary")" = "a report" ] || die "$1: no summary"
    grep -qx "code=$2" "$work/output" || die "$1: no code among the outputs"
    passed=$((passed + 1))
}
md="[-o][$work/karat.md]"
sarif="[-o][$work/karat.sarif]"
try 'run studies/x' 0 0 "[run][studies/x]$md"
try 'run studies/x' 1 1 "[run][studies/x]$md"
try 'run studies/x' 3 0 "[run][studies/x]$md"
try "audit 'a b' --top 5" 0 0 "[audit][a b][--top][5]$md$sarif"
try 'ab -- echo a -- echo "$HOME *"' 0 0 "[ab]${md}[--][echo][a][--][echo][\$HOME *]"
KARAT_ALLOW='' try 'run studies/x' 3 3 "[run][studies/x]$md"
KARAT_ALLOW='1 3' try 'run studies/x' 1 0 "[run][studies/x]$md"
KARAT_SARIF=false try 'audit a' 0 0 "[audit][a]$md"
grep -qx 'sarif=' "$work/output" || die "findings that nobody asked for"
try 'audit a' 0 0 "[audit][a]$md$sarif"
grep -qx "sarif=$work/karat.sarif" "$work/output" || die "the findings are not told"

# The baseline by branch: none, then that of an earlier run.
export KARAT_BASELINE=target/release/app
try 'audit a' 0 0 "[audit][a]$md$sarif"
grep -q 'no baseline' "$work/said" || die "a missing baseline is not told"
mkdir -p target/release
echo first > target/release/app
KARAT_KEEP=true bash "$here/baseline.sh"
try 'audit a' 0 0 "[audit][a]$md${sarif}[--baseline][karat-baseline/app]"
[ "$(cat karat-baseline/app)" = first ] || die "the baseline is not the file"
keys() { # event, ref, base, what is restored, what is saved
    rm -f output
    GITHUB_EVENT_NAME=$1 GITHUB_REF_NAME=$2 GITHUB_BASE_REF=$3 RUNNER_OS=Linux RUNNER_ARCH=X64 \
        bash "$here/baseline.sh"
    [ "$(cat output)" = "restore=$4"$'\n'"save=$5" ] || die "$1 of $2: $(cat output)"
    passed=$((passed + 1))
}
main=karat-baseline-Linux-X64-main-
keys push main '' $main $main
keys pull_request 7/merge main $main ''
keys schedule main '' $main ''
unset KARAT_BASELINE

# The comment: made, changed, cut, and left out.
export KARAT_REPOSITORY=o/n KARAT_PULL=7 KARAT_REPORT=$work/karat.md
comment() { # the comment that is there, what is called after the look for it
    rm -f "$CALLED"
    OWN=$1 bash "$here/comment.sh"
    case "$(cat "$CALLED")" in *"$2"*) ;; *) die "comment: $(cat "$CALLED")" ;; esac
    [ "$(head -n 1 "$CALLED.body")" = '<!-- karat -->' ] || die "a comment without mark"
    passed=$((passed + 1))
}
comment '' '[api][--method][POST][repos/o/n/issues/7/comments]'
[ "$(sed 1d "$CALLED.body")" = "a report" ] || die "the comment is not the report"
comment 41 '[api][--method][PATCH][repos/o/n/issues/comments/41]'
seq 20000 > "$KARAT_REPORT"
comment '' '[POST]'
[ "$(wc -c < "$CALLED.body")" -lt 65536 ] || die "the comment is too long"
tail -n 1 "$CALLED.body" | grep -q 'the rest is in' || die "cut without a word"
rm -f "$KARAT_REPORT" "$CALLED"
bash "$here/comment.sh" | grep -q 'no report' || die "no report, but a comment"
[ ! -e "$CALLED" ] || die "called without a report"

# What the action's steps name is there, and what they read is given.
for script in $(grep -oE '\$GITHUB_ACTION_PATH/[a-z]+\.sh' "$here/action.yml" | sed 's|.*/||'); do
    [ -f "$here/$script" ] || die "action.yml: no $script"
done
for input in $(grep -oE 'inputs\.[a-z]+' "$here/action.yml" | sort -u | sed 's/inputs.//'); do
    grep -qE "^  $input:" "$here/action.yml" || die "action.yml: no input $input"
done

# The commands of GitLab's template, as its runner joins them.
part() { sed -n "/^  $1:/,/^  [a-z]/s/^    - //p" "$here/../gitlab.yml"; }
[ -n "$(part before_script)" ] && [ -n "$(part script)" ] || die "gitlab.yml: no commands"
{ echo 'set -eo pipefail'; part before_script; part script; } > job.sh
KARAT_ARGS='audit a' bash job.sh > said || die "gitlab.yml: $(cat said)"
[ "$(cat "$CALLED")" = '[audit][a][-o][karat-report/report.md][-o][karat-report/report.html]' ] ||
    die "gitlab.yml: called $(cat "$CALLED")"
KARAT_ARGS='run x' CODE=3 bash job.sh > said && die "gitlab.yml: karat's code is lost"
passed=$((passed + 1))

env -u GITHUB_OUTPUT -u GITHUB_STEP_SUMMARY KARAT_ARGS='run x' bash "$here/run.sh" || die "elsewhere"
echo "$((passed + 1)) passed, 0 failed"
