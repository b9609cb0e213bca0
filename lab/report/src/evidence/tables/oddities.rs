//! Drift and two levels: a line for each workload.

use karat_model::evidence::{Evidence, WorkloadEvidence};

/// All that is odd of a workload, in one line; `None` when nothing is.
pub fn line(workload: &WorkloadEvidence) -> Option<String> {
    let texts: Vec<&str> = workload.oddities.iter().map(|o| o.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// How many of a workload's arms are odd in this way: `62/88`; empty for none.
pub fn count(evidence: &Evidence, workload: &WorkloadEvidence, kind: &str) -> String {
    workload
        .oddities
        .iter()
        .find(|o| o.kind == kind)
        .map_or_else(String::new, |o| {
            format!("{}/{}", o.arms.len(), evidence.arms.len())
        })
}
