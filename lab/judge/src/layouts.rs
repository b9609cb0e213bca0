//! Several layouts of the same two builds: what varies between them, and what that decides.
//!
//! Where code lies in memory changes its speed, by more than most optimisations do, so one
//! binary of each build is a sample of one. With L layouts (seeds of the section order, one
//! binary of each build per seed) the effect is estimated in each, and the estimate is the
//! mean of the L effects. It has two intervals:
//!
//! - *within*: label swaps inside every round of every layout, inverted. It knows the noise of
//!   the samples and takes the layouts as given.
//! - *between*: t of the L effects with L-1 degrees of freedom. It takes the layouts as drawn
//!   at random, and also holds the noise of the samples, which is in every effect.
//!
//! The verdict comes from the larger p and from the interval that covers both: where the two
//! have the same middle that is the wider one. So it excludes 0 exactly when both do.
//!
//! The spread of an arm over its layouts is held against the scatter of one layout measured
//! twice, the baseline's two arms ([`spread`](crate::spread)).
//!
//! Sources: T. Mytkowicz et al., "Producing Wrong Data Without Doing Anything Obviously Wrong!",
//! ASPLOS 2009 (link order as a random factor); T. Kalibera and R. Jones, "Rigorous
//! Benchmarking in Reasonable Time", ISMM 2013 (the highest level of variation is what
//! replicates).

use crate::describe::deviation;
use crate::interval::Interval;
use crate::pair::Pair;
use crate::paired::Paired;
use crate::spread::{Spread, spread};
use crate::student::{student_critical, student_p};
use crate::word::{Judgement, OUT_OF_REACH, judge};

/// Which of the two intervals is the wider one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decider {
    /// The noise of the samples; more rounds help.
    Within,
    /// The differences between layouts; more layouts help.
    Between,
}

/// How an arm's cost varies over its layouts, in log units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayoutSpread {
    /// Standard deviation between layouts, noise taken out; 0 when below it.
    pub sd: f64,
    /// Its lower bound, one-sided 99.5 %; 0 when it cannot be told from the scatter of one layout.
    pub low: f64,
    /// Its upper bound, one-sided 95 %, noise left in.
    pub high: f64,
    /// Standard deviation of one layout's mean that noise explains.
    pub noise: f64,
    /// Slowest layout over fastest, noise included.
    pub range: f64,
    /// Whether the layouts differ by more than one layout measured twice: `low` is above 0, and
    /// the baseline had its second arm in every layout. Else no figure of it should be told as
    /// the layouts'.
    pub known: bool,
}

/// What several layouts add to an outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Layouts {
    /// Log ratio of each layout, in the order given.
    pub effects: Vec<f64>,
    /// Standard deviation of the effects, noise included; `None` of one layout.
    pub sd: Option<f64>,
    /// The wider interval.
    pub decided_by: Decider,
    /// Layouts that would decide it at the outcome's level, each with as many rounds, if mean
    /// and scatter stay; their number when decided. `None` when out of reach (more than 100
    /// times as many), and of one layout, which says nothing about others.
    pub needed: Option<u64>,
    /// The baseline's spread; `None` of one layout.
    pub baseline: Option<LayoutSpread>,
    /// The variant's spread; `None` of one layout.
    pub variant: Option<LayoutSpread>,
}

/// The effects of several layouts as a sample.
#[derive(Clone, Debug)]
pub(crate) struct Between {
    mean: f64,
    /// Standard deviation of the effects.
    pub(crate) sd: f64,
    count: u64,
}

impl Between {
    /// `None` of fewer than two layouts.
    pub(crate) fn of(data: &Paired) -> Option<Self> {
        let effects: Vec<f64> = data.layouts().iter().map(|l| l.effect).collect();
        (effects.len() > 1).then(|| Self {
            mean: data.log_ratio(),
            sd: deviation(&effects),
            count: effects.len() as u64,
        })
    }

    /// Two-sided p of "the mean over all layouts is 0".
    pub(crate) fn p(&self) -> f64 {
        let se = self.sd / (self.count as f64).sqrt();
        if se > 0.0 {
            student_p(self.mean / se, self.count - 1)
        } else {
            f64::from(u8::from(self.mean == 0.0))
        }
    }

    pub(crate) fn interval(&self, level: f64) -> Interval {
        let half = self.half(level, self.count);
        Interval {
            low: self.mean - half,
            high: self.mean + half,
        }
    }

    /// Half width that `count` such layouts would have.
    fn half(&self, level: f64, count: u64) -> f64 {
        student_critical(level, count - 1) * self.sd / (count as f64).sqrt()
    }

    /// [`Layouts::needed`]; `within` has the width of the layouts measured.
    fn needed(&self, level: f64, within: Interval, margin: f64) -> Option<u64> {
        let most = self.count.saturating_mul(OUT_OF_REACH as u64);
        let decided = |count: u64| {
            let shrink = (self.count as f64 / count as f64).sqrt();
            let half = self.half(level, count);
            let interval = Interval {
                low: self.mean - half.max((self.mean - within.low) * shrink),
                high: self.mean + half.max((within.high - self.mean) * shrink),
            };
            judge(self.mean, interval, margin) != Judgement::Inconclusive
        };
        first(self.count + 1, most, decided)
    }
}

/// What the layouts of a comparison say, given the within interval and the word.
pub(crate) fn describe(
    pair: &Pair<'_>,
    data: &Paired,
    between: Option<&Between>,
    within: Interval,
    level: f64,
    decided: bool,
) -> Layouts {
    let (layouts, margin) = (data.layouts(), pair.margin);
    let wider = |b: &Between| {
        let interval = b.interval(level);
        interval.high - interval.low > within.high - within.low
    };
    let [baseline, variant] = spreads(pair);
    Layouts {
        effects: layouts.iter().map(|l| l.effect).collect(),
        sd: between.map(|b| b.sd),
        decided_by: match between {
            Some(b) if wider(b) => Decider::Between,
            _ => Decider::Within,
        },
        needed: if decided {
            Some(layouts.len() as u64)
        } else {
            between.and_then(|b| b.needed(level, within, margin))
        },
        baseline,
        variant,
    }
}

/// The spreads of both arms; `None` of one layout.
fn spreads(pair: &Pair<'_>) -> [Option<LayoutSpread>; 2] {
    let own = pair.layouts.iter();
    let twice: Option<Vec<_>> = own.map(|l| Some(vec![l.baseline, l.again?])).collect();
    let again = twice.is_some();
    let once = || pair.layouts.iter().map(|l| vec![l.baseline]).collect();
    let baseline = spread(&twice.unwrap_or_else(once), None);
    let variants: Vec<_> = pair.layouts.iter().map(|l| vec![l.variant]).collect();
    let variant = spread(&variants, baseline.as_ref().and_then(|b| b.twice));
    [baseline, variant].map(|found| found.map(|found| told(&found, again)))
}

fn told(found: &Spread, again: bool) -> LayoutSpread {
    LayoutSpread {
        sd: found.sd,
        low: found.low,
        high: found.high,
        noise: found.noise,
        range: found.range,
        known: again && found.low > 0.0,
    }
}

/// The least number in `low..=high` for which a condition that stays true becomes true.
pub(crate) fn first(mut low: u64, high: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let mut end = high;
    if low > high || !holds(high) {
        return None;
    }
    while low < end {
        let middle = low + (end - low) / 2;
        if holds(middle) {
            end = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}
