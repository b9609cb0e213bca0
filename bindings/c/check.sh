#!/usr/bin/env bash
# The examples, as C and C++, by the compilers that are here, linked with both libraries and
# with sanitizers; what the libraries export; what `make install` puts where.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export PROFILE=${PROFILE:-release}
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
ok() { passed=$((passed + 1)); echo "ok  $*"; }
die() { echo "failed: $*" >&2; exit 1; }

strict=(-Wall -Wextra -Werror -pedantic -Iinclude)
system=(-lpthread -ldl -lm)
try() { # NAME COMPILER FLAGS... -- SOURCE LIBRARIES...
    local name=$1; shift
    "$@" -o "$work/program" || die "$name does not compile"
    LD_LIBRARY_PATH=$build "$work/program" > "$work/out" || die "$name: $(cat "$work/out")"
    ok "$name"
}

sanitizers() { # COMPILER: it has them; Debian's clang brings none
    echo 'int main(void) { return 0; }' | "$1" -x c -fsanitize=address,undefined - \
        -o "$work/sanitized" 2> /dev/null
}

for compiler in gcc clang; do
    command -v "$compiler" > /dev/null || { echo "SKIPPED: no $compiler"; continue; }
    sanitizers "$compiler" || echo "SKIPPED: no sanitizers of $compiler; Debian: libclang-rt-dev"
    for source in examples/*.c; do
        name=$(basename "$source")
        try "$name, $compiler, static" "$compiler" -std=c11 "${strict[@]}" "$source" \
            "$build/libkarat.a" "${system[@]}"
        try "$name, $compiler, shared" "$compiler" -std=c11 "${strict[@]}" "$source" \
            "-L$build" -lkarat
        sanitizers "$compiler" || continue
        try "$name, $compiler, sanitizers" "$compiler" -std=c11 "${strict[@]}" -g \
            -fsanitize=address,undefined -fno-sanitize-recover=all "$source" \
            "$build/libkarat.a" "${system[@]}"
    done
done
# A program for the reference libraries finds karat behind their headers' names.
mkdir "$work/reference"
for header in blake2 blake3; do
    echo "#include \"karat_$header.h\"" > "$work/reference/$header.h"
done
for compiler in gcc clang g++ clang++; do
    command -v "$compiler" > /dev/null && sanitizers "$compiler" || continue
    language=(-x c -std=c11)
    case $compiler in *++) language=(-x c++ -std=c++17) ;; esac
    try "reference.c, $compiler" "$compiler" "${strict[@]}" "-I$work/reference" "${language[@]}" \
        -fsanitize=address,undefined -fno-sanitize-recover=all tests/reference.c -x none \
        "$build/libkarat.a" "${system[@]}"
done
# Random calls: always the same, and others each time.
cc=$(command -v gcc clang | head -n 1)
"$cc" -std=c11 -D_DEFAULT_SOURCE "${strict[@]}" -g -fsanitize=address,undefined \
    -fno-sanitize-recover=all tests/random.c "$build/libkarat.a" "${system[@]}" \
    -o "$work/random" || die "random.c does not compile"
for seed in 1 $RANDOM; do
    timeout 120 "$work/random" "$seed" 300 > "$work/out" 2>&1 ||
        die "random calls, seed $seed: $(cat "$work/out")"
    ok "random calls, seed $seed"
done
"$cc" -std=c11 "${strict[@]}" tests/forced.c "$build/libkarat.a" "${system[@]}" \
    -o "$work/forced" || die "forced.c does not compile"
KARAT_FORCE=sha256=none "$work/forced" > "$work/out" 2> "$work/err" ||
    die "forced.c: $(cat "$work/out")"
ok "forced.c"
for compiler in g++ clang++; do
    command -v "$compiler" > /dev/null || { echo "SKIPPED: no $compiler"; continue; }
    for source in examples/*.c; do
        try "$(basename "$source"), $compiler" "$compiler" -x c++ -std=c++17 "${strict[@]}" \
            "$source" -x none "$build/libkarat.a" "${system[@]}"
    done
    try "late.cpp, $compiler" "$compiler" -std=c++17 "${strict[@]}" tests/late.cpp \
        "$build/libkarat.a" "${system[@]}"
done

# What the header declares is what the shared library exports, and nothing else.
nm -D --defined-only "$build/libkarat.so" | awk '$2 != "A" {print $3}' |
    sed 's/@.*//' | sort > "$work/exported"
grep -oE '\bkarat_[a-z0-9_]+\(' include/karat.h | tr -d '(' | sort -u > "$work/declared"
diff "$work/declared" "$work/exported" || die "exports are not what karat.h declares"
ok "exports"

make --silent install DESTDIR="$work/root" PREFIX=/opt/karat BUILD="$build"
found=$(cd "$work/root/opt/karat" && find . -type f -o -type l | sort | tr '\n' ' ')
wanted="./include/karat.h ./include/karat_blake2.h ./include/karat_blake3.h"
wanted+=" ./lib/cmake/karat/karat-config-version.cmake ./lib/cmake/karat/karat-config.cmake"
abi=$(sed -n 's/^version = "\(0\.[0-9]*\|[0-9]*\)\..*/\1/p' ../../Cargo.toml | head -n 1)
wanted+=" ./lib/libkarat.a ./lib/libkarat.so ./lib/libkarat.so.$abi ./lib/pkgconfig/karat.pc "
[ "$found" = "$wanted" ] || die "installed: $found"
ok "make install"

root=$work/root/opt/karat
if command -v pkg-config > /dev/null; then
    export PKG_CONFIG_PATH=$root/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root
    for kind in shared static; do
        flags=() all=()
        [ $kind = static ] && flags=(--static) all=(-static)
        read -ra flags <<< "$(pkg-config ${flags[@]+"${flags[@]}"} --cflags --libs karat)"
        # Linkers warn of Rust's standard library in static programs.
        "$cc" ${all[@]+"${all[@]}"} -Wall -Werror examples/hashes.c "${flags[@]}" \
            -o "$work/program" 2> "$work/err" || die "pkg-config, $kind: $(cat "$work/err")"
        LD_LIBRARY_PATH=$root/lib "$work/program" > /dev/null || die "pkg-config, $kind"
        ok "pkg-config, $kind"
    done
else
    echo "SKIPPED: no pkg-config"
fi
if command -v cmake > /dev/null; then
    cat > "$work/CMakeLists.txt" << 'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(karat 0.1 REQUIRED)
add_executable(shared ${EXAMPLE})
target_link_libraries(shared karat::karat)
add_executable(static ${EXAMPLE})
target_link_libraries(static karat::static)
CMAKE
    cmake -S "$work" -B "$work/out-cmake" -DEXAMPLE="$PWD/examples/hashes.c" \
        -DCMAKE_PREFIX_PATH="$root" > /dev/null
    cmake --build "$work/out-cmake" > /dev/null
    for kind in shared static; do
        "$work/out-cmake/$kind" > /dev/null || die "cmake, $kind"
    done
    ok "cmake"
else
    echo "SKIPPED: no cmake"
fi
echo "$passed passed, 0 failed"
