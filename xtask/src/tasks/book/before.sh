#!/usr/bin/env bash
# What a reader of a page of the book has before its first block: made here, in this folder.
#     before.sh PAGE ROOT; BIN is a folder on the path
set -euo pipefail
root=$2

# A program of two sources, by make.
program() { # folder
    mkdir -p "$1"
    printf 'sum: sum.c\n\t$(CC) $(CFLAGS) -o $@ $<\n' > "$1/Makefile"
    cat > "$1/sum.c" << 'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    double sum = 0;
    for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1) * 1000; i++) sum += i;
    printf("%f\n", sum);
    return 0;
}
C
    sed 's/sum/prog/g' "$1/sum.c" > "$1/prog.c"
    printf 'prog: prog.c\n\t$(CC) $(CFLAGS) -o $@ $<\n' >> "$1/Makefile"
}

# A log of tests and one figure.
log() { # file, nanoseconds
    mkdir -p "$(dirname "$1")"
    printf '%s\n' 'running 1 test' 'test sums ... ok' '' \
        'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s' \
        "test bench_sum ... bench:         $2 ns/iter (+/- 20)" "rate is $2 MB/s" > "$1"
}

# Results of criterion: one benchmark, this baseline.
criterion() { # folder, baseline
    mkdir -p "$1/sum/$2"
    printf '{"group_id":"sum","function_id":null,"value_str":null,"throughput":null,"full_id":"sum","directory_name":"sum","title":"sum"}' \
        > "$1/sum/$2/benchmark.json"
    printf '{"sampling_mode":"Linear","iters":[1.0,2.0,3.0,4.0],"times":[100.0,201.0,299.0,402.0]}' \
        > "$1/sum/$2/sample.json"
}

library() { # file
    mkdir -p "$(dirname "$1")"
    printf 'int foo_cpu_flags;\nint has_avx2(void) { return foo_cpu_flags & 1; }\n' > foo.c
    gcc -O2 -shared -fPIC -o "$1" foo.c
}

case $1 in
    audit-packages.md)
        library build/lib/libfoo.so
        cp build/lib/libfoo.so .
        mkdir dist
        (cd build/lib && python3 -m zipfile -c ../../dist/numpy-2.1.whl libfoo.so)
        ;;
    compare.md | tutorials/logs.md)
        for side in before after old/1 old/2 new/1 new/2 old new before/1 before/2 after/1 after/2; do
            log "$side.log" 1000
        done
        log again1.log 1010
        log again2.log 1020
        log again3.log 1015
        for name in base new; do criterion target/criterion-old "$name"; done
        for name in base new; do criterion target/criterion-new "$name"; done
        for name in main new; do criterion target/criterion "$name"; done
        ;;
    cookbook.md)
        program .
        printf '[package]\nname = "find"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n' > Cargo.toml
        mkdir src
        echo 'fn main() {}' > src/main.rs
        cargo generate-lockfile --quiet --offline
        # The compilers of the page, if only by name.
        for name in gcc-12 clang-14; do
            type -P "$name" > /dev/null || ln -s "$(type -P gcc)" "$BIN/$name"
        done
        git init --quiet --initial-branch=main
        git add .
        git -c user.name=n -c user.email=e commit --quiet --message=first
        git checkout --quiet -b faster
        printf '#!/bin/sh\necho old\n' > old
        chmod +x old
        ;;
    gates.md)
        ln -s "$root/lab" lab
        ;;
    study.md)
        program .
        printf 'tool: sum.c\n\t$(CC) $(CFLAGS) -o $@ $<\n' >> Makefile
        echo input > input.txt
        ;;
    tutorials/flags.md)
        ln -s "$root/studies" studies
        library native/node
        library default/node
        ;;
    tutorials/gates.md)
        program .
        sed -i '1i static int on; static int __attribute__((noinline)) debug_enabled(void) { return on; }' prog.c
        sed -i 's/return 0;/return debug_enabled();/' prog.c
        gcc -O2 -g -o prog prog.c
        ;;
    tutorials/integers.md)
        mkdir -p target/release/examples
        cp "$(type -P true)" target/release/examples/vdf_demo
        ;;
esac
