//! The A/A gate: the same program measured twice must not come out different.

use crate::error::JudgeError;
use crate::family::{Outcome, judge_family};
use crate::pair::Pair;
use crate::word::Judgement;

/// Whether the measurement can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AaStatus {
    /// No A/A comparison was judged FASTER or SLOWER.
    Passed,
    /// At least one was: the verdicts measured beside it must not be used.
    Failed,
    /// No A/A comparison at all, or one that cannot be judged: nothing vouches for the
    /// measurement.
    NotJudged,
}

/// The result of the A/A gate.
#[derive(Clone, Debug, PartialEq)]
pub struct AaGate {
    /// Whether the measurement can be trusted.
    pub status: AaStatus,
    /// Largest absolute bound of the A/A intervals, in log units: an effect smaller than this
    /// cannot be told from noise here. Infinite when there is no finite interval.
    pub noise_floor: f64,
    /// Each A/A comparison, in the order given.
    pub outcomes: Vec<Result<Outcome, JudgeError>>,
}

/// Judges pairs of arms of the *same* build as a Holm family of their own. They are measured to
/// the end: what vouches for the others is never decided early.
///
/// The rule and the margin are those of the real comparisons, so a FAILED gate is a false
/// alarm with probability at most `alpha` when the measurement is sound.
///
/// # Errors
/// Those of [`judge_family`], per comparison; any of them leaves the gate
/// [`AaStatus::NotJudged`] unless another comparison fails it.
#[must_use]
pub fn judge_aa(pairs: &[Pair<'_>], alpha: f64) -> AaGate {
    let outcomes = judge_family(pairs, 0, alpha);
    let different = |o: &Outcome| matches!(o.judgement, Judgement::Faster | Judgement::Slower);
    let status = if outcomes.iter().flatten().any(different) {
        AaStatus::Failed
    } else if outcomes.is_empty() || outcomes.iter().any(Result::is_err) {
        AaStatus::NotJudged
    } else {
        AaStatus::Passed
    };
    let noise_floor = outcomes
        .iter()
        .flatten()
        .map(|o| o.low.abs().max(o.high.abs()))
        .reduce(f64::max)
        .unwrap_or(f64::INFINITY);
    AaGate {
        status,
        noise_floor,
        outcomes,
    }
}
