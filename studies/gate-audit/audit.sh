#!/bin/sh
# What comes before any change: ten runs as they are, ten with the gates as constants, one
# after the other, and what the assembly and a run say of the gates.
set -e
cd "$(dirname "$0")/subject"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for form in gates minimal; do
    define=
    [ $form = gates ] || define=-DMINIMAL
    gcc -O2 -g -ffunction-sections $define -o "$out/$form" alloc.c
    # Operations of ten runs, in millions a second.
    for i in 1 2 3 4 5 6 7 8 9 10; do
        begin=$(date +%s%N)
        "$out/$form" 20000000 >"$out/said"
        end=$(date +%s%N)
        echo $((20000000000 / ((end - begin) / 1000)))
    done | awk -v form=$form '{ v = $1 / 1000; s += v; q += v * v } END {
        m = s / NR; printf "%s: %.2f million operations a second, CV %.2f %%\n", form, m,
            100 * sqrt((q / NR - m * m) * NR / (NR - 1)) / m }'
done
karat gates "$out/gates" --gate header_mode --gate mid_enabled --gate mid_debug_enabled \
    --gate stats_enabled --count=2000 "$@" -- "$out/gates" || [ $? = 1 ] # One is absent.
