//! # KA003: symbol gone, code inlined
//!
//! The function has no symbol of its own any more, but its instructions are in
//! the binary, inside the functions the message lists.
//!
//! ## Why it matters
//! "Symbol missing" is not "code missing". Under link-time optimisation a kernel
//! with one caller loses its symbol as soon as the caller is allowed the same
//! CPU features. Taking that for elimination has led to patches that changed
//! nothing in speed.
//!
//! ## What to do
//! - Nothing, as a rule: read KA002 for whether the code itself changed.
//! - Look for the function's time under the names of its hosts in a profile.
//! - If a symbol is wanted, for profiles or for an assembly review, mark the
//!   function `#[inline(never)]`.

use super::Pair;
use karat_model::audit::SurvivalState;
use karat_model::finding::{Finding, Severity};

/// Hosts listed in the message.
const LISTED: usize = 3;

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    pair.survivals()
        .filter(|(after, before)| {
            let had_symbol = before.is_none_or(|b| b.state == SurvivalState::Present);
            after.state == SurvivalState::Inlined && had_symbol
        })
        .map(|(after, _)| {
            let all: u64 = after.inlined_into.iter().map(|h| h.instructions).sum();
            let mut hosts: Vec<String> = after
                .inlined_into
                .iter()
                .take(LISTED)
                .map(|host| {
                    let share = host.instructions as f64 * 100.0 / all.max(1) as f64;
                    format!("{} ({share:.0} %)", host.function)
                })
                .collect();
            if let Some(more) = after.inlined_into.len().checked_sub(LISTED)
                && more > 0
            {
                hosts.push(format!("{more} more"));
            }
            let message = format!(
                "symbol missing, code not missing: {all} instructions are inlined into {}",
                hosts.join(", ")
            );
            pair.finding("KA003", Severity::Note, Some(&after.function), message)
        })
        .collect()
}
