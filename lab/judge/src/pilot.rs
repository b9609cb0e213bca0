//! The pilot: how sensitive a workload is to layout, before variants are measured.
//!
//! The baseline is built in a few layouts (four by default) and measured for r rounds. From
//! its costs follow the variance between layouts, with its confidence bound, and how many
//! layouts of each build a comparison will need.
//!
//! With m_l the log faster-half mean of layout l, and rounds shared by all layouts,
//! V = var(m_l) holds the variance between layouts and the noise of m_l. That noise is
//! estimated by the jackknife over rounds of the deviations m_l - mean(m), which share the
//! machine's drift, and subtracted (moments, 0 when below).
//!
//! A comparison of two builds in n layouts each has an effect with the variance
//! 2 sd^2 / n: both builds draw, and one seed moves them in unrelated ways. n is enough when
//! t(level, n-1) sqrt(2 / n) sd is at most the margin; where noise exceeds sd it stands in for it.
//!
//! The decision *insensitive* is the rule of thumb "sd below a third of the margin" together
//! with a bound: the one-sided 80 % upper bound of sd (chi-square with 3 degrees of freedom for
//! four layouts: 1.73 sd) must be below the margin. With so few layouts a stricter bound would
//! never be met.
//!
//! Sources: chi-square interval of a variance: G. Snedecor and W. Cochran, *Statistical
//! Methods*, 8th ed., Iowa State 1989, section 5.11; jackknife: J. Tukey, "Bias and Confidence
//! in Not-Quite Large Samples", Annals of Mathematical Statistics 29, 1958, p. 614; quantile of
//! chi-square: E. Wilson and M. Hilferty, "The Distribution of Chi-Square", Proceedings of the
//! National Academy of Sciences 17(12), 1931, pp. 684-688.

use crate::error::{JudgeError, Side};
use crate::faster_half::faster_half_mean;
use crate::layouts::{deviation, first};
use crate::power::normal_quantile;
use crate::student::student_critical;

/// Layouts that do when a workload is insensitive.
pub const FEWEST_LAYOUTS: u64 = 4;
/// One-sided coverage of the upper bound.
const COVERAGE: f64 = 0.8;
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
}

/// The spread of one arm over layouts, in log units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    /// Standard deviation between layouts, noise taken out; 0 when below it.
    pub sd: f64,
    /// Upper bound of the standard deviation, one-sided 80 %, noise left in.
    pub upper: f64,
    /// Standard deviation of one layout's log cost that noise explains.
    pub noise: f64,
    /// What follows.
    pub decision: PilotDecision,
}

/// Judges a pilot: `costs[layout][round]` of one arm, all layouts in the same rounds.
///
/// `margin` in log units, `level` of the comparisons to come, `cap` the most layouts that may
/// be built.
///
/// # Errors
/// [`JudgeError::NoLayout`] of fewer than two layouts, [`JudgeError::UnequalRounds`],
/// [`JudgeError::TooFewRounds`], [`JudgeError::BadCost`] (named a baseline's),
/// [`JudgeError::BadMargin`] (0 included: no number of layouts reaches it) and
/// [`JudgeError::BadLevel`].
pub fn pilot(costs: &[&[f64]], margin: f64, level: f64, cap: u64) -> Result<Pilot, JudgeError> {
    check(costs, margin, level)?;
    let means: Vec<f64> = costs.iter().map(|c| faster_half_mean(c).ln()).collect();
    let noise = noise(costs);
    let total = deviation(&means);
    let sd = (total * total - noise * noise).max(0.0).sqrt();
    let freedom = (costs.len() - 1) as f64;
    let upper = total * (freedom / chi_square_quantile(1.0 - COVERAGE, freedom)).sqrt();
    let decision = if sd < HARMLESS * margin && upper < margin {
        PilotDecision::Insensitive
    } else {
        let enough = |n: u64| {
            student_critical(level, n - 1) * (2.0 / n as f64).sqrt() * sd.max(noise) <= margin
        };
        let needed = first(FEWEST_LAYOUTS, BY_T, enough).unwrap_or_else(|| {
            let z = normal_quantile(1.0 - level / 2.0);
            let n = 2.0 * (z * sd.max(noise) / margin).powi(2) + z * z / 2.0;
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
        upper,
        noise,
        decision,
    })
}

fn check(costs: &[&[f64]], margin: f64, level: f64) -> Result<(), JudgeError> {
    let [one, others @ ..] = costs else {
        return Err(JudgeError::NoLayout);
    };
    if others.is_empty() {
        return Err(JudgeError::NoLayout);
    }
    if let Some(other) = others.iter().find(|o| o.len() != one.len()) {
        return Err(JudgeError::UnequalRounds {
            baseline: one.len(),
            variant: other.len(),
        });
    }
    if one.len() < 2 {
        return Err(JudgeError::TooFewRounds { rounds: one.len() });
    }
    for costs in costs {
        let bad = |c: &f64| !(c.is_normal() && *c > 0.0);
        if let Some(round) = costs.iter().position(bad) {
            return Err(JudgeError::BadCost {
                side: Side::Baseline,
                round,
                cost: costs[round],
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

/// Standard deviation of a layout's log faster-half mean against that of all layouts: the
/// jackknife, leaving out one round in all layouts at a time.
fn noise(costs: &[&[f64]]) -> f64 {
    let rounds = costs[0].len();
    let layouts = costs.len() as f64;
    let left_out: Vec<Vec<f64>> = (0..rounds)
        .map(|round| {
            let without = |c: &&[f64]| {
                let rest: Vec<f64> = [&c[..round], &c[round + 1..]].concat();
                faster_half_mean(&rest).ln()
            };
            let means: Vec<f64> = costs.iter().map(without).collect();
            let centre = means.iter().sum::<f64>() / layouts;
            means.iter().map(|m| m - centre).collect()
        })
        .collect();
    let mut squares = 0.0;
    for layout in 0..costs.len() {
        let values = left_out.iter().map(|l| l[layout]);
        let mean = values.clone().sum::<f64>() / rounds as f64;
        squares += values.map(|v| (v - mean).powi(2)).sum::<f64>();
    }
    // Deviations from the mean of L layouts have (L-1)/L of a layout's variance.
    let jackknife = squares * (rounds - 1) as f64 / rounds as f64;
    (jackknife / (layouts - 1.0)).sqrt()
}

/// Quantile of chi-square by the cube-root approximation; within 1 % from p = 0.2 up and three
/// degrees of freedom.
fn chi_square_quantile(p: f64, freedom: f64) -> f64 {
    let a = 2.0 / (9.0 * freedom);
    freedom * (1.0 - a + normal_quantile(p) * a.sqrt()).powi(3)
}
