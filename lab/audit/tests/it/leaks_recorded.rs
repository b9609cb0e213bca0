//! A few programs of the fourth to the ninth set of those that are run
//! (`tests/leaks/fourth.txt` and so on), against their records.

use crate::decided::{self, Must};
use crate::truth;
use std::path::Path;

/// One or two of each source, in builds that differ. They were named before anything was
/// claimed of them.
const FOURTH: [(&str, &str); 10] = [
    ("fourth-jpeg-simd", "gcc -O2"),
    ("fourth-opus-arch-bad", "clang -O2 -s"),
    ("fourth-zng-functable-bad", "gcc -O1 -s"),
    ("fourth-gcry-ctx-bad", "gcc -Os -fPIC -shared"),
    ("fourth-hs-ifunc", "gcc -O3 -s -static"),
    ("fourth-raid-algos-bad", "gcc -O2"),
    ("fourth-cpp-cv-hal-bad", "g++ -O2"),
    ("fourth-cpp-folly-id", "clang++ -std=c++17 -O2 -s"),
    ("fourth-rust-crc-state", "rustc -O"),
    ("fourth-rust-memchr-ifunc-bad", "rustc -O"),
];

const FIFTH: [(&str, &str); 10] = [
    ("fifth-flac-lpc", "gcc -O2 -s"),
    ("fifth-xxh-table-bad", "clang -O3 -s"),
    ("fifth-ia32cap", "clang -O1 -fPIC -shared"),
    ("fifth-popcnt-lib-bad", "gcc -Og -static"),
    ("fifth-ggml-score", "clang -O3 -s"),
    ("fifth-clones", "gcc -O2 -s"),
    ("fifth-factory-bad", "g++ -O2 -s"),
    ("fifth-call-once", "g++ -O3 -s -static-libstdc++"),
    ("fifth-registry-bad", "clang++ -std=c++17 -O2 -s"),
    ("fifth-tokens-bad", "rustc -O -Cstrip=symbols"),
];

/// The first of each source, builds in turn, every other one a bad twin.
const SIXTH: [(&str, &str); 14] = [
    ("sixth-dsp-context", "gcc -O2 -s"),
    ("sixth-zlib-once-bad", "clang -O2 -flto -fuse-ld=lld"),
    ("sixth-feature-atomic", "musl-gcc -O2 -static"),
    ("sixth-self-replaced-bad", "gcc -O3 -fno-pie -no-pie"),
    ("sixth-core-type", "gcc -O1 -static"),
    ("sixth-opcodes-bad", "gcc -O2 -s"),
    ("sixth-cpuinfo-file", "clang -O2 -flto -fuse-ld=lld"),
    ("sixth-instruction-set-bad", "g++ -std=c++17 -O2 -s"),
    ("sixth-named-kernels", "g++ -std=c++17 -O1"),
    ("sixth-searcher-bad", "rustc -O"),
    ("sixth-best-of", "rustc -Copt-level=1"),
    ("sixth-own-cpuid-bad", "rustc -O -Clto=fat -Cstrip=symbols"),
    ("sixth-go-options", "go"),
    ("sixth-go-options-bad", "go -ldflags=-s -w"),
];

/// Of each kind of source, builds in turn; named by who wrote them.
const SEVENTH: [(&str, &str); 10] = [
    ("seventh-runtime-cpu-detect", "gcc -O2"),
    ("seventh-functable-bad", "gcc -O0 -s"),
    ("seventh-class-or-null", "clang -O2 -s"),
    ("seventh-cpuvec-bad", "gcc -O2 -flto -static"),
    ("seventh-have-table-bad", "gcc -O2"),
    ("seventh-engine-once", "g++ -std=c++17 -O2"),
    ("seventh-spaces-bad", "g++ -std=c++17 -O3 -s -flto"),
    ("seventh-platform", "rustc -O"),
    (
        "seventh-tokens-bad",
        "rustc -Copt-level=3 -Clto=fat -Cpanic=abort -Cstrip=symbols",
    ),
    ("seventh-go-shards-bad", "go"),
];

/// Of each kind of source, builds in turn; named by who wrote them.
const EIGHTH: [(&str, &str); 7] = [
    ("eighth-swscale", "gcc -O2"),
    ("eighth-objects-bad", "gcc -O1 -s"),
    ("eighth-perlasm-bad", "clang -O3 -s"),
    ("eighth-functions", "musl-gcc -Os -static"),
    ("eighth-raster-bad", "g++ -std=c++20 -O2"),
    ("eighth-postings-bad", "rustc -O"),
    ("eighth-go-erasure", "go"),
];

/// Of each kind of source, builds in turn; named by who wrote them.
const NINTH: [(&str, &str); 7] = [
    ("ninth-entropy", "gcc -O2 -s"),
    ("ninth-xxh-bad", "gcc -O1"),
    ("ninth-pixman", "gcc -O2 -fPIC -shared"),
    ("ninth-rtcd-bad", "musl-gcc -O2 -static"),
    ("ninth-registry-bad", "clang++ -std=c++20 -O2"),
    ("ninth-headers", "rustc -O -Cstrip=symbols"),
    ("ninth-go-vectors-bad", "go"),
];

/// Of AArch64's second set one of each source, builds in turn, every other one a bad twin.
const GCC_2: &str = "aarch64-linux-gnu-gcc -O2";
const GCC_3: &str = "aarch64-linux-gnu-gcc -O3 -s";
const CLANG: &str = "clang --target=aarch64-linux-gnu -fuse-ld=lld -O2 -s";
const STATIC: &str = "aarch64-linux-gnu-gcc -O2 -s -flto -static";
const ARM_2: [(&str, &str); 28] = [
    ("arm2-dav", GCC_2),
    ("arm2-x264-bad", GCC_3),
    ("arm2-png", CLANG),
    ("arm2-blas-bad", GCC_2),
    ("arm2-xnn", GCC_3),
    ("arm2-ggml-bad", CLANG),
    ("arm2-rtcd", GCC_2),
    ("arm2-outline-bad", GCC_3),
    ("arm2-ifunc", CLANG),
    ("arm2-fmv-bad", GCC_2),
    ("arm2-isal", GCC_3),
    ("arm2-boring-bad", CLANG),
    ("arm2-sodium", GCC_2),
    ("arm2-gcrypt-bad", GCC_3),
    ("arm2-yuv", CLANG),
    ("arm2-pixman-bad", GCC_2),
    ("arm2-avcodec", GCC_3),
    ("arm2-features-bad", CLANG),
    ("arm2-jpeg", GCC_2),
    ("arm2-sleef-bad", GCC_3),
    ("arm2-deflate", CLANG),
    ("arm2-blake-bad", GCC_2),
    ("arm2-levels", GCC_3),
    ("arm2-armcap-bad", CLANG),
    ("arm2-functable", STATIC),
    ("arm2-functable-bad", STATIC),
    ("arm2-simdjson", "aarch64-linux-gnu-g++ -std=c++17 -O2"),
    (
        "arm2-compute-bad",
        "aarch64-linux-gnu-g++ -std=c++17 -O3 -s",
    ),
];

/// Whether a program dies, and whether what was claimed is right, as recorded.
fn recorded(text: &str, name: &str, build: &str) -> Option<(bool, bool)> {
    let start = format!("{name},{build},");
    let rest = text.lines().find_map(|line| line.strip_prefix(&start))?;
    let mut words = rest.split(',');
    let dies = !words.next()?.is_empty();
    let claim = words.next_back()?;
    let is_right = match dies {
        true => claim.starts_with("dies"),
        false => claim.starts_with("lives"),
    };
    Some((dies, is_right))
}

fn check(set: &str, must: impl Fn(bool) -> Option<Must>, least: usize) {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records/leaks");
    let record = std::fs::read_to_string(records.join(format!("cases-{set}.csv")));
    let record = record.expect("the record");
    let cases = truth::cases_of(&format!("{set}.txt"));
    let sample = match set {
        "fourth" => &FOURTH[..],
        "fifth" => &FIFTH[..],
        "sixth" => &SIXTH[..],
        "seventh" => &SEVENTH[..],
        "eighth" => &EIGHTH[..],
        "arm2" => &ARM_2[..],
        _ => &NINTH[..],
    };
    decided::check(cases, least, |name, build| {
        if !sample.contains(&(name, build)) {
            return None;
        }
        let (dies, is_right) = recorded(&record, name, build).expect("a line of the record");
        Some((dies, must(is_right)?))
    });
}

#[test]
fn what_is_recorded_of_a_fourth_set_happens() {
    check("fourth", |_| Some(Must::Happen), 6);
}

#[test]
fn what_is_recorded_as_claimed_rightly_of_a_fourth_set_stays_so() {
    check("fourth", |is_right| is_right.then_some(Must::Say), 4);
}

#[test]
fn what_is_recorded_of_a_fifth_set_happens() {
    check("fifth", |_| Some(Must::Happen), 6);
}

#[test]
fn what_is_recorded_as_claimed_rightly_of_a_fifth_set_stays_so() {
    check("fifth", |is_right| is_right.then_some(Must::Say), 4);
}

#[test]
fn what_is_recorded_of_a_sixth_set_happens() {
    check("sixth", |_| Some(Must::Happen), 8);
}

#[test]
fn what_is_recorded_as_claimed_rightly_of_a_sixth_set_stays_so() {
    check("sixth", |is_right| is_right.then_some(Must::Say), 5);
}

#[test]
fn what_is_recorded_of_a_seventh_set_happens() {
    check("seventh", |_| Some(Must::Happen), 6);
}

#[test]
fn what_is_recorded_as_claimed_rightly_of_a_seventh_set_stays_so() {
    check("seventh", |is_right| is_right.then_some(Must::Say), 4);
}

#[test]
fn what_is_recorded_of_an_eighth_set_happens() {
    check("eighth", |_| Some(Must::Happen), 5);
}

#[test]
fn what_is_recorded_as_claimed_rightly_of_an_eighth_set_stays_so() {
    check("eighth", |is_right| is_right.then_some(Must::Say), 3);
}

#[test]
fn what_is_recorded_of_a_ninth_set_happens() {
    check("ninth", |_| Some(Must::Happen), 5);
}

#[test]
fn what_is_recorded_as_claimed_rightly_of_a_ninth_set_stays_so() {
    check("ninth", |is_right| is_right.then_some(Must::Say), 3);
}

/// Where there is no compiler for it nothing is checked.
#[test]
fn what_is_recorded_as_claimed_rightly_of_a_second_set_for_aarch64_stays_so() {
    check("arm2", |is_right| is_right.then_some(Must::Say), 0);
}
