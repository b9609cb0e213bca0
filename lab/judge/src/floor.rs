//! What a change does to the fastest runs, and what it does to runs as they come.
//!
//! The score that decides a comparison may look at the fastest runs only, where neighbours take
//! part of the machine most of the time. A build that is slow in some of its runs, by itself, has
//! the same floor as before and costs more all the same. So two effects are told beside the
//! decided one:
//!
//! - **floor**: the shift at which the runs below a low quantile (0.1, or the lowest that has
//!   [`LEAST_RUNS`] below it) balance; of quiet runs where there are enough.
//! - **typical**: the shift at which all runs balance, each held between the quantiles 0.1 and
//!   0.9 of both arms together. A single outlier counts little, a second level counts in full.
//!
//! Both have the score's form (`scores.rs`): D by round, divided by the share of runs that the
//! cut leaves alone, and sqrt(sum(D^2))/n at the shift is the standard deviation under label
//! swaps. Their difference has that of the difference of their scores, round by round. They
//! *differ* when the difference is beyond the margin and beyond its normal interval at the level
//! of the comparison. That is a note, and no word hangs on it.

use crate::describe::quantile;
use crate::paired::Rounds;
use crate::power::normal_quantile;
use crate::root::root;
use crate::scores::{Costs, Score, low, sorted};

/// Quantile below which runs are the floor's.
const FLOOR: f64 = 0.1;
/// Runs below it at least.
const LEAST_RUNS: f64 = 10.0;
/// Quantile at which the ends are held.
const ENDS: f64 = 0.1;

/// An effect with its noise, in log units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Log ratio, variant over baseline.
    pub log_ratio: f64,
    /// Standard deviation under label swaps.
    pub sd: f64,
}

/// The effect on the fastest runs and on runs as they come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FloorAndTypical {
    pub(crate) floor: Estimate,
    pub(crate) typical: Estimate,
    /// Standard deviation of the difference.
    apart: f64,
}

impl FloorAndTypical {
    /// The mean over layouts.
    pub(crate) fn of(layouts: &[Rounds]) -> Self {
        let each: Vec<Self> = layouts.iter().map(Self::of_one).collect();
        let count = each.len() as f64;
        let mean = |part: fn(&Self) -> Estimate| Estimate {
            log_ratio: each.iter().map(|e| part(e).log_ratio).sum::<f64>() / count,
            sd: each.iter().map(|e| part(e).sd.powi(2)).sum::<f64>().sqrt() / count,
        };
        Self {
            floor: mean(|e| e.floor),
            typical: mean(|e| e.typical),
            apart: each.iter().map(|e| e.apart.powi(2)).sum::<f64>().sqrt() / count,
        }
    }

    fn of_one(layout: &Rounds) -> Self {
        let (low, high) = layout.extremes();
        let solve = |score: &dyn Fn(&[[f64; 2]]) -> Score| {
            let at = |shift: f64| score(&layout.shifted(shift));
            let effect = root(low, high, |shift| at(shift).rounds.iter().sum());
            (effect, at(effect).rounds)
        };
        let quiet = layout.quiet();
        let (floor, lowest) = solve(&|pair| fastest(pair, quiet));
        let (typical, held) = solve(&middle);
        let rounds = held.len() as f64;
        let sd = |squares: f64| squares.sqrt() / rounds;
        let differences = held.iter().zip(&lowest).map(|(h, l)| (h - l).powi(2));
        Self {
            floor: Estimate {
                log_ratio: floor,
                sd: sd(lowest.iter().map(|d| d * d).sum()),
            },
            typical: Estimate {
                log_ratio: typical,
                sd: sd(held.iter().map(|d| d * d).sum()),
            },
            apart: sd(differences.sum()),
        }
    }

    /// Whether the two differ by more than the margin and their noise.
    pub(crate) fn differ(&self, level: f64, margin: f64) -> bool {
        let apart = (self.typical.log_ratio - self.floor.log_ratio).abs();
        apart > margin && apart > normal_quantile(1.0 - level / 2.0) * self.apart
    }
}

/// The low score of quiet runs, or of all where too few are.
fn fastest(pair: &[[f64; 2]], quiet: Option<&[[bool; 2]]>) -> Score {
    let cut = |runs: &[f64]| (LEAST_RUNS / runs.len() as f64).max(FLOOR);
    let costs = Costs {
        pair,
        quiet,
        levels: None,
    };
    let runs = costs.quiet_runs();
    if cut(&runs) <= 0.5 {
        return low(pair, quiet, &runs, cut(&runs));
    }
    let runs = sorted(pair.iter().flatten().copied());
    low(pair, None, &runs, cut(&runs).min(0.5))
}

/// Every run held between two quantiles of all.
fn middle(pair: &[[f64; 2]]) -> Score {
    let runs = sorted(pair.iter().flatten().copied());
    let least = quantile(&runs, ENDS).unwrap_or(0.0);
    let most = quantile(&runs, 1.0 - ENDS).unwrap_or(0.0);
    let inside = runs.partition_point(|v| *v <= most) - runs.partition_point(|v| *v < least);
    let held = |cost: f64| cost.clamp(least, most);
    let rounds = pair.iter().map(|[x, y]| held(*y) - held(*x));
    Score::new(rounds.collect(), inside as f64 / runs.len() as f64)
}
