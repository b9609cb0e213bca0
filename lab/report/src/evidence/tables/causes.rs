//! The clock of each variant, and how the possible causes stand.

use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::measure::ClockReading;
use karat_model::verdict::{Cause, Comparison, Stance};

/// A variant's comparison and its clock on one workload.
pub struct Row<'a> {
    /// The variant.
    pub variant: &'a str,
    /// `None` for the baseline.
    pub comparison: Option<&'a Comparison>,
    /// `None` when it was not read.
    pub clock: Option<&'a ClockReading>,
    /// Clock while running over the baseline's, if both are known.
    pub relative: Option<f64>,
}

/// The baseline and every compared variant of a workload.
pub fn rows<'a>(evidence: &'a Evidence, workload: &'a WorkloadEvidence) -> Vec<Row<'a>> {
    let clock = |name: &str| workload.clock.iter().find(|c| c.variant == name);
    let during = |name: &str| {
        clock(name)
            .map(|c| c.during)
            .filter(|ghz| ghz.is_finite() && *ghz > 0.0)
    };
    let baseline = evidence.baseline().map(|b| b.name.as_str());
    let base_clock = baseline.and_then(during);
    let first = baseline.map(|name| Row {
        variant: name,
        comparison: None,
        clock: clock(name),
        relative: None,
    });
    first
        .into_iter()
        .chain(workload.comparisons.iter().map(|c| Row {
            variant: &c.variant,
            comparison: Some(c),
            clock: clock(&c.variant),
            relative: during(&c.variant).zip(base_clock).map(|(a, b)| a / b),
        }))
        .collect()
}

/// The causes of a workload's comparisons, with those that all share apart.
pub struct Stances<'a> {
    /// How many comparisons have causes.
    pub total: usize,
    /// What holds for each of them.
    pub common: Vec<&'a Cause>,
    /// What holds for one of them, by comparison; none is empty.
    pub own: Vec<(&'a Comparison, Vec<&'a Cause>)>,
}

/// Collects the causes of a workload.
pub fn stances(workload: &WorkloadEvidence) -> Stances<'_> {
    let with: Vec<&Comparison> = workload
        .comparisons
        .iter()
        .filter(|c| !c.causes.is_empty())
        .collect();
    let shared = |cause: &Cause| with.len() > 1 && with.iter().all(|c| c.causes.contains(cause));
    let common = with
        .first()
        .iter()
        .flat_map(|c| &c.causes)
        .filter(|cause| shared(cause))
        .collect();
    let own = with
        .iter()
        .map(|c| (*c, c.causes.iter().filter(|cause| !shared(cause)).collect()))
        .filter(|(_, causes): &(_, Vec<_>)| !causes.is_empty())
        .collect();
    Stances {
        total: with.len(),
        common,
        own,
    }
}

/// How often a kind of cause has each stance over `comparisons`: `clock:
/// excluded in 8 of 8`.
pub fn summary<'a>(comparisons: impl Iterator<Item = &'a Comparison> + Clone) -> Vec<String> {
    let mut kinds: Vec<&str> = Vec::new();
    for cause in comparisons.clone().flat_map(|c| &c.causes) {
        if !kinds.contains(&cause.kind.as_str()) {
            kinds.push(&cause.kind);
        }
    }
    let stances = [
        (Stance::Excluded, "excluded"),
        (Stance::Consistent, "consistent"),
        (Stance::Unknown, "unknown"),
    ];
    kinds
        .iter()
        .map(|kind| {
            let of_kind = || {
                comparisons
                    .clone()
                    .flat_map(|c| &c.causes)
                    .filter(move |cause| cause.kind == *kind)
            };
            let total = of_kind().count();
            let parts: Vec<String> = stances
                .iter()
                .filter_map(|(stance, word)| {
                    let count = of_kind().filter(|c| c.stance == *stance).count();
                    (count > 0).then(|| format!("{word} in {count}"))
                })
                .collect();
            format!("{kind}: {} of {total}", parts.join(", "))
        })
        .collect()
}
