//! # KA009: more code than the baseline
//!
//! The code is more than a tenth larger than the baseline's, and at least 16 KiB.
//! A study sets other limits in `[audit]` (`size-growth`, `size-least`).
//!
//! ## Why it matters
//! Larger code shares the same instruction cache and the same pages. Flags for speed
//! buy it by inlining and unrolling; a part of it is never hot.
//!
//! ## What to do
//! - See which crates and functions grew most in bytes.
//! - If the growth is a monomorphised generic, an inner function that is not generic
//!   takes most of it away.
//! - Only a measurement tells whether it costs anything: `karat ab`.

use super::Pair;
use karat_model::finding::{Finding, Severity};
use karat_model::units;

/// Crates named in the message.
const LISTED: usize = 3;

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    let Some(bloat) = &pair.audit.bloat else {
        return Vec::new();
    };
    let (before, after) = (bloat.total.before.bytes, bloat.total.after.bytes);
    if !bloat.thresholds.size(before, after) {
        return Vec::new();
    }
    let mut crates: Vec<(i64, &str)> = bloat
        .crates
        .iter()
        .map(|g| (g.bytes_change(), g.name.as_str()))
        .filter(|(change, _)| *change > 0)
        .collect();
    crates.sort_by_key(|(change, name)| (std::cmp::Reverse(*change), *name));
    let top: Vec<String> = crates
        .iter()
        .take(LISTED)
        .map(|(change, name)| format!("{name} (+{})", units::bytes(change.unsigned_abs())))
        .collect();
    let from = match top.is_empty() {
        true => String::new(),
        false => format!("; most from {}", top.join(", ")),
    };
    let growth = match before {
        0 => String::new(),
        _ => format!(" ({})", units::change(after as f64 / before as f64)),
    };
    let message = format!(
        "more code than the baseline: {} → {}{growth}{from}",
        units::bytes(before),
        units::bytes(after)
    );
    vec![pair.finding("KA009", Severity::Warning, None, message)]
}
