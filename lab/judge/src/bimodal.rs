//! Two modes: whether an arm's costs sit on two levels rather than one.
//!
//! Test: Hartigan's [`dip`](crate::dip) of the log costs. Its null is "any one mode, any
//! tails", so the one-sided slow tail that all timings have does not raise it. p is that of
//! the uniform distribution, the unimodal one whose dip is largest in the limit: drawn with a
//! fixed seed, (1 + hits) / (1 + draws). On bell-shaped costs the test is far more cautious
//! than its level.
//!
//! What it does call two modes is a disturbance of about one size that hits some runs and not
//! others, given rounds enough: at 40 rounds in which one in seven is slower by 10 %, 7 % of the
//! series; at 120 rounds half of them. That is a second level.
//!
//! The two levels are the medians of the two groups that the split with the least sum of
//! absolute distances to them makes, both groups of a tenth of the costs or more: slow
//! outliers do not make a group of their own.
//!
//! Sources: J. Hartigan and P. Hartigan, "The Dip Test of Unimodality", Annals of Statistics
//! 13(1), 1985, pp. 70-84; L. Kaufman and P. Rousseeuw, *Finding Groups in Data*, Wiley 1990
//! (medians as centres).

use crate::dip::dip;
use crate::rng::Rng;

/// Fewer costs show no two groups.
const LEAST: usize = 10;
/// Uniform samples that p is taken from.
const DRAWS: u64 = 999;
/// Fixed, so that the same costs give the same p.
const SEED: u64 = 1985;
/// Least share of a level.
const SMALLEST: f64 = 0.1;
/// More costs than this are thinned to as many of their quantiles.
const MOST: usize = 500;

/// The two levels of a series, and how sure it is that there are two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modes {
    /// p of "one mode", not below 1/1000.
    pub p: f64,
    /// The dip of the log costs: the distance from one mode, 1/(2n) to 1/4.
    pub dip: f64,
    /// Median cost of the faster group, in the unit of the costs.
    pub fast: f64,
    /// Median cost of the slower group.
    pub slow: f64,
    /// Share of the costs in the slower group.
    pub slow_share: f64,
}

/// Tests one arm's costs on one workload for two modes. The levels mean something only when
/// `p` is small.
///
/// `None` of fewer than 10 costs, or when one is not positive and finite. More than 500 costs
/// are thinned to 500 of their order statistics, evenly, which keeps the work bounded.
#[must_use]
pub fn modes(costs: &[f64]) -> Option<Modes> {
    if costs.len() < LEAST || costs.iter().any(|c| !(c.is_normal() && *c > 0.0)) {
        return None;
    }
    let mut logs: Vec<f64> = costs.iter().map(|c| c.ln()).collect();
    logs.sort_unstable_by(f64::total_cmp);
    if logs.len() > MOST {
        let last = logs.len() - 1;
        logs = (0..MOST).map(|i| logs[i * last / (MOST - 1)]).collect();
    }
    let observed = dip(&logs);
    let mut rng = Rng::new(SEED);
    let mut drawn = vec![0.0; logs.len()];
    let hits = (0..DRAWS)
        .filter(|_| {
            drawn.fill_with(|| (rng.next_u64() >> 11) as f64);
            drawn.sort_unstable_by(f64::total_cmp);
            dip(&drawn) >= observed
        })
        .count();
    let at = split(&logs);
    let (fast, slow) = logs.split_at(at);
    Some(Modes {
        dip: observed,
        p: (1 + hits) as f64 / (1 + DRAWS) as f64,
        fast: middle(fast).exp(),
        slow: middle(slow).exp(),
        slow_share: slow.len() as f64 / logs.len() as f64,
    })
}

/// Length of the faster group.
fn split(sorted: &[f64]) -> usize {
    let smallest = (SMALLEST * sorted.len() as f64).ceil() as usize;
    let mut sums = vec![0.0];
    for value in sorted {
        sums.push(sums[sums.len() - 1] + (value - sorted[0]));
    }
    // Sum of distances to the median: upper half less lower half.
    let spread = |from: usize, to: usize| {
        let (below, above) = (from + (to - from) / 2, to - (to - from) / 2);
        (sums[to] - sums[above]) - (sums[below] - sums[from])
    };
    let cost = |at: &usize| spread(0, *at) + spread(*at, sorted.len());
    (smallest..=sorted.len() - smallest)
        .min_by(|a, b| cost(a).total_cmp(&cost(b)))
        .unwrap_or(sorted.len() / 2)
}

fn middle(sorted: &[f64]) -> f64 {
    f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2])
}
