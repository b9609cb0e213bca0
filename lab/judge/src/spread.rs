//! The spread between layouts, held against the scatter of one layout measured twice.
//!
//! L layouts of one build run in the same R rounds, in random order. The variance B of their mean
//! log costs holds the variance between layouts and noise. Taking noise for layout is easy where
//! neighbours slow half of the runs, so three things guard against it:
//!
//! - **Means are robust.** Costs are aligned by layout, capped as in `scores.rs` (low quantiles,
//!   of all or of quiet runs, or less the level of their round), and the cap is used by which
//!   the two arms of a layout differ least from round to round. Differences within layouts say
//!   nothing of those between them, so the choice leaves the test its level.
//! - **Noise is what layouts do from round to round.** Under "no layout effect" the layouts of a
//!   round are exchangeable, since their order is random. Two-way analysis of variance: the mean
//!   square of layout by round (what is left after the layouts' and the rounds' means),
//!   divided by R, is the variance N of a layout's mean, with (L-1)(R-1) degrees of freedom. What
//!   the machine does to a whole round is in neither.
//! - **One layout measured twice** shows what differs between two arms that nothing should make
//!   different. From the differences d of the two arms' means: N = mean(d^2)/4 for a mean of two
//!   arms, mean(d^2)/2 for one, with L degrees of freedom. The larger N counts.
//!
//! With F = B/N, the standard deviation between layouts is sqrt(B - N) (moments; 0 when negative).
//! Its interval has one-sided 95 % at each end: the lower bound is that of Williams and Tukey,
//! (L-1)B/chi2(.95) (1 - F(.95)/F), which is above 0 exactly when the F-test rejects "no layout
//! effect" at 5 %; the upper one, (L-1)B/chi2(.05), leaves noise in.
//!
//! Sources: J. Williams, "A Confidence Interval for Variance Components", Biometrika 49, 1962,
//! pp. 278-281; J. Tukey, "Components in Regression", Biometrics 7(1), 1951, pp. 33-69; G. Snedecor
//! and W. Cochran, *Statistical Methods*, 8th ed., Iowa State 1989, sections 13.4 and 14.2.

use crate::describe::quantile;
use crate::family::Arm;
use crate::fisher::{chi_square_quantile, f_critical};
use crate::layouts::deviation;
use crate::level::lower_half_mean;
use crate::scores::sorted;

/// One-sided coverage of each bound.
const COVERAGE: f64 = 0.95;
/// Quantiles of the cap.
const CAPS: [f64; 4] = [0.5, 0.25, 0.1, 0.05];
/// Share kept after the level of the round is taken out.
const LEVELLED: f64 = 0.7;
/// Runs a layout that a cap leaves alone at least, on average; the median is always there.
const LEAST_RUNS: f64 = 5.0;
/// Arms of a round from which it has a level.
const LEAST_ARMS: usize = 4;
/// Steps, and the change at which they end.
const MOST_STEPS: u32 = 100;
const SETTLED: f64 = 1e-9;

/// What layouts that were measured twice say of those that were measured once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twice {
    cap: Cap,
    /// Variance of one arm's mean.
    variance: f64,
    freedom: u64,
}

/// A standard deviation between layouts, in log units.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    pub(crate) sd: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Standard deviation of one layout's mean that noise explains.
    pub(crate) noise: f64,
    /// Mean log cost of each layout, from the mean of all.
    pub(crate) means: Vec<f64>,
    /// `None` when layouts were measured once.
    pub(crate) twice: Option<Twice>,
}

/// The spread of `layouts`, each measured by as many arms; `twice` from elsewhere where they
/// were measured once. `None` of fewer than two layouts, or of fewer than two rounds that all
/// arms have.
pub(crate) fn spread(layouts: &[Vec<Arm<'_>>], twice: Option<Twice>) -> Option<Spread> {
    let table = Table::new(layouts)?;
    let fit = match twice {
        Some(twice) if table.arms == 1 => table.fit(twice.cap),
        _ => {
            let fits = table.caps().into_iter().map(|cap| table.fit(cap));
            fits.min_by(|a, b| a.apart.total_cmp(&b.apart))?
        }
    };
    let count = table.layouts as u64;
    let twice = fit.twice.or(twice);
    let mut noise = (fit.noise, (count - 1) * (table.rounds as u64 - 1));
    if let Some(twice) = twice {
        let variance = twice.variance / table.arms as f64;
        if variance > noise.0 {
            noise = (variance, twice.freedom);
        }
    }
    let (noise, freedom) = noise;
    let between = deviation(&fit.means).powi(2);
    let squares = between * (count - 1) as f64;
    let critical = noise * f_critical(1.0 - COVERAGE, count - 1, freedom);
    let told = if between > critical {
        1.0 - critical / between
    } else {
        0.0
    };
    Some(Spread {
        sd: (between - noise).max(0.0).sqrt(),
        low: (squares / chi_square_quantile(COVERAGE, count - 1) * told).sqrt(),
        high: (squares / chi_square_quantile(1.0 - COVERAGE, count - 1)).sqrt(),
        noise: noise.sqrt(),
        means: fit.means,
        twice,
    })
}

/// Log costs of all arms in the rounds that all have.
struct Table {
    layouts: usize,
    arms: usize,
    rounds: usize,
    /// By layout, arm and round.
    costs: Vec<f64>,
    quiet: Option<Vec<bool>>,
}

#[derive(Clone, Copy, Debug)]
enum Cap {
    All(f64),
    Quiet(f64),
    Levelled,
}

struct Fit {
    means: Vec<f64>,
    /// Variance of a layout's mean, from layout by round.
    noise: f64,
    /// Sum of squares of what two arms of a layout differ by in a round; 0 of one arm.
    apart: f64,
    twice: Option<Twice>,
}

impl Table {
    fn new(layouts: &[Vec<Arm<'_>>]) -> Option<Self> {
        let arms = layouts.first()?.len();
        let all = || layouts.iter().flatten();
        let good =
            |arm: &Arm<'_>, r: usize| arm.costs.get(r).is_some_and(|c| *c > 0.0 && c.is_finite());
        let longest = all().map(|a| a.costs.len()).max()?;
        let whole: Vec<usize> = (0..longest)
            .filter(|r| all().all(|arm| good(arm, *r)))
            .collect();
        if layouts.len() < 2 || whole.len() < 2 || layouts.iter().any(|l| l.len() != arms) {
            return None;
        }
        let flagged = all().all(|a| a.quiet.is_some_and(|q| q.len() == a.costs.len()));
        let flags = |a: &Arm<'_>| -> Vec<bool> {
            let flags = a.quiet.unwrap_or(&[]);
            whole
                .iter()
                .map(|r| flags.get(*r).copied().unwrap_or(false))
                .collect()
        };
        Some(Self {
            layouts: layouts.len(),
            arms,
            rounds: whole.len(),
            costs: all()
                .flat_map(|a| whole.iter().map(|r| a.costs[*r].ln()))
                .collect(),
            quiet: flagged.then(|| all().flat_map(flags).collect()),
        })
    }

    /// The caps that the data allow.
    fn caps(&self) -> Vec<Cap> {
        let least = LEAST_RUNS * self.layouts as f64;
        let enough = |q: &f64, runs: usize| *q * runs as f64 >= least;
        let mut caps = vec![Cap::All(CAPS[0])];
        let all = CAPS[1..].iter().filter(|q| enough(q, self.costs.len()));
        caps.extend(all.map(|q| Cap::All(*q)));
        if let Some(quiet) = &self.quiet {
            let runs = quiet.iter().filter(|q| **q).count();
            caps.extend(
                CAPS.iter()
                    .filter(|q| enough(q, runs))
                    .map(|q| Cap::Quiet(*q)),
            );
        }
        if self.layouts * self.arms >= LEAST_ARMS {
            caps.push(Cap::Levelled);
        }
        caps
    }

    fn layout_of(&self, at: usize) -> usize {
        at / (self.arms * self.rounds)
    }

    /// Means by layout under a cap: costs are aligned until the capped ones balance.
    fn fit(&self, cap: Cap) -> Fit {
        let size = self.arms * self.rounds;
        let mut means: Vec<f64> = self
            .costs
            .chunks(size)
            .map(|c| lower_half_mean(&mut c.to_vec()))
            .collect();
        let mut capped = Vec::new();
        for _ in 0..MOST_STEPS {
            capped = self.capped(cap, &means);
            let left: Vec<f64> = capped
                .chunks(size)
                .map(|c| c.iter().sum::<f64>() / size as f64)
                .collect();
            let centre = left.iter().sum::<f64>() / left.len() as f64;
            for (mean, left) in means.iter_mut().zip(&left) {
                *mean += left - centre;
            }
            if left.iter().all(|l| (l - centre).abs() < SETTLED) {
                break;
            }
        }
        let centre = means.iter().sum::<f64>() / means.len() as f64;
        means.iter_mut().for_each(|m| *m -= centre);
        Fit {
            means,
            noise: self.noise(&capped),
            apart: self.apart(&capped),
            twice: self.twice(cap, &capped),
        }
    }

    /// Aligned costs under the cap, over the share that it leaves alone.
    fn capped(&self, cap: Cap, means: &[f64]) -> Vec<f64> {
        let aligned = self.costs.iter().enumerate();
        let mut costs: Vec<f64> = aligned
            .map(|(at, c)| c - means[self.layout_of(at)])
            .collect();
        let (q, quiet) = match cap {
            Cap::All(q) => (q, None),
            Cap::Quiet(q) => (q, self.quiet.as_ref()),
            Cap::Levelled => {
                costs = self.levelled(&costs);
                (LEVELLED, None)
            }
        };
        if let Some(quiet) = quiet {
            for (cost, quiet) in costs.iter_mut().zip(quiet) {
                *cost = if *quiet { *cost } else { f64::INFINITY };
            }
        }
        let runs = sorted(costs.iter().copied().filter(|c| c.is_finite()));
        let c = quantile(&runs, q).unwrap_or(0.0);
        let share = runs.partition_point(|v| *v <= c) as f64 / costs.len() as f64;
        // Relative to the cap, so that dividing by the share keeps figures small.
        costs.iter().map(|v| (v.min(c) - c) / share).collect()
    }

    /// Costs less the lower-half mean of the other arms of their round.
    fn levelled(&self, costs: &[f64]) -> Vec<f64> {
        let arms = self.layouts * self.arms;
        let cost = |arm: usize, round: usize| costs[arm * self.rounds + round];
        let level = |at: usize| {
            let (own, round) = (at / self.rounds, at % self.rounds);
            let others = (0..arms).filter(|arm| *arm != own);
            lower_half_mean(&mut others.map(|arm| cost(arm, round)).collect::<Vec<_>>())
        };
        costs
            .iter()
            .enumerate()
            .map(|(at, c)| c - level(at))
            .collect()
    }

    /// The mean square of layout by round, over the rounds.
    fn noise(&self, capped: &[f64]) -> f64 {
        let (layouts, rounds) = (self.layouts, self.rounds);
        let cell = |layout: usize, round: usize| {
            let own = (0..self.arms).map(|arm| capped[(layout * self.arms + arm) * rounds + round]);
            own.sum::<f64>() / self.arms as f64
        };
        let cells: Vec<Vec<f64>> = (0..layouts)
            .map(|l| (0..rounds).map(|r| cell(l, r)).collect())
            .collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let by_layout: Vec<f64> = cells.iter().map(|c| mean(c)).collect();
        let all = mean(&by_layout);
        let mut squares = 0.0;
        for round in 0..rounds {
            let by_round = cells.iter().map(|c| c[round]).sum::<f64>() / layouts as f64;
            let left = cells
                .iter()
                .zip(&by_layout)
                .map(|(c, l)| c[round] - l - by_round + all);
            squares += left.map(|e| e * e).sum::<f64>();
        }
        squares / ((layouts - 1) * (rounds - 1) * rounds) as f64
    }

    fn apart(&self, capped: &[f64]) -> f64 {
        let rounds = self.rounds;
        let pairs = capped.chunks(self.arms * rounds).flat_map(|layout| {
            let (one, others) = layout.split_at(rounds);
            others.iter().zip(one.iter().cycle())
        });
        pairs.map(|(one, other)| (one - other).powi(2)).sum()
    }

    fn twice(&self, cap: Cap, capped: &[f64]) -> Option<Twice> {
        if self.arms != 2 {
            return None;
        }
        let rounds = self.rounds;
        let apart = capped.chunks(2 * rounds).map(|two| {
            let (one, other) = two.split_at(rounds);
            (one.iter().sum::<f64>() - other.iter().sum::<f64>()) / rounds as f64
        });
        Some(Twice {
            cap,
            variance: apart.map(|d| d * d).sum::<f64>() / (2 * self.layouts) as f64,
            freedom: self.layouts as u64,
        })
    }
}
