//! # KA004: wider vectors than the baseline
//!
//! The binary has many more 256-bit or 512-bit instructions than the baseline:
//! at least half as many again, and at least 100 more.
//!
//! ## Why it matters
//! It shows what a flag such as `target-cpu=native` did to code nobody tuned:
//! loops vectorised wider, copies and clears of memory done in ymm or zmm. These
//! are counts of instructions that *exist*. They say nothing of what runs, and
//! are no evidence of a slowdown or of a lower clock.
//!
//! ## What to do
//! - See which crates brought the growth: if it is not the crate under study,
//!   it is seldom the cause of a difference in its speed.
//! - Only a measurement tells whether the wider code helps or hurts.
//! - A binary with instructions that its oldest CPU lacks must reach them
//!   through detection; the census by extension shows what is there.

use super::Pair;
use karat_model::audit::{BinaryAudit, Census};
use karat_model::finding::{Finding, Severity};
use std::collections::BTreeMap;

/// Growth below this many instructions is never reported.
const LEAST: u64 = 100;

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    let (before, after) = (&pair.baseline.total, &pair.audit.total);
    if !grew(before.ymm, after.ymm) && !grew(before.zmm, after.zmm) {
        return Vec::new();
    }
    let top = top_crates(pair.audit, pair.baseline);
    let from = match top.is_empty() {
        true => String::new(),
        false => format!("; most from {}", top.join(", ")),
    };
    let message = format!(
        "wide vector instructions grew: zmm {} → {}, ymm {} → {}{from}",
        before.zmm, after.zmm, before.ymm, after.ymm
    );
    vec![pair.finding("KA004", Severity::Note, None, message)]
}

fn grew(before: u64, after: u64) -> bool {
    after >= before + LEAST && after * 2 >= before * 3
}

fn wide(census: &Census) -> u64 {
    census.ymm + census.zmm
}

/// The three crates whose wide instructions grew most, as `name (+count)`.
fn top_crates<'a>(audit: &'a BinaryAudit, baseline: &'a BinaryAudit) -> Vec<String> {
    // A crate comes twice where some of its code is known by symbols alone.
    let by_name = |audit: &'a BinaryAudit| {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for part in &audit.crates {
            *counts.entry(&part.name).or_default() += wide(&part.census);
        }
        counts
    };
    let before = by_name(baseline);
    let mut growth: Vec<(u64, &str)> = by_name(audit)
        .into_iter()
        .filter_map(|(name, after)| {
            let more = after.checked_sub(before.get(name).copied().unwrap_or(0))?;
            (more > 0).then_some((more, name))
        })
        .collect();
    growth.sort_by_key(|(more, name)| (std::cmp::Reverse(*more), *name));
    let shown = growth.iter().take(3);
    shown
        .map(|(more, name)| format!("{name} (+{more})"))
        .collect()
}
