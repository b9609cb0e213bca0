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
    /// Rounds: what is decided stops being measured, so comparisons differ in them.
    pub rounds: String,
}

/// One row for each workload.
pub fn rows(evidence: &Evidence) -> Vec<Row<'_>> {
    evidence.workloads.iter().map(row).collect()
}

fn row(workload: &WorkloadEvidence) -> Row<'_> {
    let again = workload.again.as_ref();
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
        rounds: rounds(workload),
    }
}

/// `40`, or `12 to 40` where comparisons ended earlier.
pub fn rounds(workload: &WorkloadEvidence) -> String {
    let all = || {
        let compared = workload.comparisons.iter().chain(&workload.pairs);
        compared.map(|c| c.rounds).filter(|r| *r > 0)
    };
    let most = workload.rounds;
    match all().min() {
        Some(least) if least < most => format!("{least} to {most}"),
        _ => most.to_string(),
    }
}

/// When the data were looked at and what was undecided then, over the whole study.
pub fn looks(evidence: &Evidence) -> Option<String> {
    let looks = &evidence
        .workloads
        .iter()
        .max_by_key(|w| w.looks.len())?
        .looks;
    let first = looks.first()?;
    let mut out = format!(
        "Undecided after {}: {}",
        number::duration(first.seconds),
        first.undecided
    );
    for look in &looks[1..] {
        out += &format!(
            ", after {}: {}",
            number::duration(look.seconds),
            look.undecided
        );
    }
    Some(format!("{out}."))
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
    number::range(effects())
}
