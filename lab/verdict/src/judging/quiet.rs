//! What a comparison shows in quiet runs alone: the evidence on neighbours as its cause.

use super::Judged;
use super::columns::columns;
use karat_judge::faster_half_mean;
use karat_model::measure::{Arm, Role, Sample};
use karat_model::verdict::Comparison;

/// The quiet runs of a comparison's two arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuietRuns {
    /// Quiet runs of the baseline and of the variant, in all layouts.
    pub runs: [usize; 2],
    /// All runs of them.
    pub of: [usize; 2],
    /// Speed of the variant over that of the baseline in quiet runs, if both have any in
    /// each layout.
    pub speed: Option<f64>,
}

/// The quiet runs of a variant and of the baseline.
pub fn quiet_runs(
    judged: &Judged,
    comparison: &Comparison,
    arms: &[Arm],
    samples: &[Sample],
) -> QuietRuns {
    let metric = (judged.value, &judged.metric);
    let columns = columns(
        judged.workload,
        metric,
        arms.len(),
        samples,
        comparison.rounds,
    );
    let own = |role: Role| {
        let is = move |a: &Arm| {
            a.role == role && (role == Role::Baseline || a.variant == comparison.variant)
        };
        arms.iter()
            .zip(&columns)
            .filter(move |(a, _)| is(a))
            .map(|(_, c)| c)
    };
    let mut out = QuietRuns {
        runs: [0; 2],
        of: [0; 2],
        speed: None,
    };
    let mut logs = [Some(0.0), Some(0.0)];
    for (side, role) in [Role::Baseline, Role::Variant].into_iter().enumerate() {
        let mut layouts = 0.0;
        for column in own(role) {
            let quiet = column.quiet_costs();
            out.runs[side] += quiet.len();
            out.of[side] += column.measured().len();
            layouts += 1.0;
            logs[side] = logs[side]
                .filter(|_| !quiet.is_empty())
                .map(|sum: f64| sum + faster_half_mean(&quiet).ln());
        }
        logs[side] = logs[side].map(|sum| sum / layouts);
    }
    if let [Some(baseline), Some(variant)] = logs {
        out.speed = Some((baseline - variant).exp());
    }
    out
}
