//! # KA007: 512-bit code where the baseline has none
//!
//! The binary has zmm instructions and the baseline has not a single one.
//!
//! ## Why it matters
//! Such code needs AVX-512, which many CPUs lack; on the first that had it (Intel
//! before Ice Lake) its use lowered the clock. Whether this code runs only where the
//! CPU has it is a question of the gates before it, not of this count.
//!
//! ## What to do
//! - If the build is meant for one machine that has AVX-512: nothing.
//! - If it is to run elsewhere, find which flag or crate brought it; the message
//!   names the functions with most of it.
//! - To keep 256-bit vectors on a CPU with AVX-512: in C and C++
//!   `-mprefer-vector-width=256`, or `-mno-avx512f`; in Rust
//!   `-Ctarget-feature=+prefer-256-bit`, or `-Ctarget-feature=-avx512f`.

use super::Pair;
use karat_model::finding::{Finding, Severity};
use karat_model::units::grouped;

/// Functions named in the message.
const LISTED: usize = 3;

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    let (before, after) = (pair.baseline.total.zmm, pair.audit.total.zmm);
    if pair.audit.bloat.is_none() || before > 0 || after == 0 {
        return Vec::new();
    }
    let mut hosts: Vec<(u64, &str)> = pair
        .audit
        .functions
        .iter()
        .filter(|f| f.census.zmm > 0)
        .map(|f| (f.census.zmm, f.name.as_str()))
        .collect();
    hosts.sort_by_key(|(count, name)| (std::cmp::Reverse(*count), *name));
    let top: Vec<String> = hosts
        .iter()
        .take(LISTED)
        .map(|(count, name)| format!("{name} ({})", grouped(*count)))
        .collect();
    let message = format!(
        "{} zmm instructions where the baseline has none; most in {}",
        grouped(after),
        top.join(", ")
    );
    vec![pair.finding("KA007", Severity::Note, None, message)]
}
