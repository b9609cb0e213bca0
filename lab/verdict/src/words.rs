//! Between the judge's terms and the evidence's: the judge speaks of log costs, the evidence of
//! speeds. This is the only place that turns one into the other.

use karat_model::verdict::{Judgement, SpeedRatio};

/// The judge's word.
#[must_use]
pub const fn judgement(word: karat_judge::Judgement) -> Judgement {
    match word {
        karat_judge::Judgement::Faster => Judgement::Faster,
        karat_judge::Judgement::Slower => Judgement::Slower,
        karat_judge::Judgement::Same => Judgement::Same,
        karat_judge::Judgement::Inconclusive => Judgement::Inconclusive,
    }
}

/// Speed over the baseline's from a log ratio of costs and its bounds, which change places.
#[must_use]
pub fn speed(log_ratio: f64, low: f64, high: f64) -> SpeedRatio {
    // A bound that is no number, or none that can be written, is open.
    let bound =
        |log: f64| Some((-log).exp()).filter(|s| log.is_finite() && s.is_finite() && *s > 0.0);
    SpeedRatio {
        estimate: (-log_ratio).exp(),
        low: bound(high),
        high: bound(low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_change_places_and_may_be_open() {
        let found = speed(0.1, -0.2, f64::INFINITY);
        assert!((found.estimate - (-0.1_f64).exp()).abs() < 1e-12);
        assert_eq!(found.low, None);
        assert!((found.high.unwrap() - 0.2_f64.exp()).abs() < 1e-12);
        assert_eq!(speed(0.0, f64::NAN, -800.0).low, None, "beyond all numbers");
    }
}
