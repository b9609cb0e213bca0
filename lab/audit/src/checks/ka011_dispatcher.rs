//! # KA011: dispatcher above the baseline
//!
//! A function that asks the CPU has itself instructions above the baseline, which
//! it reaches before, or whatever, the answer is; and the program gets to it
//! without another gate.
//!
//! ## Why it matters
//! The check that should keep old CPUs away from the kernel kills the program on
//! them. It happens when the dispatcher is compiled in the same file, with the
//! same flags, as the kernel: a compiler may then use the extension for a table
//! copy or a clear before the branch.
//!
//! ## What to do
//! - Compile the dispatcher with the baseline's flags, in a file of its own.
//! - With function attributes, put `target_feature` on the kernel and nothing else.

use super::Single;
use super::ka010_leak::{describe, leaks, severity};
use karat_model::finding::Finding;

/// Findings for one file.
const LISTED: usize = 20;

pub(super) fn run(single: &Single<'_>) -> Vec<Finding> {
    let Some(report) = &single.audit.leaks else {
        return Vec::new();
    };
    if report.built_for.is_some() {
        return Vec::new();
    }
    let dispatchers = leaks(report).filter(|leak| leak.is_dispatcher);
    dispatchers
        .take(LISTED)
        .map(|leak| {
            let message = format!(
                "it asks the CPU, but outside of what that guards {}",
                describe(leak, &report.baseline)
            );
            single.at("KA011", severity(leak), leak, message)
        })
        .collect()
}
