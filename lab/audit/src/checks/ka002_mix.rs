//! # KA002: instruction mix changed
//!
//! The function is there, under its own symbol or inlined, but made of other
//! instructions than in the baseline: the overlap of the two histograms of
//! mnemonics is below three quarters.
//!
//! ## Why it matters
//! "Symbol preserved" is not "code preserved". LLVM re-lowers intrinsics when
//! more of the CPU is allowed: under `target-cpu=native` with AVX-512VL the byte
//! shuffles of a BLAKE2b kernel become `vprolq`, and the hand-tuned choice is
//! undone while the symbol stays. That may be faster or slower.
//!
//! ## What to do
//! - Read the message: it lists the mnemonics that came and went, most first.
//! - Measure the variant before judging; a changed mix is a reason, not a
//!   result.
//! - To keep the code, take it out of the compiler's hands (`asm!`), or build
//!   the function *and its callers* without the feature that allows the change.

use super::{Pair, mix_changes};
use crate::SAME_MIX;
use karat_model::finding::{Finding, Severity};

/// Mnemonics listed in the message.
const LISTED: usize = 6;

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    pair.survivals()
        .filter_map(|(after, before)| {
            let similarity = after.similarity.filter(|value| *value < SAME_MIX)?;
            let changes = mix_changes(&before?.mix, &after.mix, LISTED);
            let message = format!(
                "another instruction mix than in the baseline ({:.0} % alike): {changes}",
                similarity * 100.0
            );
            Some(pair.finding("KA002", Severity::Warning, Some(&after.function), message))
        })
        .collect()
}
