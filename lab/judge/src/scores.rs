//! The statistic: three robust scores of a round, weighted by how little they scatter.
//!
//! With x and y the log costs of baseline and variant in a round, the variant's less the
//! shift under test, a score D is positive when the variant is slower, and swapping the
//! labels turns its sign and nothing else:
//!
//! - **faster half**: D = min(y, c) - min(x, c), c the median of all 2n costs. The slower half
//!   counts as "slow", however slow: disturbances only ever slow a run down. Strong where the
//!   machine is steady.
//! - **level**: the same of the costs less their [`level`](crate::level), c their quantile 0.7.
//!   Strong where the clock drifts, if the caller gives the order of the samples.
//! - **pair**: D = y - x held within [-c, c], c the quantile 0.75 of |y - x|. Strong where the
//!   clock jumps between a few states.
//!
//! With s the share of costs (differences) that the cut leaves alone, mean(D)/s estimates the
//! distance of the shift from the truth to first order, with the variance sum(D^2)/(n s)^2.
//! The score of a round is the mean of the three D/s weighted by the inverse of that variance
//! (normalised to sum 1). Cuts, levels and weights are all blind to labels: c, s and sum(D^2)
//! do not change when a round's labels are swapped. So the test stays exact, and whichever
//! score is the quietest on the data at hand decides.
//!
//! Sources: scores that are cut: P. Huber, "Robust Estimation of a Location Parameter", Annals
//! of Mathematical Statistics 35(1), 1964, pp. 73-101; permutation tests of M-estimates: J.
//! Maritz, "A Note on Exact Robust Confidence Intervals for Location", Biometrika 66(1), 1979,
//! pp. 163-166; inverse-variance weights: W. Cochran, "The Combination of Estimates from
//! Different Experiments", Biometrics 10(1), 1954, pp. 101-129. The cuts were chosen
//! on recorded runs of a spinning program; on other recordings the statistic did as well.
//!
//! **What it cannot see.** A disturbance that one arm leaves behind for the next (a clock that
//! stays low after it throttled, a cache it emptied) is charged to whoever runs next, and the
//! level then takes part of it from the others as well: with the order of arms random it
//! makes the arms look alike rather than different. Tails: a variant that is slow in fewer
//! than half of its rounds, and as fast as before in the others, changes little here.

use crate::describe::quantile;
use crate::level::Sequence;

/// Share of all costs that the faster half keeps.
const FASTER: f64 = 0.5;
/// Share kept after the level is taken out: what is left is mostly symmetric.
const LEVELLED: f64 = 0.7;
/// Share of the differences kept as they are.
const PAIRED: f64 = 0.75;
/// Least variance of one score, so that costs without any scatter divide by no zero.
const LEAST_VARIANCE: f64 = 1e-24;

/// The score of each round for log costs (baseline, variant less the shift).
pub(crate) fn scores(pair: &[[f64; 2]], sequence: Option<&Sequence>) -> Vec<f64> {
    let rounds = pair.len() as f64;
    let mut sum = vec![0.0; pair.len()];
    let mut weights = 0.0;
    let mut add = |(cut, share): (Vec<f64>, f64)| {
        let squares: f64 = cut.iter().map(|d| d * d).sum();
        let weight = share * share / (squares + rounds * LEAST_VARIANCE);
        weights += weight;
        for (sum, d) in sum.iter_mut().zip(cut) {
            *sum += weight * d / share;
        }
    };
    add(capped(pair, FASTER));
    add(held(pair));
    if let Some(sequence) = sequence {
        let mut levelled = sequence.levels(pair);
        for (level, cost) in levelled.iter_mut().zip(pair) {
            *level = [cost[0] - level[0], cost[1] - level[1]];
        }
        add(capped(&levelled, LEVELLED));
    }
    sum.iter_mut().for_each(|d| *d /= weights);
    sum
}

/// min(y, c) - min(x, c), and the share of costs up to c.
fn capped(pair: &[[f64; 2]], q: f64) -> (Vec<f64>, f64) {
    let (c, share) = cut(pair.iter().flatten().copied().collect(), q);
    let scores = pair.iter().map(|[x, y]| y.min(c) - x.min(c)).collect();
    (scores, share)
}

/// y - x within [-c, c], and the share of differences inside.
fn held(pair: &[[f64; 2]]) -> (Vec<f64>, f64) {
    let (c, share) = cut(pair.iter().map(|[x, y]| (y - x).abs()).collect(), PAIRED);
    let scores = pair.iter().map(|[x, y]| (y - x).clamp(-c, c)).collect();
    (scores, share)
}

/// The quantile, and the share of values up to it.
fn cut(mut values: Vec<f64>, q: f64) -> (f64, f64) {
    values.sort_unstable_by(f64::total_cmp);
    let c = quantile(&values, q).unwrap_or(0.0);
    let kept = values.partition_point(|v| *v <= c);
    (c, kept as f64 / values.len() as f64)
}
