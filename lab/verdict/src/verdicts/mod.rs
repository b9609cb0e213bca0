//! From comparisons to the verdict on each variant and on the study.

mod study;
mod variant;

pub use study::study;
pub use variant::{IDENTICAL, identical, variant};

use karat_model::evidence::WorkloadEvidence;

/// Why no verdict can be given, if so. `smoke` is the number of rounds of a smoke run.
#[must_use]
pub fn withheld(smoke: Option<u32>, workloads: &[WorkloadEvidence]) -> Option<String> {
    if let Some(rounds) = smoke {
        return Some(format!(
            "this is a smoke run of {rounds} rounds, which proves that the study works and \
             nothing else"
        ));
    }
    let failed: Vec<&str> = workloads
        .iter()
        .filter(|w| w.rounds > 0 && !w.again_passed)
        .map(|w| w.name.as_str())
        .collect();
    (!failed.is_empty()).then(|| {
        format!(
            "the baseline came out different from itself on {}: this machine was too disturbed to \
             judge anything; run again when it is quiet",
            failed.join(", ")
        )
    })
}

#[cfg(test)]
mod tests;
