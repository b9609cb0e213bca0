//! # KA014: exported symbols gone
//!
//! The baseline exports symbols that this file does not. Names are compared, not types and
//! not versions.
//!
//! ## Why it matters
//! A program that was linked with the baseline and uses one of them does not start, or
//! fails when it gets there.
//!
//! ## What to do
//! - If they were never meant for others, hide them in the next release that changes the
//!   soname, or say so.
//! - Else give them back: a symbol version or an alias is enough.
//! - A visibility flag (`-fvisibility=hidden`) or a version script that is new explains
//!   many at once.

use karat_model::facts::FileFacts;
use karat_model::finding::{Finding, Severity};

/// Names in the message.
const LISTED: usize = 5;

pub(super) fn run(variant: &str, facts: &FileFacts) -> Vec<Finding> {
    let Some(changed) = facts.exports_changed.as_ref().filter(|c| c.gone > 0) else {
        return Vec::new();
    };
    let names = &changed.gone_names[..changed.gone_names.len().min(LISTED)];
    let more = match changed.gone - names.len() as u64 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let symbols = if changed.gone == 1 {
        "symbol"
    } else {
        "symbols"
    };
    vec![Finding {
        code: "KA014".into(),
        severity: Severity::Warning,
        variant: Some(variant.to_owned()),
        place: None,
        location: None,
        message: format!(
            "{} exported {symbols} of the baseline gone: {}{more}",
            changed.gone,
            names.join(", ")
        ),
    }]
}
