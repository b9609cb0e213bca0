//! Variants by workloads.

use crate::{number, wording};
use karat_model::evidence::{Evidence, VariantEvidence, WorkloadEvidence};
use karat_model::verdict::Comparison;

/// One variant over all workloads.
pub struct Row<'a> {
    /// The variant.
    pub variant: &'a VariantEvidence,
    /// Its comparison on each workload, `None` where it was not measured.
    pub cells: Vec<Option<&'a Comparison>>,
}

/// The variants that were to be compared, in the study's order.
pub fn rows(evidence: &Evidence) -> Vec<Row<'_>> {
    evidence
        .variants
        .iter()
        .filter(|v| !v.baseline && v.left_out.is_none())
        .map(|variant| Row {
            variant,
            cells: evidence
                .workloads
                .iter()
                .map(|w| comparison(w, &variant.name))
                .collect(),
        })
        .collect()
}

/// A variant's comparison on a workload.
pub fn comparison<'a>(workload: &'a WorkloadEvidence, variant: &str) -> Option<&'a Comparison> {
    workload.comparisons.iter().find(|c| c.variant == variant)
}

/// The variants that were left out, with the reason.
pub fn left_out(evidence: &Evidence) -> impl Iterator<Item = (&str, &str)> {
    evidence
        .variants
        .iter()
        .filter_map(|v| Some((v.name.as_str(), v.left_out.as_deref()?)))
}

/// What the baseline reached on a workload, with its unit.
pub fn baseline_value(workload: &WorkloadEvidence) -> String {
    workload
        .again
        .iter()
        .chain(&workload.comparisons)
        .map(|c| c.baseline_value)
        .find(|v| v.is_finite())
        .map_or_else(
            || number::MISSING.to_owned(),
            |v| number::value(v, &workload.metric.unit),
        )
}

/// Where the fastest runs and the typical one say different things.
pub fn splits(evidence: &Evidence) -> Vec<String> {
    let several = evidence.workloads.len() > 1;
    let compared = |w: &'_ WorkloadEvidence| -> Vec<String> {
        w.comparisons
            .iter()
            .chain(&w.pairs)
            .filter_map(|c| Some((c, c.split?)))
            .map(|(c, split)| {
                let place = if several {
                    format!(" on {}", w.name)
                } else {
                    String::new()
                };
                format!(
                    "{}{place}: {} in its fastest runs, {} in a typical one",
                    wording::compared(c),
                    number::change(split.floor),
                    number::change(split.typical)
                )
            })
            .collect()
    };
    evidence.workloads.iter().flat_map(compared).collect()
}
