//! The pilot: how sensitive a workload is to layout, before variants are measured.
//!
//! The baseline is built in a few layouts (four by default). Every layout is measured by two arms,
//! all of them interleaved in the same rounds, so that the spread between layouts can be held
//! against the scatter of one layout measured twice ([`spread`](crate::spread)). From its interval
//! follow a decision and the number of layouts that a comparison will need.
//!
//! A comparison of two builds in n layouts each has an effect with the variance
//! 2 sd^2 / n: both builds draw, and one seed moves them in unrelated ways. n is enough when
//! t(level, n-1) sqrt(2 / n) sd is at most the margin.
//!
//! A spread below a third of the margin is *harmless*, one of the margin *matters*.
//! *Insensitive* needs an sd that is harmless and an interval in which nothing matters. If the
//! interval holds both, or the layouts cannot be told from the scatter, nothing is known: a
//! figure would be the neighbours'.

use crate::error::{JudgeError, Side};
use crate::layouts::first;
use crate::pair::Arm;
use crate::power::normal_quantile;
use crate::spread::{Spread, spread};
use crate::student::student_critical;

/// Layouts that do when a workload is insensitive.
pub const FEWEST_LAYOUTS: u64 = 4;
/// Share of the margin below which a spread does not matter.
const HARMLESS: f64 = 1.0 / 3.0;
/// Layouts up to which t is used; beyond, its normal limit.
const BY_T: u64 = 10_000;
/// Layouts that are counted up to.
const COUNTED: u64 = 1_000_000;

/// What a pilot says about the number of layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PilotDecision {
    /// The layout hardly matters: [`FEWEST_LAYOUTS`] do.
    Insensitive,
    /// So many layouts of each build are expected to give a half width of the margin.
    Layouts(u64),
    /// More than the caller can afford: reduce the spread (align functions and loops), or ask
    /// for a larger margin.
    OutOfReach {
        /// Layouts needed (at most a million is counted).
        needed: u64,
        /// Layouts allowed.
        cap: u64,
    },
    /// The spread may be harmless and may matter, or it cannot be told from the scatter of one
    /// layout measured twice: more rounds, or a quieter machine, would tell.
    NotKnown,
}

/// The spread of one arm over layouts, in log units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    /// Standard deviation between layouts, noise taken out; 0 when below it.
    pub sd: f64,
    /// Its lower bound, one-sided 99.5 %; 0 when the layouts cannot be told from the scatter.
    pub low: f64,
    /// Its upper bound, one-sided 95 %, noise left in.
    pub high: f64,
    /// Standard deviation of one layout's log cost that noise explains.
    pub noise: f64,
    /// What follows.
    pub decision: PilotDecision,
}

/// Judges a pilot: layouts of one build, each measured by two arms in the same rounds.
///
/// `margin` in log units, `level` of the comparisons to come, `cap` the most layouts that may
/// be built. Places are not used: the order inside a round must be random.
///
/// # Errors
/// [`JudgeError::NoLayout`] of fewer than two layouts, [`JudgeError::UnequalRounds`],
/// [`JudgeError::TooFewRounds`], [`JudgeError::BadCost`] (named a baseline's),
/// [`JudgeError::BadQuiet`], [`JudgeError::BadMargin`] (0 included: no number of layouts reaches
/// it) and [`JudgeError::BadLevel`].
pub fn pilot(
    layouts: &[[Arm<'_>; 2]],
    margin: f64,
    level: f64,
    cap: u64,
) -> Result<Pilot, JudgeError> {
    check(layouts, margin, level)?;
    let arms: Vec<Vec<Arm<'_>>> = layouts.iter().map(|two| two.to_vec()).collect();
    let Spread {
        sd,
        low,
        high,
        noise,
        ..
    } = spread(&arms, None).ok_or(JudgeError::NoLayout)?;
    let decision = if high < margin && sd < HARMLESS * margin {
        PilotDecision::Insensitive
    } else if low == 0.0 || (low < HARMLESS * margin && high >= margin) {
        PilotDecision::NotKnown
    } else {
        let enough =
            |n: u64| student_critical(level, n - 1) * (2.0 / n as f64).sqrt() * sd <= margin;
        let needed = first(FEWEST_LAYOUTS, BY_T, enough).unwrap_or_else(|| {
            let z = normal_quantile(1.0 - level / 2.0);
            let n = 2.0 * (z * sd / margin).powi(2) + z * z / 2.0;
            (n.ceil() as u64).clamp(BY_T + 1, COUNTED)
        });
        if needed <= cap {
            PilotDecision::Layouts(needed)
        } else {
            PilotDecision::OutOfReach { needed, cap }
        }
    };
    Ok(Pilot {
        sd,
        low,
        high,
        noise,
        decision,
    })
}

fn check(layouts: &[[Arm<'_>; 2]], margin: f64, level: f64) -> Result<(), JudgeError> {
    let [[one, _], _, ..] = layouts else {
        return Err(JudgeError::NoLayout);
    };
    let rounds = one.costs.len();
    if rounds < 2 {
        return Err(JudgeError::TooFewRounds { rounds });
    }
    for arm in layouts.iter().flatten() {
        if arm.costs.len() != rounds {
            return Err(JudgeError::UnequalRounds {
                baseline: rounds,
                variant: arm.costs.len(),
            });
        }
        if arm.quiet.is_some_and(|q| q.len() != rounds) {
            return Err(JudgeError::BadQuiet);
        }
        let bad = |c: &f64| !(c.is_normal() && *c > 0.0);
        if let Some(round) = arm.costs.iter().position(bad) {
            return Err(JudgeError::BadCost {
                side: Side::Baseline,
                round,
                cost: arm.costs[round],
            });
        }
    }
    if !(margin.is_finite() && margin > 0.0) {
        return Err(JudgeError::BadMargin { margin });
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(JudgeError::BadLevel { level });
    }
    Ok(())
}
