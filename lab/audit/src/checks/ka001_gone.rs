//! # KA001: expected function gone
//!
//! A function is expected (by a study, or by `karat audit --expect`) that the binary
//! does not have: there is no symbol of that name, and no instruction whose inline
//! chain goes through it.
//!
//! ## Why it matters
//! A study expects a function because a claim rests on it ("the AVX2 kernel is
//! what runs"). When it is gone, the measurement is of something else.
//!
//! ## What to do
//! - Check the spelling: a name that the baseline lacks too is no finding of this
//!   check but a mistake in the study.
//! - If the finding says that inlining cannot be excluded, build with
//!   `debug = "limited"` and audit again before believing it.
//! - Otherwise find what folded the call away: feature detection that becomes a
//!   constant under `target-cpu`, a `cfg(target_feature)` early return, or a
//!   linker that dropped an archive member nobody calls any more.

use super::Pair;
use karat_model::audit::{Survival, SurvivalState};
use karat_model::finding::{Finding, Severity};

/// What is expected and not there, where nothing says that it ever was.
pub(super) fn without_baseline(pair: &Pair<'_>) -> Vec<Finding> {
    let gone = |(after, _): &(&Survival, _)| after.state == SurvivalState::Gone;
    pair.survivals()
        .filter(gone)
        .map(|(after, _)| {
            let message = format!(
                "gone: no symbol and no inlined code; is the name right?{}",
                limit(after)
            );
            pair.finding("KA001", Severity::Error, Some(&after.function), message)
        })
        .collect()
}

/// What limits the answer, to go behind it.
fn limit(after: &Survival) -> String {
    let caveat = after.caveat.as_ref();
    caveat.map_or(String::new(), |caveat| format!("; {caveat}"))
}

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    pair.survivals()
        .filter(|(after, _)| after.state == SurvivalState::Gone)
        .filter_map(|(after, before)| {
            let before = before.filter(|b| b.state != SurvivalState::Gone)?;
            let message = format!(
                "gone: no symbol and no inlined code; the baseline has it ({} \
                 instructions){}",
                before.census.instructions,
                limit(after)
            );
            Some(pair.finding("KA001", Severity::Error, Some(&after.function), message))
        })
        .collect()
}
