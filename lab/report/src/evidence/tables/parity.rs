//! Parity checks by variants.

use karat_model::evidence::{Evidence, ParityCheck};

/// The checks by name and the variants that they were run on, each in the
/// order of the evidence.
pub fn axes(evidence: &Evidence) -> (Vec<&str>, Vec<&str>) {
    let mut checks: Vec<&str> = Vec::new();
    let mut variants: Vec<&str> = Vec::new();
    for check in &evidence.parity {
        if !checks.contains(&check.name.as_str()) {
            checks.push(&check.name);
        }
        if !variants.contains(&check.variant.as_str()) {
            variants.push(&check.variant);
        }
    }
    (checks, variants)
}

/// One check on one variant.
pub fn find<'a>(evidence: &'a Evidence, check: &str, variant: &str) -> Option<&'a ParityCheck> {
    evidence
        .parity
        .iter()
        .find(|p| p.name == check && p.variant == variant)
}

/// The checks that failed.
pub fn failed(evidence: &Evidence) -> impl Iterator<Item = &ParityCheck> {
    evidence.parity.iter().filter(|p| !p.passed)
}
