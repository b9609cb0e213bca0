//! Drift: whether an arm's cost went up or down over a run, and by how much.
//!
//! Test: Mann-Kendall, Kendall's rank correlation of cost with round. S counts pairs of rounds
//! whose later cost is higher, less those whose later cost is lower. Without a trend
//! S has mean 0 and variance (n(n-1)(2n+5) - sum t(t-1)(2t+5)) / 18, t the sizes of ties;
//! z = (S - sign S) / sd. Outliers count by rank only.
//!
//! Size: Theil-Sen, the median slope of log cost over all pairs of rounds.
//!
//! Rounds are taken to be independent of each other. A clock that wanders slowly without a
//! direction is not; where it is the noise, the test finds "drift" of either sign more often
//! than its level says, and rightly: the cost at the end is not that of the start.
//!
//! Sources: H. Mann, "Nonparametric Tests Against Trend", Econometrica 13(3), 1945, pp.
//! 245-259; M. Kendall, *Rank Correlation Methods*, 4th ed., Griffin 1970 (ties, continuity
//! correction); P. Sen, "Estimates of the Regression Coefficient Based on Kendall's Tau",
//! Journal of the American Statistical Association 63(324), 1968, pp. 1379-1389.

use crate::describe::median;
use crate::power::normal_p;

/// Fewer rounds than this have no normal approximation (Kendall 1970).
const LEAST: usize = 10;
/// Rounds that are compared pair by pair; of more, the means of so many stretches are.
const MOST: usize = 400;

/// The trend of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Two-sided p of "no trend".
    pub p: f64,
    /// Change from the first round to the last by the median slope, relative: 0.05 is +5 %.
    pub change: f64,
}

/// The trend of one arm's costs on one workload, in the order of rounds.
///
/// `None` of fewer than 10 rounds, or when a cost is not positive and finite. More than 400
/// rounds are first averaged in up to 400 stretches of one length (log costs; the rounds left
/// over at the end are dropped), which keeps the work bounded.
#[must_use]
pub fn drift(costs: &[f64]) -> Option<Drift> {
    if costs.len() < LEAST || costs.iter().any(|c| !(c.is_normal() && *c > 0.0)) {
        return None;
    }
    let stretch = costs.len().div_ceil(MOST);
    let logs: Vec<f64> = costs
        .chunks_exact(stretch)
        .map(|part| part.iter().map(|c| c.ln()).sum::<f64>() / stretch as f64)
        .collect();
    let n = logs.len();
    let mut s = 0i64;
    let mut slopes = Vec::with_capacity(n * (n - 1) / 2);
    for (i, early) in logs.iter().enumerate() {
        for (gap, late) in (1..).zip(&logs[i + 1..]) {
            s += i64::from(late > early) - i64::from(late < early);
            slopes.push((late - early) / f64::from(gap));
        }
    }
    let variance = (pairs_term(n) - ties(logs)) / 18.0;
    let z = if variance > 0.0 {
        (s - s.signum()) as f64 / variance.sqrt()
    } else {
        0.0
    };
    let last = (costs.len() - 1) as f64 / stretch as f64;
    Some(Drift {
        p: normal_p(z),
        change: (median(&slopes)? * last).exp_m1(),
    })
}

/// n(n-1)(2n+5).
fn pairs_term(n: usize) -> f64 {
    let n = n as f64;
    n * (n - 1.0) * (2.0 * n + 5.0)
}

/// The same summed over groups of equal values.
fn ties(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values
        .chunk_by(|a, b| a == b)
        .map(|t| pairs_term(t.len()))
        .sum()
}
