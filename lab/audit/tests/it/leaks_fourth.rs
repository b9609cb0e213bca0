//! A few programs of the fourth set of those that are run (`tests/leaks/fourth.txt`), against
//! its record.

use crate::decided::{self, Must};
use crate::truth;
use std::path::Path;

/// One or two of each source, in builds that differ. They were named before anything was
/// claimed of them.
const SAMPLE: [(&str, &str); 10] = [
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

fn record() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records/leaks/cases-fourth.csv");
    std::fs::read_to_string(path).expect("the record")
}

fn check(must: impl Fn(bool) -> Option<Must>, least: usize) {
    let record = record();
    decided::check(truth::fourth(), least, |name, build| {
        if !SAMPLE.contains(&(name, build)) {
            return None;
        }
        let (dies, is_right) = recorded(&record, name, build).expect("a line of the record");
        Some((dies, must(is_right)?))
    });
}

#[test]
fn what_is_recorded_of_a_fourth_set_happens() {
    check(|_| Some(Must::Happen), 6);
}

#[test]
fn what_is_recorded_as_claimed_rightly_of_a_fourth_set_stays_so() {
    check(|is_right| is_right.then_some(Must::Say), 1);
}
