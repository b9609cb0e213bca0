//! From batches to comparisons: times in, the judge's words out.

use super::BenchError;
use super::rounds::{Rounds, TIMES};
use karat_judge::{AaStatus, Layout, Outcome, Pair, judge_aa, judge_family, log_margin};
use karat_model::verdict::{Comparison, Judgement};
use karat_verdict::judging::comparison;

/// What one look says.
pub(super) struct Judged {
    /// The baseline against itself.
    pub(super) again: Comparison,
    pub(super) again_passed: bool,
    pub(super) noise_floor: Option<f64>,
    /// The other arms, in their order.
    pub(super) comparisons: Vec<Comparison>,
}

impl Judged {
    /// Comparisons that are still undecided.
    pub(super) fn undecided(&self) -> usize {
        self.comparisons
            .iter()
            .filter(|c| c.judgement == Judgement::Inconclusive)
            .count()
    }
}

/// Judges all arms as one family, and the baseline against itself as another.
pub(super) fn judge(
    bench: &str,
    arms: &[String],
    rounds: &Rounds,
    margin: f64,
    alpha: f64,
) -> Result<Judged, BenchError> {
    let refused = |arm: usize, source| BenchError::Judge {
        bench: bench.to_owned(),
        arm: arms[arm].clone(),
        source,
    };
    let pair = |arm: usize, time: usize| {
        let of = |(arm, time): (usize, usize)| karat_judge::Arm {
            costs: rounds.ns(arm, time),
            places: Some(rounds.places(arm, time)),
            quiet: Some(rounds.quiet(arm, time)),
        };
        let all = (0..arms.len()).flat_map(|arm| (0..TIMES).map(move |time| (arm, time)));
        let others = all.filter(|slot| *slot != (0, 0) && *slot != (arm, time));
        Pair {
            layouts: vec![Layout {
                baseline: of((0, 0)),
                variant: of((arm, time)),
                again: None,
                others: others.map(of).collect(),
            }],
            margin: log_margin(margin),
        }
    };
    let value = |arm: usize, time: usize| karat_judge::faster_half_mean(rounds.ns(arm, time));
    let say = |arm: usize, time: usize, outcome: &Outcome| {
        let values = [value(0, 0), value(arm, time)];
        comparison(&arms[arm], outcome, values, Vec::new())
    };

    let gate = judge_aa(&[pair(0, 1)], alpha);
    let mut again = None;
    for outcome in &gate.outcomes {
        again = Some(outcome.as_ref().map_err(|e| refused(0, *e))?);
    }
    // One pair in, one outcome out.
    let Some(again) = again else {
        return Err(refused(
            0,
            karat_judge::JudgeError::TooFewRounds { rounds: 0 },
        ));
    };

    let pairs: Vec<Pair<'_>> = (1..arms.len()).map(|arm| pair(arm, 0)).collect();
    let mut comparisons = Vec::new();
    for (i, outcome) in judge_family(&pairs, 0, alpha).into_iter().enumerate() {
        let arm = i + 1;
        let outcome = outcome.map_err(|e| refused(arm, e))?;
        comparisons.push(say(arm, 0, &outcome));
    }
    Ok(Judged {
        again: say(0, 1, again),
        again_passed: gate.status == AaStatus::Passed,
        noise_floor: Some(gate.noise_floor.exp_m1()).filter(|f| f.is_finite()),
        comparisons,
    })
}
