//! Judging runs that were made when it suited: as many as there are, not in rounds.
//!
//! With two runs or more on each side the noise is theirs, and the test that of
//! [`two_sample`](crate::two_sample). With fewer, reference runs of one program can give the
//! noise: their log costs have a standard deviation s with f = k - 1 degrees of freedom, and the
//! difference d of the means of m and n further runs of one and the same program has the standard
//! deviation s * sqrt(1/m + 1/n), so that d over it is Student's t with f degrees of freedom, and
//! the interval of the log ratio is d +- t(level) * s * sqrt(1/m + 1/n). That takes the log
//! costs for normal, and both sides for as noisy as the reference; it is a prediction interval.
//! Source: G. Hahn and W. Meeker, *Statistical Intervals*, Wiley 1991, chapter 4 (prediction
//! intervals for a normal distribution).
//!
//! Neither is protected against drift: what the machine did while one side ran is in the effect.

use crate::error::{JudgeError, Side};
use crate::holm::{HolmStep, holm};
use crate::interval::Interval;
use crate::parallel::parallel_map;
use crate::student::{student_critical, student_p};
use crate::two_sample::{TwoSample, smallest_p};
use crate::word::{Judgement, OUT_OF_REACH, judge, more_rounds_needed};

/// One comparison of runs that were not made in rounds.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    /// Cost of each run of the side compared against; lower is better, any unit.
    pub baseline: &'a [f64],
    /// Cost of each run of the other side, in the same unit.
    pub variant: &'a [f64],
    /// Cost of each of several runs of one program, in any unit; used only when a side has fewer
    /// than two runs.
    pub reference: &'a [f64],
    /// Smallest effect that matters, in log units; see [`log_margin`](crate::log_margin).
    pub margin: f64,
}

/// Where the noise of a comparison came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseSource {
    /// The runs of both sides: a permutation test.
    Runs,
    /// Reference runs: Student's t.
    Reference,
}

/// What the judge says about one comparison of runs. Ratios are variant over baseline in log
/// units: negative is faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunsOutcome {
    /// Where the noise came from.
    pub noise: NoiseSource,
    /// Estimated log ratio of the costs: of the faster-half means, or with
    /// [`NoiseSource::Reference`] the difference of the mean logs.
    pub log_ratio: f64,
    /// The interval at `level`; bounds are infinite when the runs are too few for it.
    pub interval: Interval,
    /// Two-sided p of "no difference", this comparison alone.
    pub p: f64,
    /// The same after Holm's correction over the family.
    pub p_adjusted: f64,
    /// Level of the Holm step that tested it.
    pub level: f64,
    /// The word.
    pub judgement: Judgement,
    /// Runs a side that would decide it at `level`, when it is undecided and they would: as many
    /// as the level needs at least, and as the width of the interval asks for.
    pub runs_needed: Option<u64>,
}

/// Judges comparisons as one family with family-wise error `alpha`; results in order.
///
/// `seed` fixes the labelings that are drawn where there are too many to look at all. Uses all
/// cores; the result does not depend on their number.
///
/// # Errors
/// Per comparison: [`JudgeError::TooFewRuns`] when a side has fewer than two runs and there are
/// fewer than two reference runs; [`JudgeError::NoSpread`] when reference runs are needed and all
/// cost the same; [`JudgeError::BadCost`], whose round is the place in its list;
/// [`JudgeError::BadMargin`], [`JudgeError::BadLevel`]. A comparison with an error does not count
/// in the family: what cannot be judged is told, not tested.
#[must_use]
pub fn judge_runs(
    comparisons: &[Runs<'_>],
    alpha: f64,
    seed: u64,
) -> Vec<Result<RunsOutcome, JudgeError>> {
    let checked: Vec<_> = comparisons.iter().map(|c| check(c, alpha)).collect();
    let family = checked.iter().filter(|c| c.is_ok()).count().max(1);
    let strictest = alpha / family as f64;
    let jobs: Vec<_> = comparisons.iter().zip(&checked).collect();
    let tested = parallel_map(&jobs, |(runs, source)| {
        (**source).map(|source| match source {
            NoiseSource::Runs => {
                Tested::Runs(TwoSample::new(runs.baseline, runs.variant, strictest, seed).p(0.0))
            }
            NoiseSource::Reference => Tested::Reference(Prediction::of(runs)),
        })
    });
    let good: Vec<f64> = tested.iter().flatten().map(Tested::p).collect();
    let mut steps = holm(&good, 0, alpha).into_iter();
    let jobs: Vec<_> = tested
        .into_iter()
        .zip(comparisons)
        .map(|(tested, runs)| tested.map(|t| (t, steps.next(), runs)))
        .collect();
    parallel_map(&jobs, |job| {
        let (tested, step, runs) = job.as_ref().map_err(|e| *e)?;
        let step = step.as_ref().ok_or(JudgeError::BadLevel { level: alpha })?;
        Ok(outcome(tested, *step, runs, seed))
    })
}

enum Tested {
    Runs(f64),
    Reference(Prediction),
}

impl Tested {
    fn p(&self) -> f64 {
        match self {
            Self::Runs(p) => *p,
            Self::Reference(prediction) => {
                student_p(prediction.centre / prediction.sd, prediction.freedom)
            }
        }
    }
}

/// What reference runs predict of a difference.
struct Prediction {
    centre: f64,
    sd: f64,
    freedom: u64,
}

impl Prediction {
    fn of(runs: &Runs<'_>) -> Self {
        let (m, n) = (runs.baseline.len() as f64, runs.variant.len() as f64);
        Self {
            centre: mean_log(runs.variant) - mean_log(runs.baseline),
            sd: sd_log(runs.reference) * (1.0 / m + 1.0 / n).sqrt(),
            freedom: runs.reference.len() as u64 - 1,
        }
    }

    fn interval(&self, level: f64) -> Interval {
        let half = student_critical(level, self.freedom) * self.sd;
        Interval {
            low: self.centre - half,
            high: self.centre + half,
        }
    }
}

fn outcome(tested: &Tested, step: HolmStep, runs: &Runs<'_>, seed: u64) -> RunsOutcome {
    let (noise, log_ratio, interval) = match tested {
        Tested::Runs(p) => {
            let two = TwoSample::new(runs.baseline, runs.variant, step.level, seed);
            let interval = two.interval(step.level, *p);
            (NoiseSource::Runs, two.log_ratio(), interval)
        }
        Tested::Reference(prediction) => (
            NoiseSource::Reference,
            prediction.centre,
            prediction.interval(step.level),
        ),
    };
    let judgement = judge(log_ratio, interval, runs.margin);
    let fewest = runs.baseline.len().min(runs.variant.len());
    let runs_needed = (judgement == Judgement::Inconclusive)
        .then(|| needed(log_ratio, interval, runs.margin, fewest, step.level))
        .flatten();
    RunsOutcome {
        noise,
        log_ratio,
        interval,
        p: tested.p(),
        p_adjusted: step.adjusted,
        level: step.level,
        judgement,
        runs_needed,
    }
}

fn needed(estimate: f64, interval: Interval, margin: f64, runs: usize, level: f64) -> Option<u64> {
    let resolves = (2..=64).find(|n| smallest_p(*n) <= level)?;
    if !interval.low.is_finite() || !interval.high.is_finite() {
        return Some(resolves.max(runs as u64 + 1));
    }
    let more = more_rounds_needed(estimate, interval, margin, runs)?;
    (more as f64 <= runs as f64 * OUT_OF_REACH).then_some(more.max(resolves))
}

fn check(runs: &Runs<'_>, alpha: f64) -> Result<NoiseSource, JudgeError> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(JudgeError::BadLevel { level: alpha });
    }
    let margin = runs.margin;
    if !(margin.is_finite() && margin >= 0.0) {
        return Err(JudgeError::BadMargin { margin });
    }
    for (side, costs) in [
        (Side::Baseline, runs.baseline),
        (Side::Variant, runs.variant),
        (Side::Reference, runs.reference),
    ] {
        if let Some(round) = costs.iter().position(|c| !(c.is_normal() && *c > 0.0)) {
            let cost = costs[round];
            return Err(JudgeError::BadCost { side, round, cost });
        }
    }
    let (baseline, variant) = (runs.baseline.len(), runs.variant.len());
    if baseline >= 2 && variant >= 2 {
        return Ok(NoiseSource::Runs);
    }
    if baseline == 0 || variant == 0 || runs.reference.len() < 2 {
        return Err(JudgeError::TooFewRuns { baseline, variant });
    }
    let spread = sd_log(runs.reference);
    if spread > 0.0 {
        Ok(NoiseSource::Reference)
    } else {
        Err(JudgeError::NoSpread)
    }
}

fn mean_log(costs: &[f64]) -> f64 {
    costs.iter().map(|c| c.ln()).sum::<f64>() / costs.len() as f64
}

/// Standard deviation of the log costs, with n - 1 in the divisor; 0 when all are equal.
fn sd_log(costs: &[f64]) -> f64 {
    if costs.windows(2).all(|two| two[0] == two[1]) {
        return 0.0;
    }
    let mean = mean_log(costs);
    let squares: f64 = costs.iter().map(|c| (c.ln() - mean).powi(2)).sum();
    (squares / (costs.len() - 1) as f64).sqrt()
}
