//! # KA006: far more wide vector code
//!
//! The binary has more than twice the baseline's 256-bit or 512-bit instructions,
//! and at least 500 more. A study sets other limits in `[audit]` (`wide-growth`,
//! `wide-least`).
//!
//! ## Why it matters
//! A flag that allows more of the CPU (`target-cpu=native`, `x86-64-v3`) lets the
//! compiler vectorise code all over the program, most of it cold. Builds of one
//! large program had 12 to 30 times the ymm instructions after such a flag. What
//! that costs is cache and decode bandwidth at most; in that program it was 1 to
//! 3 %. It is a reason to measure, not a result.
//!
//! ## What to do
//! - See who brought it: the growth by crate and by function is in the report.
//! - Give the flag only to the files that gain by it (in Rust to crates, by
//!   `crate-rustflags` in a study), or keep it and switch off what brings the growth
//!   (in C `-fno-tree-slp-vectorize`, `-fno-tree-vectorize`; in Rust
//!   `-Cno-vectorize-slp`, `-Cno-vectorize-loops`).
//! - Measure both builds: `karat ab`.

use super::Pair;
use karat_model::bloat::{Bloat, Growth};
use karat_model::finding::{Finding, Severity};
use karat_model::units::grouped;

/// Crates named in the message.
const LISTED: usize = 3;

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    let Some(bloat) = &pair.audit.bloat else {
        return Vec::new();
    };
    let limits = &bloat.thresholds;
    let (before, after) = (&bloat.total.before, &bloat.total.after);
    let widths = [
        ("ymm", before.ymm, after.ymm),
        ("zmm", before.zmm, after.zmm),
    ];
    let grown: Vec<String> = widths
        .into_iter()
        .filter(|(_, before, after)| limits.wide(*before, *after))
        .map(|(name, before, after)| counts(name, before, after))
        .collect();
    if grown.is_empty() {
        return Vec::new();
    }
    let message = format!(
        "far more wide vector code than in the baseline: {}{}",
        grown.join(", "),
        brought(bloat)
    );
    vec![pair.finding("KA006", Severity::Warning, None, message)]
}

fn counts(name: &str, before: u64, after: u64) -> String {
    let times = match before {
        0 => String::new(),
        _ => format!(" (×{:.1})", after as f64 / before as f64),
    };
    format!("{name} {} → {}{times}", grouped(before), grouped(after))
}

/// Who brought most, as `; most from a (+12), b (+3)`.
fn brought(bloat: &Bloat) -> String {
    let grew = |g: &&Growth| g.wide_change() > 0;
    let top: Vec<String> = bloat
        .crates
        .iter()
        .filter(grew)
        .take(LISTED)
        .map(|g| format!("{} (+{})", g.name, grouped(g.wide_change().unsigned_abs())))
        .collect();
    match top.is_empty() {
        true => String::new(),
        false => format!("; most from {}", top.join(", ")),
    }
}
