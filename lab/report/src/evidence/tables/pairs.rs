//! Variants against each other, where the study asks for it.

use karat_model::evidence::Evidence;
use karat_model::verdict::Comparison;

/// One pair over all workloads.
pub struct Row<'a> {
    /// The variant.
    pub variant: &'a str,
    /// What it is compared with.
    pub against: &'a str,
    /// Their comparison on each workload, `None` where there is none.
    pub cells: Vec<Option<&'a Comparison>>,
}

/// All pairs, in the order of the study.
pub fn rows(evidence: &Evidence) -> Vec<Row<'_>> {
    let mut out: Vec<Row<'_>> = Vec::new();
    for (nth, workload) in evidence.workloads.iter().enumerate() {
        for c in &workload.pairs {
            let against = c.against.as_deref().unwrap_or_default();
            let same = |r: &Row<'_>| r.variant == c.variant && r.against == against;
            let at = out.iter().position(same).unwrap_or_else(|| {
                out.push(Row {
                    variant: &c.variant,
                    against,
                    cells: vec![None; evidence.workloads.len()],
                });
                out.len() - 1
            });
            out[at].cells[nth] = Some(c);
        }
    }
    out
}
