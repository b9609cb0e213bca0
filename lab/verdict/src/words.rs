//! Between the judge's terms and the evidence's: the judge speaks of log costs, the evidence of
//! speeds. This is the only place that turns one into the other.

use karat_judge::{Interval, WorkloadJudgement, log_margin};
use karat_model::verdict::{Judgement, SpeedRatio, Verdict};

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

/// The verdict on several judged speeds, each with its margin as a ratio, by the judge's rule
/// ([`karat_judge::roll_up`]).
pub fn roll_up<'a>(parts: impl Iterator<Item = (Judgement, &'a SpeedRatio, f64)>) -> Verdict {
    let cost = |speed: Option<f64>, open: f64| speed.map_or(open, |s| -s.ln());
    let parts: Vec<WorkloadJudgement> = parts
        .map(|(judgement, speed, margin)| WorkloadJudgement {
            judgement: match judgement {
                Judgement::Faster => karat_judge::Judgement::Faster,
                Judgement::Slower => karat_judge::Judgement::Slower,
                Judgement::Same => karat_judge::Judgement::Same,
                Judgement::Inconclusive => karat_judge::Judgement::Inconclusive,
            },
            interval: Interval {
                low: cost(speed.high, f64::NEG_INFINITY),
                high: cost(speed.low, f64::INFINITY),
            },
            margin: log_margin(margin),
        })
        .collect();
    match karat_judge::roll_up(&parts) {
        karat_judge::Verdict::Go => Verdict::Go,
        karat_judge::Verdict::NoGo => Verdict::NoGo,
        karat_judge::Verdict::Same => Verdict::Same,
        karat_judge::Verdict::Inconclusive => Verdict::Inconclusive,
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

    #[test]
    fn a_loss_that_is_not_excluded_is_no_go_ahead() {
        let of = |low: f64| speed(-0.05, -0.1, -low.ln());
        let go = [
            (Judgement::Faster, of(1.02)),
            (Judgement::Inconclusive, of(0.995)),
        ];
        let open = [
            (Judgement::Faster, of(1.02)),
            (Judgement::Inconclusive, of(0.985)),
        ];
        let word =
            |parts: &[(Judgement, SpeedRatio)]| roll_up(parts.iter().map(|(j, s)| (*j, s, 0.01)));
        assert_eq!(word(&go), Verdict::Go);
        assert_eq!(word(&open), Verdict::Inconclusive);
        assert_eq!(word(&[(Judgement::Slower, of(0.9))]), Verdict::NoGo);
        assert_eq!(word(&[]), Verdict::Inconclusive);
    }
}
