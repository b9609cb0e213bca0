//! Judging a family of comparisons together.

use crate::error::JudgeError;
use crate::floor::{Estimate, FloorAndTypical};
use crate::holm::{HolmStep, holm};
use crate::interval::{Interval, interval_given};
use crate::layouts::{Between, Decider, Layouts, describe};
use crate::pair::Pair;
use crate::paired::Paired;
use crate::parallel::parallel_map;
use crate::permutation::{p_value, permutation_sd};
use crate::power::{minimum_detectable_effect, normal_quantile};
use crate::word::{Judgement, judge, more_rounds_needed};

/// Everything the judge says about one comparison. Ratios are variant over baseline in log
/// units: negative is faster, exp(x) - 1 is the relative change of cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Rounds measured, over all layouts.
    pub rounds: usize,
    /// Estimated log ratio of the costs: [`Paired::log_ratio`].
    pub log_ratio: f64,
    /// Lower bound of the log ratio at `level`; negative infinity when out of reach.
    pub low: f64,
    /// Upper bound of the log ratio at `level`; infinity when out of reach.
    pub high: f64,
    /// Two-sided p of "no difference", this comparison alone.
    pub p: f64,
    /// The same after Holm's correction over the family.
    pub p_adjusted: f64,
    /// Level of the Holm step that tested it; the interval's coverage is 1 - `level`.
    pub level: f64,
    /// The word.
    pub judgement: Judgement,
    /// Standard deviation of the log ratio: under label swaps, or between layouts (by t against
    /// normal quantiles at `level`) where that is larger.
    pub sd: f64,
    /// Smallest relative change of cost found with 80 % power at `level` with these rounds.
    pub mde: f64,
    /// Total rounds that would decide it at `level`; equals `rounds` when decided, `None` when
    /// out of reach, and when the layouts differ by too much for rounds to help. See
    /// [`more_rounds_needed`].
    pub rounds_needed: Option<u64>,
    /// What differs between layouts.
    pub layouts: Layouts,
    /// The effect on the fastest (quiet) runs.
    pub floor: Estimate,
    /// The effect on runs as they come.
    pub typical: Estimate,
    /// Whether floor and typical effect differ by more than the margin and their noise: then the
    /// log ratio, which follows whichever is sharper, is not the whole story.
    pub floor_differs: bool,
}

impl Outcome {
    /// The interval of the log ratio at `level`.
    #[must_use]
    pub fn interval(&self) -> Interval {
        Interval {
            low: self.low,
            high: self.high,
        }
    }
}

/// Judges the open comparisons of a family at one look, with family-wise error `alpha`; results
/// in order.
///
/// `alpha` bounds the chance that any comparison of identical arms is called FASTER or
/// SLOWER in this call; with several looks give the level of the look
/// ([`looks`](crate::looks), [`schedule`](crate::schedule)).
///
/// **What is decided need not be measured further.** Give only the comparisons that are still
/// open, and as `kept` the number of those that an earlier look called SAME. Those that an earlier
/// look called FASTER or SLOWER are in neither: a rejected hypothesis leaves Holm's count. A
/// comparison that was rejected and stayed undecided, for its estimate was inside the margin, is
/// open.
///
/// The family-wise error over all looks is at most the sum of their levels: let m0 comparisons be
/// of identical arms. Until the first of them is rejected, only others have left the count, so
/// it is m0 at least, and at a look of level a each of the m0 is tested at a/m0 at most.
/// Bonferroni's inequality over the m0 and over the looks gives the sum, whatever depends on what
/// (W. Maurer and F. Bretz, "Multiple Testing in Group Sequential Trials Using Graphical
/// Approaches", Statistics in Biopharmaceutical Research 5(4), 2013, pp. 311-320, for Holm's rule
/// as a graph).
///
/// SAME is judged with the same intervals: each one's
/// chance to say SAME of an effect at the margin is at most level/2. Summed over a family in
/// which everything is rejected that is at most alpha/2 * (1 + 1/2 + ... + 1/m) false SAMEs.
///
/// An outcome depends on the rest of the family only through Holm's levels. Uses all cores; the
/// result does not depend on their number.
///
/// # Errors
/// Per comparison, as [`Paired::of`], or [`JudgeError::BadMargin`]; and for all of them
/// [`JudgeError::BadLevel`] when `alpha` is not between 0 and 1. A comparison with an error
/// still counts in the family (as p = 1), so that missing data never make the others easier.
#[must_use]
pub fn judge_family(
    open: &[Pair<'_>],
    kept: usize,
    alpha: f64,
) -> Vec<Result<Outcome, JudgeError>> {
    // The first step of Holm.
    let strictest = alpha / (open.len() + kept) as f64;
    let tested = parallel_map(open, |pair| {
        let data = check(pair, alpha, strictest)?;
        let within = p_value(&data, 0.0);
        let between = Between::of(&data);
        let p = between.as_ref().map_or(within, |b| b.p().max(within));
        Ok(Tested {
            data,
            between,
            within,
            p,
        })
    });
    let p_values: Vec<f64> = tested
        .iter()
        .map(|t| t.as_ref().map_or(1.0, |t| t.p))
        .collect();
    let steps = holm(&p_values, kept, alpha);

    let jobs: Vec<_> = tested.into_iter().zip(steps).zip(open).collect();
    parallel_map(&jobs, |((tested, step), pair)| {
        let tested = tested.as_ref().map_err(|e: &JudgeError| *e)?;
        Ok(outcome(tested, *step, pair))
    })
}

struct Tested {
    data: Paired,
    between: Option<Between>,
    /// p of the label swaps.
    within: f64,
    /// The larger of that and the p of the layouts.
    p: f64,
}

fn outcome(tested: &Tested, step: HolmStep, pair: &Pair<'_>) -> Outcome {
    let margin = pair.margin;
    let Tested { data, between, .. } = tested;
    let between = between.as_ref();
    let (rounds, log_ratio, level) = (data.rounds(), data.log_ratio(), step.level);
    let mut sd = permutation_sd(data);
    let within = interval_given(data, level, tested.within, sd);
    let mut interval = within;
    if let Some(b) = between.map(|b| b.interval(level)) {
        interval.low = interval.low.min(b.low);
        interval.high = interval.high.max(b.high);
        let half = (b.high - b.low) / 2.0;
        sd = sd.max(half / normal_quantile(1.0 - level / 2.0));
    }
    let judgement = judge(log_ratio, interval, margin);
    let decided = judgement != Judgement::Inconclusive;
    let layouts = describe(pair, data, between, within, level, decided);
    let ends = FloorAndTypical::of(data.layouts());
    let rounds_help = decided || layouts.decided_by == Decider::Within;
    Outcome {
        rounds,
        log_ratio,
        low: interval.low,
        high: interval.high,
        p: tested.p,
        p_adjusted: step.adjusted,
        level,
        judgement,
        sd,
        mde: minimum_detectable_effect(sd, level),
        rounds_needed: rounds_needed(log_ratio, interval, margin, rounds, level, sd)
            .filter(|_| rounds_help),
        layouts,
        floor: ends.floor,
        typical: ends.typical,
        floor_differs: ends.differ(level, margin),
    }
}

fn check(pair: &Pair<'_>, alpha: f64, strictest: f64) -> Result<Paired, JudgeError> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(JudgeError::BadLevel { level: alpha });
    }
    if !(pair.margin.is_finite() && pair.margin >= 0.0) {
        return Err(JudgeError::BadMargin {
            margin: pair.margin,
        });
    }
    Paired::of(&pair.layouts, strictest)
}

/// [`more_rounds_needed`], with the normal interval in place of an infinite one.
fn rounds_needed(
    estimate: f64,
    interval: Interval,
    margin: f64,
    rounds: usize,
    level: f64,
    sd: f64,
) -> Option<u64> {
    if interval.low.is_finite() && interval.high.is_finite() {
        return more_rounds_needed(estimate, interval, margin, rounds);
    }
    let half = normal_quantile(1.0 - level / 2.0) * sd;
    let normal = Interval {
        low: estimate - half,
        high: estimate + half,
    };
    // 2/2^n <= level, or the interval stays infinite.
    let resolved = (1.0 - level.log2()).ceil() as u64;
    more_rounds_needed(estimate, normal, margin, rounds)
        .map(|total| total.max(resolved).max(rounds as u64 + 1))
}
