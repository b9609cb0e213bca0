//! Checked input: two arms measured in the same rounds, in one layout or several.

use crate::error::{JudgeError, Side};
use crate::level::{Placed, Sequence};
use crate::pair::{Arm, Layout};
use crate::root::root;
use crate::scores::Score;
use crate::scores::{Costs, Kind, all, kinds, one, sharpest};

/// The log costs of a baseline and a variant, paired by round and layout.
#[derive(Clone, Debug)]
pub struct Paired {
    layouts: Vec<Rounds>,
    centre: f64,
}

/// One layout.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    /// (baseline, variant) by round.
    pair: Vec<[f64; 2]>,
    /// Whether each run was quiet.
    quiet: Option<Vec<[bool; 2]>>,
    sequence: Option<Sequence>,
    kinds: Vec<Kind>,
    /// Where the mean score is 0.
    pub(crate) effect: f64,
    /// Standard deviation of the effect under label swaps.
    pub(crate) sd: f64,
}

impl Paired {
    /// Checks and takes the costs of one layout; index is the round in both slices. The order
    /// of the samples is taken as unknown; [`judge_family`](crate::judge_family) uses it.
    ///
    /// `level` is the strictest level that will be tested: which scores are used depends on it,
    /// since a score of few runs cannot give a small p.
    ///
    /// # Errors
    /// [`JudgeError::UnequalRounds`], [`JudgeError::TooFewRounds`] (fewer than 2), or
    /// [`JudgeError::BadCost`] for a cost that is not positive and finite
    /// (one below the smallest normal f64, 2.2e-308, counts as zero).
    pub fn new(baseline: &[f64], variant: &[f64], level: f64) -> Result<Self, JudgeError> {
        Self::of(&[Layout::new(baseline, variant)], level)
    }

    /// [`Paired::new`] of several layouts, with the order of samples where it is known.
    ///
    /// # Errors
    /// Those of [`Paired::new`], and [`JudgeError::NoLayout`], [`JudgeError::BadPlaces`],
    /// [`JudgeError::BadQuiet`].
    pub fn of(layouts: &[Layout<'_>], level: f64) -> Result<Self, JudgeError> {
        if layouts.is_empty() {
            return Err(JudgeError::NoLayout);
        }
        let layouts = layouts.iter().map(|layout| Rounds::new(layout, level));
        let mut data = Self {
            layouts: layouts.collect::<Result<_, _>>()?,
            centre: 0.0,
        };
        data.centre = match &data.layouts[..] {
            [one] => one.effect,
            many => {
                let effects = many.iter().map(|l| l.effect);
                let low = effects.clone().fold(f64::INFINITY, f64::min);
                let high = effects.fold(f64::NEG_INFINITY, f64::max);
                root(low, high, |shift| data.scores(shift).iter().sum())
            }
        };
        Ok(data)
    }

    /// Number of rounds, over all layouts.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.layouts.iter().map(|l| l.pair.len()).sum()
    }

    /// The estimated log ratio of costs, variant over baseline: the mean over layouts of the
    /// shift at which a layout's scores sum to 0. Negative means that the variant is faster.
    #[must_use]
    pub fn log_ratio(&self) -> f64 {
        self.layouts.iter().map(|l| l.effect).sum::<f64>() / self.layouts.len() as f64
    }

    /// The shift at which all scores together sum to 0: [`Paired::log_ratio`] for one layout.
    pub(crate) fn centre(&self) -> f64 {
        self.centre
    }

    pub(crate) fn layouts(&self) -> &[Rounds] {
        &self.layouts
    }

    /// The scores of all rounds at a shift; their sum estimates the distance to the truth.
    pub(crate) fn scores(&self, shift: f64) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.rounds());
        for layout in &self.layouts {
            let weight = 1.0 / (self.layouts.len() * layout.pair.len()) as f64;
            all.extend(layout.scores(shift).iter().map(|d| d * weight));
        }
        all
    }

    /// Lowest and highest log ratio that any two costs of the arms have.
    pub(crate) fn extremes(&self) -> (f64, f64) {
        let all = self.layouts.iter().map(Rounds::extremes);
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |a, b| {
            (a.0.min(b.0), a.1.max(b.1))
        })
    }
}

impl Rounds {
    fn new(layout: &Layout<'_>, level: f64) -> Result<Self, JudgeError> {
        let (baseline, variant) = (layout.baseline.costs, layout.variant.costs);
        if baseline.len() != variant.len() {
            return Err(JudgeError::UnequalRounds {
                baseline: baseline.len(),
                variant: variant.len(),
            });
        }
        let rounds = baseline.len();
        if rounds < 2 {
            return Err(JudgeError::TooFewRounds { rounds });
        }
        for (side, costs) in [(Side::Baseline, baseline), (Side::Variant, variant)] {
            if let Some(round) = costs.iter().position(|c| !good(*c)) {
                let cost = costs[round];
                return Err(JudgeError::BadCost { side, round, cost });
            }
        }
        let logs = baseline.iter().zip(variant);
        let mut checked = Self {
            pair: logs.map(|(b, v)| [b.ln(), v.ln()]).collect(),
            quiet: quiet(layout)?,
            sequence: sequence(layout)?,
            kinds: Vec::new(),
            effect: 0.0,
            sd: 0.0,
        };
        checked.kinds = kinds(rounds, checked.quiet(), checked.sequence.is_some(), level);
        checked.effect = checked.centre();
        let squares: f64 = checked.scores(checked.effect).iter().map(|d| d * d).sum();
        checked.sd = squares.sqrt() / rounds as f64;
        Ok(checked)
    }

    /// The pair with the variant's costs less a shift.
    pub(crate) fn shifted(&self, shift: f64) -> Vec<[f64; 2]> {
        self.pair.iter().map(|[b, v]| [*b, v - shift]).collect()
    }

    pub(crate) fn quiet(&self) -> Option<&[[bool; 2]]> {
        self.quiet.as_deref()
    }

    fn scores(&self, shift: f64) -> Vec<f64> {
        let pair = self.shifted(shift);
        let levels = self.sequence.as_ref().map(|s| s.levels(&pair));
        let costs = Costs {
            pair: &pair,
            quiet: self.quiet(),
            levels: levels.as_deref(),
        };
        sharpest(&all(&self.kinds, &costs))
    }

    /// One score at a shift.
    fn one(&self, kind: Kind, shift: f64) -> Score {
        let pair = self.shifted(shift);
        let sequence = self.sequence.as_ref().filter(|_| kind == Kind::Level);
        let levels = sequence.map(|s| s.levels(&pair));
        one(
            kind,
            &Costs {
                pair: &pair,
                quiet: self.quiet(),
                levels: levels.as_deref(),
            },
        )
    }

    /// Where the scores sum to 0.
    ///
    /// Where costs have levels far apart, the slow runs of one arm may lie on the fast ones of
    /// the other at some shift, and the sum has more than one zero. Each score alone has one; the
    /// zero next to that of the score that is sharpest at its own is taken.
    fn centre(&self) -> f64 {
        let (low, high) = self.extremes();
        let own = self.kinds.iter().map(|kind| {
            let zero = root(low, high, |shift| {
                self.one(*kind, shift).rounds.iter().sum()
            });
            (zero, self.one(*kind, zero).squares)
        });
        let own: Vec<(f64, f64)> = own.collect();
        let Some(&(from, squares)) = own.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
            return f64::midpoint(low, high);
        };
        let sum = |shift: f64| self.scores(shift).iter().sum::<f64>();
        let sign = sum(from).signum();
        // Beyond the zeros of all scores the sum has the one sign.
        let end = own.iter().fold(from, |end, (zero, _)| match sign > 0.0 {
            true => end.max(*zero),
            false => end.min(*zero),
        });
        let mut step = squares.sqrt() / self.pair.len() as f64 / 2.0;
        let mut inside = from;
        while step > 0.0 {
            let next = inside + sign * step;
            if (next - from).abs() >= (end - from).abs() {
                break;
            }
            if sum(next).signum() != sign {
                return root(inside.min(next), inside.max(next), sum);
            }
            inside = next;
            step *= 2.0;
        }
        root(inside.min(end), inside.max(end), sum)
    }

    pub(crate) fn extremes(&self) -> (f64, f64) {
        let range = |arm: usize| {
            let costs = self.pair.iter().map(move |p| p[arm]);
            (
                costs.clone().fold(f64::INFINITY, f64::min),
                costs.fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let (b, v) = (range(0), range(1));
        (v.0 - b.1, v.1 - b.0)
    }
}

fn good(cost: f64) -> bool {
    cost.is_normal() && cost > 0.0
}

/// Whether each run was quiet; `None` unless both arms of the pair say it.
fn quiet(layout: &Layout<'_>) -> Result<Option<Vec<[bool; 2]>>, JudgeError> {
    let (Some(b), Some(v)) = (layout.baseline.quiet, layout.variant.quiet) else {
        return Ok(None);
    };
    let rounds = layout.baseline.costs.len();
    if b.len() != rounds || v.len() != rounds {
        return Err(JudgeError::BadQuiet);
    }
    Ok(Some(b.iter().zip(v).map(|(b, v)| [*b, *v]).collect()))
}

/// The order of all samples; `None` unless both arms of the pair say it.
fn sequence(layout: &Layout<'_>) -> Result<Option<Sequence>, JudgeError> {
    let (Some(_), Some(_)) = (layout.baseline.places, layout.variant.places) else {
        return Ok(None);
    };
    let rounds = layout.baseline.costs.len();
    let mut columns = Vec::with_capacity(2 + layout.others.len());
    for arm in [&layout.baseline, &layout.variant] {
        let column = column(arm).filter(|c| c.len() == rounds);
        columns.push(column.ok_or(JudgeError::BadPlaces)?);
    }
    let others = layout.again.iter().chain(&layout.others);
    columns.extend(others.filter_map(column));
    Sequence::new(&columns)
        .map(Some)
        .ok_or(JudgeError::BadPlaces)
}

/// Log costs and places; `None` when places are missing. What is no cost is a run that is missing.
fn column(arm: &Arm<'_>) -> Option<Vec<Placed>> {
    let places = arm.places?;
    let logs = arm.costs.iter().map(|c| good(*c).then(|| c.ln()));
    (arm.costs.len() == places.len()).then(|| logs.zip(places.iter().copied()).collect())
}
