//! What each arm cost, round by round.

use karat_model::measure::Sample;
use karat_model::units::Metric;

/// What one arm cost, round by round, where in the round's order it ran, and whether the
/// core was karat's alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// Not a number in rounds in which the arm was not measured.
    pub(super) costs: Vec<f64>,
    pub(super) places: Vec<u32>,
    pub(super) quiet: Vec<bool>,
}

impl Column {
    /// The column as the judge takes it.
    pub(super) fn arm(&self) -> karat_judge::Arm<'_> {
        karat_judge::Arm {
            costs: &self.costs,
            places: Some(&self.places),
            quiet: Some(&self.quiet),
        }
    }

    /// Costs of the rounds in which the arm was measured.
    pub(super) fn measured(&self) -> Vec<f64> {
        let finite = |c: &f64| c.is_finite();
        self.costs.iter().copied().filter(finite).collect()
    }

    /// Costs of the quiet runs.
    pub(super) fn quiet_costs(&self) -> Vec<f64> {
        let both = self.costs.iter().zip(&self.quiet);
        both.filter(|(c, quiet)| **quiet && c.is_finite())
            .map(|(c, _)| *c)
            .collect()
    }
}

/// The columns of all `arms` on a workload, from the last attempts of its first `rounds`
/// rounds.
pub(super) fn columns(
    workload: usize,
    (value, metric): (usize, &Metric),
    arms: usize,
    samples: &[Sample],
    rounds: u32,
) -> Vec<Column> {
    let rounds = rounds as usize;
    let mut last: Vec<Vec<Option<&Sample>>> = vec![vec![None; rounds]; arms];
    for s in samples.iter().filter(|s| s.workload as usize == workload) {
        let slot = last[s.arm as usize].get_mut(s.round as usize);
        if let Some(slot) = slot
            && slot.is_none_or(|known| s.attempt >= known.attempt)
        {
            *slot = Some(s);
        }
    }
    let cost = |s: &Option<&Sample>| s.map_or(f64::NAN, |s| metric.cost(s.values[value]));
    last.iter()
        .map(|column| Column {
            costs: column.iter().map(cost).collect(),
            places: column.iter().map(|s| s.map_or(0, |s| s.position)).collect(),
            quiet: column.iter().map(|s| s.is_some_and(|s| s.quiet)).collect(),
        })
        .collect()
}
