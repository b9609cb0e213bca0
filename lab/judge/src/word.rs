//! From an interval to a word.
//!
//! The margin is the smallest effect that matters, declared before measuring. It does two
//! jobs. SAME is a positive claim (the effect is smaller than the margin), never "no
//! difference found": both one-sided tests against the margin must reject, which is that the
//! interval lies inside it (TOST: D. Schuirmann, "A Comparison of the Two One-Sided Tests
//! Procedure and the Power Approach for Assessing the Equivalence of Average
//! Bioavailability", Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987, pp.
//! 657-680). TOST at level a needs an interval of coverage 1-2a only; one interval of
//! coverage 1-a serves both claims here, so SAME is the more cautious of the two.
//!
//! FASTER and SLOWER need an interval without 0 *and* an estimate of at least the margin: a
//! difference that is real and too small to matter is not news. That bounds the error of
//! saying "different" when there is no difference. It does not prove that the effect exceeds
//! the margin: when the true effect lies exactly on the margin, with enough rounds, the
//! choice between the two words is a coin toss, and no rule of this kind can avoid that.

use crate::interval::Interval;

/// More than this many times the rounds measured counts as out of reach.
pub(crate) const OUT_OF_REACH: f64 = 100.0;

/// What one comparison says about the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// Costs less, by at least the margin as estimated, and certainly not the same.
    Faster,
    /// Costs more, by at least the margin as estimated, and certainly not the same.
    Slower,
    /// Differs by less than the margin.
    Same,
    /// The data allow more than one of the above.
    Inconclusive,
}

/// A margin in log units from a relative one: 0.01 (1 %) becomes ln(1.01).
#[must_use]
pub fn log_margin(relative: f64) -> f64 {
    relative.ln_1p()
}

/// The word for a log ratio `estimate` (negative is faster) with its interval.
///
/// `margin` is in log units; see [`log_margin`]. A margin of 0 makes every difference count
/// and SAME impossible. Anything that is not a number gives INCONCLUSIVE.
#[must_use]
pub fn judge(estimate: f64, interval: Interval, margin: f64) -> Judgement {
    if interval.within(margin) {
        Judgement::Same
    } else if interval.high < 0.0 && estimate <= -margin {
        Judgement::Faster
    } else if interval.low > 0.0 && estimate >= margin {
        Judgement::Slower
    } else {
        Judgement::Inconclusive
    }
}

/// Total rounds (not further ones) at which a comparison would be decided, if the estimate
/// stays where it is and the interval narrows as 1/sqrt(rounds).
///
/// `rounds` when it is decided already. `None` when out of reach: more than 100 times the
/// rounds measured (an estimate just under the margin), or an infinite bound. The rounds for
/// a fair chance are more: at this number the bound is expected *at* the limit.
#[must_use]
pub fn more_rounds_needed(
    estimate: f64,
    interval: Interval,
    margin: f64,
    rounds: usize,
) -> Option<u64> {
    if judge(estimate, interval, margin) != Judgement::Inconclusive {
        return Some(rounds as u64);
    }
    let (below, above) = (estimate - interval.low, interval.high - estimate);
    // By how much the interval is too wide for the word that the estimate points to.
    let too_wide = if estimate >= margin {
        below / estimate
    } else if estimate <= -margin {
        above / -estimate
    } else {
        (above / (margin - estimate)).max(below / (margin + estimate))
    };
    let factor = too_wide * too_wide;
    // Written so that a factor that is not a number is out of reach too.
    if factor <= OUT_OF_REACH {
        let total = (rounds as f64 * factor).ceil() as u64;
        Some(total.max(rounds as u64 + 1))
    } else {
        None
    }
}
