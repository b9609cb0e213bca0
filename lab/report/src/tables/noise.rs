//! What the baseline against itself says about every other number.

use crate::{number, wording};
use karat_model::evidence::{Evidence, WorkloadEvidence};

/// The noise of one workload, as text.
pub struct Row<'a> {
    /// The workload.
    pub workload: &'a WorkloadEvidence,
    /// Change of the baseline against itself.
    pub again: String,
    /// Its interval.
    pub interval: String,
    /// `passed`, `FAILED` or `not run`.
    pub gate: &'static str,
    /// Largest difference that the interval allows.
    pub floor: String,
    /// Smallest change that would be found.
    pub detectable: String,
    /// Rounds at each look and what was undecided after it: `10: 5 · 20: 2`.
    pub looks: String,
}

/// One row for each workload.
pub fn rows(evidence: &Evidence) -> Vec<Row<'_>> {
    evidence.workloads.iter().map(row).collect()
}

fn row(workload: &WorkloadEvidence) -> Row<'_> {
    let again = workload.again.as_ref();
    let looks: Vec<String> = workload
        .looks
        .iter()
        .map(|l| format!("{}: {}", l.rounds, l.undecided))
        .collect();
    Row {
        workload,
        again: again.map_or_else(
            || number::MISSING.to_owned(),
            |c| number::change(c.speed.estimate),
        ),
        interval: again.map_or_else(
            || number::MISSING.to_owned(),
            |c| wording::interval(&c.speed),
        ),
        gate: match (again, workload.again_passed) {
            (_, false) => "FAILED",
            (Some(_), true) => "passed",
            (None, true) => "not run",
        },
        floor: workload
            .noise_floor
            .map_or_else(|| "no bound yet".to_owned(), number::percent),
        detectable: detectable(workload),
        looks: if looks.is_empty() {
            "none".to_owned()
        } else {
            looks.join(" · ")
        },
    }
}

/// The minimum detectable effect over a workload's comparisons: one figure, or
/// the least and the largest.
fn detectable(workload: &WorkloadEvidence) -> String {
    let effects = || {
        workload
            .comparisons
            .iter()
            .filter_map(|c| c.detectable)
            .filter(|d| d.is_finite())
    };
    range(effects())
}

/// The noise floor over all workloads: one figure, or the least and the
/// largest.
pub fn overall(evidence: &Evidence) -> String {
    range(
        evidence
            .workloads
            .iter()
            .filter_map(|w| w.noise_floor)
            .filter(|f| f.is_finite()),
    )
}

fn range(values: impl Iterator<Item = f64>) -> String {
    let mut bounds: Option<(f64, f64)> = None;
    for v in values {
        bounds = Some(bounds.map_or((v, v), |(low, high)| (low.min(v), high.max(v))));
    }
    match bounds {
        None => "no bound yet".to_owned(),
        Some((low, high)) if number::percent(low) == number::percent(high) => number::percent(high),
        Some((low, high)) => format!("{} to {}", number::percent(low), number::percent(high)),
    }
}
