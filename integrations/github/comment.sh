#!/usr/bin/env bash
# Puts $KARAT_REPORT into a comment on the pull request: into karat's own if there is one.
set -euo pipefail
: "${KARAT_REPOSITORY:?OWNER/NAME}" "${KARAT_PULL:?number of the pull request}"
if [ ! -s "${KARAT_REPORT:-}" ]; then
    echo "no report, so no comment"
    exit
fi
mark='<!-- karat -->'
body=$(mktemp)
trap 'rm -f "$body"' EXIT
# A comment has 65536 characters at most; cut by whole lines.
{
    printf '%s\n' "$mark"
    head -c 60000 "$KARAT_REPORT" | if [ "$(wc -c < "$KARAT_REPORT")" -gt 60000 ]; then
        sed '$d'
        printf '\n\n… the rest is in the summary of the step.\n'
    else
        cat
    fi
} > "$body"
comments=repos/$KARAT_REPOSITORY/issues/$KARAT_PULL/comments
own=$(gh api --paginate "$comments" \
    --jq ".[] | select(.body | startswith(\"$mark\")) | .id" | head -n 1)
if [ -n "$own" ]; then
    gh api --method PATCH "repos/$KARAT_REPOSITORY/issues/comments/$own" -F "body=@$body" > /dev/null
else
    gh api --method POST "$comments" -F "body=@$body" > /dev/null
fi
