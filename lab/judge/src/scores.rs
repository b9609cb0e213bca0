//! The statistic: several robust scores of a round, of which the sharpest counts most.
//!
//! With x and y the log costs of baseline and variant in a round, the variant's less the
//! shift under test, a score D is positive when the variant is slower, and swapping the
//! labels turns its sign and nothing else:
//!
//! - **low**: D = min(y, c) - min(x, c), c the quantile q of all 2n costs, q one of
//!   [`LOW`]. What is above c counts as "slow", however slow: disturbances only ever slow a
//!   run down. The median (the faster half) is strong where the machine is steady, the low ones
//!   where neighbours take part of the machine most of the time.
//! - **quiet**: the same, where a run that was not quiet counts as slow however fast it was; c
//!   is a quantile of the quiet runs.
//! - **level**: the faster 0.7 of the costs less their [`level`](crate::level). Strong where the
//!   clock drifts, if the caller gives the order of the samples.
//! - **pair**: D = y - x held within [-c, c], c the quantile 0.75 of |y - x|. Strong where the
//!   machine jumps between a few states.
//!
//! With s the share of all costs (differences) that the cut leaves alone, mean(D)/s estimates
//! the distance of the shift from the truth to first order, with the variance
//! V = sum(D^2)/(n s)^2. The score of a round is the mean of the D/s weighted by V^-p
//! (normalised to sum 1), p = [`SHARPNESS`]: a soft minimum, so that the quietest score decides
//! and the sum stays continuous where two change places. Cuts, levels, flags and weights are
//! all blind to labels: c, s and sum(D^2) do not change when a round's labels are swapped. So the
//! test stays exact, whichever score counts.
//!
//! A quantile with hardly any run below it could win by accident, and m runs cannot give a p below
//! 2/2^m. So each needs [`LEAST_RUNS`], and [`SPARE`] times as many as the level asks for.
//!
//! Sources: scores that are cut: P. Huber, "Robust Estimation of a Location Parameter", Annals
//! of Mathematical Statistics 35(1), 1964, pp. 73-101; permutation tests of M-estimates: J.
//! Maritz, "A Note on Exact Robust Confidence Intervals for Location", Biometrika 66(1), 1979,
//! pp. 163-166; choosing a score by the data, blind to labels: R. Hogg, "Adaptive Robust
//! Procedures", Journal of the American Statistical Association 69(348), 1974, pp. 909-923.
//! Cuts and p were compared on recorded runs and in a simulation: docs/notes/judge-rules.md.
//!
//! **What it cannot see.** A disturbance that one arm leaves behind for the next (a clock that
//! stays low after it throttled, a cache it emptied) is charged to whoever runs next, and the
//! level then takes part of it from the others as well: with the order of arms random it
//! makes the arms look alike rather than different. Tails: a variant that is slow in some of
//! its runs, and as fast as before in the others, may change little here; that is what
//! [`Outcome::typical`](crate::Outcome::typical) is for.

use crate::describe::quantile;

/// Quantiles at which the low scores are cut.
const LOW: [f64; 5] = [0.5, 0.25, 0.1, 0.05, 0.025];
/// Share kept after the level is taken out: what is left is mostly symmetric.
const LEVELLED: f64 = 0.7;
/// Share of the differences kept as they are.
const PAIRED: f64 = 0.75;
/// Runs that a low score leaves alone at least. The median of all runs is always there.
const LEAST_RUNS: f64 = 8.0;
/// Runs for one that is needed to reach a level with all of one sign.
const SPARE: f64 = 1.5;
/// How much the sharper of two scores counts: the power of the inverse variance.
const SHARPNESS: i32 = 4;
/// Least variance of one score, so that costs without any scatter divide by no zero.
const LEAST_VARIANCE: f64 = 1e-24;

/// Log costs (baseline, variant less the shift), and what is known of them.
#[derive(Clone, Copy)]
pub(crate) struct Costs<'a> {
    pub(crate) pair: &'a [[f64; 2]],
    /// Whether each run was quiet.
    pub(crate) quiet: Option<&'a [[bool; 2]]>,
    /// The level of each run.
    pub(crate) levels: Option<&'a [[f64; 2]]>,
}

/// One score in all rounds, in units of the shift.
pub(crate) struct Score {
    /// D/s by round.
    pub(crate) rounds: Vec<f64>,
    /// Sum of their squares: n^2 times the variance of their mean.
    pub(crate) squares: f64,
}

impl Score {
    pub(crate) fn new(mut rounds: Vec<f64>, share: f64) -> Self {
        rounds.iter_mut().for_each(|d| *d /= share);
        let squares = rounds.iter().map(|d| d * d).sum();
        Self { rounds, squares }
    }
}

/// A score's name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Of all runs, at a quantile.
    Low(f64),
    /// Of quiet runs, at a quantile of theirs.
    Quiet(f64),
    Pair,
    Level,
}

/// The soft minimum of several scores.
pub(crate) fn sharpest(scores: &[Score]) -> Vec<f64> {
    let Some(first) = scores.first() else {
        return Vec::new();
    };
    let least = first.rounds.len() as f64 * LEAST_VARIANCE;
    let variance = |score: &Score| score.squares + least;
    let smallest = scores.iter().map(variance).fold(f64::INFINITY, f64::min);
    let weight = |score| (smallest / variance(score)).powi(SHARPNESS);
    let weights: f64 = scores.iter().map(weight).sum();
    let mut sum = vec![0.0; first.rounds.len()];
    for score in scores {
        let weight = weight(score) / weights;
        for (sum, d) in sum.iter_mut().zip(&score.rounds) {
            *sum += weight * d;
        }
    }
    sum
}

/// The scores that the data allow for a test at `level`; they do not depend on the shift. The
/// first is the faster half.
pub(crate) fn kinds(
    rounds: usize,
    quiet: Option<&[[bool; 2]]>,
    levels: bool,
    level: f64,
) -> Vec<Kind> {
    let least = (SPARE * (1.0 - level.log2())).max(LEAST_RUNS);
    let enough = |q: &f64, runs: usize| *q * runs as f64 >= least;
    let mut out = vec![Kind::Low(LOW[0])];
    let rest = LOW[1..].iter().filter(|q| enough(q, 2 * rounds));
    out.extend(rest.map(|q| Kind::Low(*q)));
    if let Some(quiet) = quiet {
        let runs = quiet.iter().flatten().filter(|q| **q).count();
        let all = LOW.iter().filter(|q| enough(q, runs));
        out.extend(all.map(|q| Kind::Quiet(*q)));
    }
    out.push(Kind::Pair);
    out.extend(levels.then_some(Kind::Level));
    out
}

/// All of `kinds`.
pub(crate) fn all(kinds: &[Kind], costs: &Costs<'_>) -> Vec<Score> {
    let runs = costs.runs();
    let quiet = costs.quiet_runs();
    kinds
        .iter()
        .map(|kind| match kind {
            Kind::Low(q) => low(costs.pair, None, &runs, *q),
            Kind::Quiet(q) => low(costs.pair, costs.quiet, &quiet, *q),
            Kind::Pair => held(costs.pair),
            Kind::Level => levelled(costs),
        })
        .collect()
}

/// One of them.
pub(crate) fn one(kind: Kind, costs: &Costs<'_>) -> Score {
    match kind {
        Kind::Low(q) => low(costs.pair, None, &costs.runs(), q),
        Kind::Quiet(q) => low(costs.pair, costs.quiet, &costs.quiet_runs(), q),
        Kind::Pair => held(costs.pair),
        Kind::Level => levelled(costs),
    }
}

impl Costs<'_> {
    /// All costs in rising order.
    fn runs(&self) -> Vec<f64> {
        sorted(self.pair.iter().flatten().copied())
    }

    /// Those of quiet runs.
    pub(crate) fn quiet_runs(&self) -> Vec<f64> {
        let Some(quiet) = self.quiet else {
            return Vec::new();
        };
        let flagged = self.pair.iter().flatten().zip(quiet.iter().flatten());
        sorted(flagged.filter(|(_, quiet)| **quiet).map(|(cost, _)| *cost))
    }
}

/// The low score of the costs less their levels.
fn levelled(costs: &Costs<'_>) -> Score {
    let both = costs.pair.iter().zip(costs.levels.unwrap_or(&[]));
    let pair: Vec<[f64; 2]> = both.map(|(c, l)| [c[0] - l[0], c[1] - l[1]]).collect();
    let runs = sorted(pair.iter().flatten().copied());
    low(&pair, None, &runs, LEVELLED)
}

/// min(y, c) - min(x, c) with c a quantile of `runs`; what was not quiet is c.
pub(crate) fn low(pair: &[[f64; 2]], quiet: Option<&[[bool; 2]]>, runs: &[f64], q: f64) -> Score {
    let c = quantile(runs, q).unwrap_or(0.0);
    let share = runs.partition_point(|v| *v <= c) as f64 / (2 * pair.len()) as f64;
    let d = |[x, y]: &[f64; 2]| y.min(c) - x.min(c);
    let rounds = match quiet {
        None => pair.iter().map(d).collect(),
        Some(quiet) => {
            let cost = |quiet: bool, cost: f64| if quiet { cost } else { f64::INFINITY };
            let both = pair.iter().zip(quiet);
            both.map(|(p, q)| d(&[cost(q[0], p[0]), cost(q[1], p[1])]))
                .collect()
        }
    };
    Score::new(rounds, share)
}

/// y - x within [-c, c], and the share of differences inside.
fn held(pair: &[[f64; 2]]) -> Score {
    let apart = sorted(pair.iter().map(|[x, y]| (y - x).abs()));
    let c = quantile(&apart, PAIRED).unwrap_or(0.0);
    let share = apart.partition_point(|v| *v <= c) as f64 / pair.len() as f64;
    let rounds = pair.iter().map(|[x, y]| (y - x).clamp(-c, c));
    Score::new(rounds.collect(), share)
}

/// In rising order.
pub(crate) fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}
