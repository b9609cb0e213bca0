//! # KA008: a crate with far more wide vector code
//!
//! Code that came from one crate (or one C library's directory) has more than twice
//! the baseline's wide vector instructions, and at least 500 more. The limits are
//! those of KA006. Of more than five crates, those that grew most are named.
//!
//! ## Why it matters
//! A kernel that dispatches by itself has its wide code in every build. A crate
//! whose wide code comes and goes with the flags was vectorised by the compiler:
//! nobody chose it, and nobody measured it.
//!
//! ## What to do
//! - Is the crate hot? If not, the growth costs size and nothing else; build it
//!   without the flag if size matters.
//! - If it is hot, measure it with and without: a study with `crate-rustflags` does
//!   both in one run.
//! - `[unattributed]` is code without line tables: build with debug information to
//!   learn whose it is.

use super::Pair;
use karat_model::finding::{Finding, Severity};
use karat_model::units::grouped;

/// Crates that get a finding.
const MOST: usize = 5;

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    let Some(bloat) = &pair.audit.bloat else {
        return Vec::new();
    };
    let limits = &bloat.thresholds;
    bloat
        .crates
        .iter()
        .filter(|g| limits.wide(g.before.wide(), g.after.wide()))
        .take(MOST)
        .map(|g| {
            let message = format!(
                "wide vector instructions {} → {} (ymm {} → {}, zmm {} → {})",
                grouped(g.before.wide()),
                grouped(g.after.wide()),
                grouped(g.before.ymm),
                grouped(g.after.ymm),
                grouped(g.before.zmm),
                grouped(g.after.zmm)
            );
            pair.finding("KA008", Severity::Note, Some(&g.name), message)
        })
        .collect()
}
