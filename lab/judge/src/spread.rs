//! The spread between layouts, held against the scatter of one layout measured twice.
//!
//! L layouts of one build run in the same R rounds, in random order. Taking noise for layout is
//! easy where neighbours slow half of the runs. So first a test says whether layouts differ at
//! all, and only then does a figure count.
//!
//! **The test.** Log costs are capped as in `scores.rs` (at low quantiles, of all or of quiet
//! runs, or less the level of their round); the cap is used under which runs scatter least within
//! their rounds. Layouts of a round are exchangeable if layout has no effect, since their order
//! is random, and neither the cap nor its choice changes when they are exchanged. With B the
//! variance of the layouts' means and N the mean square of layout by round over R (two-way
//! analysis of variance: what the machine does to a whole round is in neither), F = B/N has
//! L-1 and (L-1)(R-1) degrees of freedom. N is raised to what *one layout measured twice* scatters
//! by where that is more: with d the differences of the two arms' means, mean(d^2)/4 for a mean
//! of two arms and mean(d^2)/2 for one, with L degrees of freedom.
//!
//! **The size.** A cap holds back what lies far above it, so a large spread is taken from means
//! that each layout has by itself: of the lower half of its runs, or of its quiet runs, whichever
//! repeats better in the second arm. They count where they are resolved, B' beyond F(p) times
//! their own scatter of one layout; else the smaller variance of both counts, since a low
//! cap overdraws what it does not hold back. The sd is sqrt(B - N) (moments;
//! 0 when negative).
//!
//! **The interval.** The lower bound is that of Williams and Tukey,
//! (L-1)B/chi2(p) (1 - F(p)/F) with p = [`TOLD`], of whichever means count; it is above 0
//! exactly when the test rejects "no layout effect" at 1 - p. That is stricter than 5 %, because
//! a pilot is looked at several times and a report holds dozens of spreads. The upper one is
//! one-sided 95 %, the larger of both means' (L-1)B/chi2(.05), noise left in.
//!
//! Sources: J. Williams, "A Confidence Interval for Variance Components", Biometrika 49, 1962,
//! pp. 278-281; J. Tukey, "Components in Regression", Biometrics 7(1), 1951, pp. 33-69; G. Snedecor
//! and W. Cochran, *Statistical Methods*, 8th ed., Iowa State 1989, sections 13.4 and 14.2.

use crate::describe::{deviation, quantile};
use crate::fisher::{chi_square_quantile, f_critical};
use crate::level::lower_half_mean;
use crate::pair::Arm;
use crate::scores::sorted;

/// One-sided coverage of the lower bound.
const TOLD: f64 = 0.995;
/// One-sided coverage of the upper bound.
const COVERAGE: f64 = 0.95;
/// Quantiles of the cap.
const CAPS: [f64; 4] = [0.5, 0.25, 0.1, 0.05];
/// Share kept after the level of the round is taken out.
const LEVELLED: f64 = 0.7;
/// Runs a layout that a cap leaves alone at least, on average; the median is always there.
const LEAST_RUNS: f64 = 4.0;
/// Quiet runs that an arm needs for a mean of its own.
const LEAST_QUIET: usize = 3;
/// Arms of a round from which it has a level.
const LEAST_ARMS: usize = 4;

/// What layouts that were measured twice say of those that were measured once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twice {
    cap: Cap,
    own: Own,
    /// Variance of one arm's mean, capped and by itself.
    variances: [f64; 2],
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
    /// Slowest layout over fastest.
    pub(crate) range: f64,
    /// `None` when layouts were measured once.
    pub(crate) twice: Option<Twice>,
}

/// The spread of `layouts`, each measured by as many arms; `twice` from elsewhere where they
/// were measured once. `None` of fewer than two layouts, or of fewer than two rounds that all
/// arms have.
pub(crate) fn spread(layouts: &[Vec<Arm<'_>>], twice: Option<Twice>) -> Option<Spread> {
    let table = Table::new(layouts)?;
    let twice = table.twice().or(twice);
    let (cap, own) = twice.map_or_else(
        || Some((table.sharpest()?, Own::LowerHalf)),
        |t| Some((t.cap, t.own)),
    )?;
    let capped = table.capped(cap);
    let capped_means = table.layout_means(&table.arm_means(&capped));
    // Where too few runs were quiet, the lower half of all stands in; then nothing is known of
    // its scatter.
    let own_means = table.own_means(own);
    let comparable = own_means.is_some();
    let own_means = own_means.or_else(|| table.own_means(Own::LowerHalf))?;
    let own_means = table.layout_means(&own_means);

    let freedom = table.layouts as u64 - 1;
    let [between, own_between] = [&capped_means, &own_means].map(|m| deviation(m).powi(2));
    let again = |at: usize| twice.map(|t| t.variances[at] / table.arms as f64);
    let mut noise = (table.noise(&capped), freedom * (table.rounds as u64 - 1));
    if let (Some(variance), Some(twice)) = (again(0), twice)
        && variance > noise.0
    {
        noise = (variance, twice.freedom);
    }
    let (noise, below) = noise;
    let critical = noise * f_critical(1.0 - TOLD, freedom, below);
    let told = if between > critical {
        1.0 - critical / between
    } else {
        0.0
    };
    let own = twice.filter(|_| comparable).zip(again(1));
    let own = own.and_then(|(twice, variance)| {
        let critical = variance * f_critical(1.0 - TOLD, freedom, twice.freedom);
        let resolved = told > 0.0 && own_between > between && own_between > critical;
        resolved.then(|| (variance, 1.0 - critical / own_between))
    });
    let (means, size, noise, told) = match own {
        Some((variance, told)) => (&own_means, own_between, variance, told),
        None => (&capped_means, between.min(own_between), noise, told),
    };
    let bound = |square: f64, p: f64| square * freedom as f64 / chi_square_quantile(p, freedom);
    let sd = (size - noise).max(0.0).sqrt();
    let most = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    Some(Spread {
        sd,
        low: (bound(size, TOLD) * told).sqrt().min(sd),
        high: bound(between.max(own_between), 1.0 - COVERAGE).sqrt(),
        noise: noise.sqrt(),
        range: most - least,
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

/// Which runs make a layout's own mean.
#[derive(Clone, Copy, Debug)]
enum Own {
    LowerHalf,
    /// The lower half of the quiet ones.
    Quiet,
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

    /// The cap under which runs scatter least within their rounds.
    fn sharpest(&self) -> Option<Cap> {
        let scatter = |cap: &Cap| {
            let capped = self.capped(*cap);
            let arms = (self.layouts * self.arms) as f64;
            let round = |r: usize| capped[r..].iter().step_by(self.rounds);
            let squares = |r: usize| {
                let mean = round(r).sum::<f64>() / arms;
                round(r).map(|v| (v - mean).powi(2)).sum::<f64>()
            };
            (0..self.rounds).map(squares).sum::<f64>()
        };
        let caps = self.caps().into_iter().map(|cap| (scatter(&cap), cap));
        caps.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cap)| cap)
    }

    /// Costs under the cap, over the share that it leaves alone.
    fn capped(&self, cap: Cap) -> Vec<f64> {
        let mut costs = match cap {
            Cap::Levelled => self.levelled(),
            Cap::All(_) | Cap::Quiet(_) => self.costs.clone(),
        };
        if let (Cap::Quiet(_), Some(quiet)) = (cap, &self.quiet) {
            for (cost, quiet) in costs.iter_mut().zip(quiet) {
                *cost = if *quiet { *cost } else { f64::INFINITY };
            }
        }
        let q = match cap {
            Cap::All(q) | Cap::Quiet(q) => q,
            Cap::Levelled => LEVELLED,
        };
        let runs = sorted(costs.iter().copied().filter(|c| c.is_finite()));
        let c = quantile(&runs, q).unwrap_or(0.0);
        let share = runs.partition_point(|v| *v <= c) as f64 / costs.len() as f64;
        // Relative to the cap, so that dividing by the share keeps figures small.
        costs.iter().map(|v| (v.min(c) - c) / share).collect()
    }

    fn arm_means(&self, values: &[f64]) -> Vec<f64> {
        let arms = values.chunks(self.rounds);
        arms.map(|a| a.iter().sum::<f64>() / self.rounds as f64)
            .collect()
    }

    fn layout_means(&self, by_arm: &[f64]) -> Vec<f64> {
        let layouts = by_arm.chunks(self.arms);
        layouts
            .map(|l| l.iter().sum::<f64>() / self.arms as f64)
            .collect()
    }

    /// Each arm's mean by itself; `None` when an arm has too few quiet runs.
    fn own_means(&self, own: Own) -> Option<Vec<f64>> {
        let arms = self.costs.chunks(self.rounds);
        match own {
            Own::LowerHalf => Some(arms.map(|a| lower_half_mean(&mut a.to_vec())).collect()),
            Own::Quiet => {
                let flags = self.quiet.as_ref()?.chunks(self.rounds);
                arms.zip(flags)
                    .map(|(costs, flags)| {
                        let runs = costs.iter().zip(flags).filter(|(_, quiet)| **quiet);
                        let mut runs: Vec<f64> = runs.map(|(cost, _)| *cost).collect();
                        (runs.len() >= LEAST_QUIET).then(|| lower_half_mean(&mut runs))
                    })
                    .collect()
            }
        }
    }

    fn twice(&self) -> Option<Twice> {
        if self.arms != 2 {
            return None;
        }
        let variance = |means: &[f64]| {
            let apart = means.chunks(2).map(|two| (two[0] - two[1]).powi(2));
            apart.sum::<f64>() / (2 * self.layouts) as f64
        };
        let cap = self.sharpest()?;
        let both = [Own::LowerHalf, Own::Quiet].into_iter();
        let both = both.filter_map(|own| Some((own, variance(&self.own_means(own)?))));
        let (own, apart) = both.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Twice {
            cap,
            own,
            variances: [variance(&self.arm_means(&self.capped(cap))), apart],
            freedom: self.layouts as u64,
        })
    }

    /// Costs less the lower-half mean of the other arms of their round.
    fn levelled(&self) -> Vec<f64> {
        let costs = &self.costs;
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
}
