//! # KA001: expected function gone
//!
//! The study names a function that the binary no longer has: there is no symbol
//! of that name, and no instruction whose inline chain goes through it.
//!
//! ## Why it matters
//! A study expects a function because a claim rests on it ("the AVX2 kernel is
//! what runs"). When it is gone, the measurement is of something else.
//!
//! ## What to do
//! - Check the spelling against the baseline: a name that exists nowhere is a
//!   mistake in the study.
//! - If the finding says that inlining cannot be excluded, build with
//!   `debug = "line-tables-only"` and audit again before believing it.
//! - Otherwise find what folded the call away: feature detection that becomes a
//!   constant under `target-cpu`, a `cfg(target_feature)` early return, or a
//!   linker that dropped an archive member nobody calls any more.

use super::Pair;
use karat_model::audit::SurvivalState;
use karat_model::finding::{Finding, Severity};

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    pair.survivals()
        .filter(|(after, _)| after.state == SurvivalState::Gone)
        .map(|(after, before)| {
            let was = match before {
                Some(before) if before.state != SurvivalState::Gone => format!(
                    "the baseline has it ({} instructions)",
                    before.census.instructions
                ),
                _ => "the baseline does not have it either: check the name".into(),
            };
            let limit = after
                .caveat
                .as_ref()
                .map_or(String::new(), |caveat| format!("; {caveat}"));
            let message = format!(
                "{} is gone: no symbol and no inlined code; {was}{limit}",
                after.function
            );
            pair.finding("KA001", Severity::Error, Some(&after.function), message)
        })
        .collect()
}
