//! Programs of the third set of those that are run (`tests/leaks/third.txt`): what is decided
//! of them stays decided.

use crate::decided::{self, Must};
use crate::truth;

/// Whether a program dies, by name and build.
fn expected(name: &str, build: &str) -> Option<bool> {
    Some(match (name, build) {
        // A byte for each feature, and a function that looks one up; one less is asked for.
        ("bytes-bad", "gcc -O2") => true,
        // FMA is asked for before code that needs AVX2.
        ("fused-bad", "gcc -O3 -s -static") => true,
        // BMI1 before code that needs BMI2; the words of `cpuid` lie in a variable.
        ("bit-tricks-bad", "gcc -O2") => true,
        // Assembly that moves a pointer under conditions.
        ("multi-binary", "gcc -O2 -fPIC -shared") => false,
        // A handler that is chosen once, in a cell.
        ("rust-once", "rustc -O") => false,
        _ => return None,
    })
}

#[test]
fn what_is_decided_of_a_third_set_stays_so() {
    decided::check(truth::third(), 3, |name, build| {
        let dies = expected(name.trim_start_matches("third-"), build)?;
        Some((dies, Must::Say))
    });
}
