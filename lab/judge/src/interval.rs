//! Confidence interval of the log ratio, by inverting the permutation test.
//!
//! The interval holds every shift that the test does not reject: p(shift) > level. It
//! inherits the test's exactness and needs no standard error. Nothing is drawn, so p is a function
//! of the shift without noise of its own, and a bound is the place where it crosses the level.
//!
//! The crossing is found in z = quantile(1 - p/2), which is close to linear in the shift, by
//! a bracketed secant that falls back to bisection, to a hundredth of the permutation
//! standard deviation.
//!
//! Sources: inversion: P. Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*,
//! 3rd ed., Springer 2005 (confidence intervals from tests); a stochastic search
//! for the same bounds: P. Garthwaite, "Confidence Intervals from Randomization Tests",
//! Biometrics 52(4), 1996, pp. 1387-1393.

use crate::paired::Paired;
use crate::permutation::{p_value, permutation_sd};
use crate::power::normal_quantile;

/// Width, in permutation standard deviations, to which a bound is found.
const TOLERANCE: f64 = 0.01;
/// Evaluations after which the search stops wherever it is.
const MOST_STEPS: u32 = 80;
/// Doublings of full separation after which a bound counts as infinite.
const MOST_DOUBLINGS: u32 = 12;

/// Bounds of a log ratio; either may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower bound, or negative infinity.
    pub low: f64,
    /// Upper bound, or infinity.
    pub high: f64,
}

impl Interval {
    /// Whether 0 (no difference) lies outside.
    #[must_use]
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// Whether the interval lies strictly inside (-`margin`, `margin`).
    #[must_use]
    pub fn within(&self, margin: f64) -> bool {
        -margin < self.low && self.high < margin
    }
}

/// The log ratios not rejected at `level`: a confidence interval of coverage 1 - `level`.
///
/// Both bounds are infinite when the rounds cannot reach the level: the smallest possible
/// two-sided p of n rounds is 2/2^n, so that 10 rounds say nothing at levels under 0.00195.
/// Close to that limit the bounds are finite and far out: p only gets so small when every
/// cost of one arm is below every cost of the other.
///
/// Of several layouts this is the interval of the effect that is the same in all of them:
/// differences between layouts widen it through the scores, not as a sample of layouts.
///
/// The interval excludes 0 exactly when [`p_value`](crate::p_value) at shift 0 is at most
/// `level`.
#[must_use]
pub fn confidence_interval(data: &Paired, level: f64) -> Interval {
    let at_zero = p_value(data, 0.0);
    interval_given(data, level, at_zero, permutation_sd(data))
}

/// [`confidence_interval`] with the p at shift 0 and the standard deviation known.
pub(crate) fn interval_given(data: &Paired, level: f64, p_at_zero: f64, sd: f64) -> Interval {
    if 2f64.powf(1.0 - data.rounds() as f64) > level {
        return Interval {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        };
    }
    let search = Search {
        data,
        level,
        p_at_zero,
        sd,
    };
    Interval {
        low: data.centre() - search.reach(-1.0),
        high: data.centre() + search.reach(1.0),
    }
}

struct Search<'a> {
    data: &'a Paired,
    level: f64,
    p_at_zero: f64,
    sd: f64,
}

/// A distance from the centre, and how far its z is beyond the critical one.
#[derive(Clone, Copy)]
struct Point {
    distance: f64,
    beyond: f64,
}

impl Search<'_> {
    /// How far the interval reaches from the centre in the direction of `sign`.
    fn reach(&self, sign: f64) -> f64 {
        let critical = z(self.level);
        let point = |distance: f64, p: f64| Point {
            distance,
            // Rejected means p <= level: never let rounding in z say otherwise.
            beyond: if p > self.level {
                (z(p) - critical).min(-f64::MIN_POSITIVE)
            } else {
                (z(p) - critical).max(0.0)
            },
        };
        let at = |distance: f64| {
            let shift = self.data.centre() + sign * distance;
            point(distance, p_value(self.data, shift))
        };

        let mut apart = self.separation(sign);
        let mut inside = point(0.0, 1.0);
        let mut outside = at(apart);
        // Disturbed neighbours can turn the sign of a score even there; farther out the
        // scores without a level outweigh it.
        for _ in 0..MOST_DOUBLINGS {
            if outside.beyond >= 0.0 {
                break;
            }
            apart *= 2.0;
            outside = at(apart);
        }
        if outside.beyond < 0.0 {
            return f64::INFINITY;
        }
        let zero = -self.data.centre() * sign;
        if zero > 0.0 && zero < apart {
            let zero = point(zero, self.p_at_zero);
            *(if zero.beyond < 0.0 {
                &mut inside
            } else {
                &mut outside
            }) = zero;
        }

        // Full separation can be far away: walk towards it first.
        let mut step = critical * self.sd * 1.2;
        while step > 0.0 && inside.distance + step < outside.distance {
            let probe = at(inside.distance + step);
            if probe.beyond < 0.0 {
                inside = probe;
                step *= 2.0;
            } else {
                outside = probe;
                break;
            }
        }

        let scale = if self.sd > 0.0 && self.sd < apart {
            self.sd
        } else {
            apart
        };
        self.close_in(inside, outside, TOLERANCE * scale, at)
    }

    /// Narrows the bracket to `tolerance` and gives its middle.
    fn close_in(
        &self,
        mut inside: Point,
        mut outside: Point,
        tolerance: f64,
        at: impl Fn(f64) -> Point,
    ) -> f64 {
        let mut last = outside.distance;
        let mut width_before = f64::INFINITY;
        for step in 1..=MOST_STEPS {
            let width = outside.distance - inside.distance;
            let middle = inside.distance + width / 2.0;
            // The other conditions end the search where f64 has no number in between.
            if width <= tolerance || middle <= inside.distance || middle >= outside.distance {
                break;
            }
            // A step function can stall the secant; bisection cannot be stalled.
            let stalled = step % 3 == 0 && {
                let stalled = width > width_before / 4.0;
                width_before = width;
                stalled
            };
            let share = -inside.beyond / (outside.beyond - inside.beyond);
            let guess = if stalled || !share.is_finite() {
                middle
            } else {
                // A little past the root as seen from the last probe, so that the next one
                // closes the bracket from the other side.
                let root = inside.distance + share * width;
                let past = 0.4 * tolerance + 0.1 * (root - last).abs();
                (root + past.copysign(root - last)).clamp(
                    inside.distance + 0.4 * tolerance,
                    outside.distance - 0.4 * tolerance,
                )
            };
            let probe = at(guess);
            if probe.beyond < 0.0 {
                inside = probe;
            } else {
                outside = probe;
            }
            last = guess;
        }
        inside.distance + (outside.distance - inside.distance) / 2.0
    }

    /// A distance at which every cost of one arm is below every cost of the other: the scores
    /// without a level have one sign.
    fn separation(&self, sign: f64) -> f64 {
        let (low, high) = self.data.extremes();
        let apart = if sign > 0.0 {
            high - self.data.centre()
        } else {
            self.data.centre() - low
        };
        // A little more, so that equal costs are told apart in spite of rounding.
        apart.max(0.0) + 1e-6
    }
}

/// How many standard deviations a two-sided p is worth; 0 at p = 1.
fn z(p: f64) -> f64 {
    -normal_quantile(p / 2.0)
}
