//! criterion: a bootstrapped t-test, then an interval against a noise threshold.
//!
//! Source: criterion 0.8.2, `src/analysis/compare.rs`, `src/report.rs`, `src/stats/`. "Change"
//! is what has p < .05, t drawn 100 000 times from both samples put together (with replacement),
//! p = 2 min(hits, n - hits)/n with the hits below the t observed. Then the 95 % percentile
//! interval of mean/mean - 1 must be wholly beyond 1 % to be called "improved" or "regressed",
//! else it is "within noise threshold". The interval's resamples are nested: each of 317 draws
//! of the new sample meets up to 316 draws of the old one.
//!
//! Criterion takes 100 samples by default, each a mean of many calls, and never less than 10;
//! here it gets 20 processes or more.

use super::welch_t;
use crate::rules::{ALPHA, Word};
use crate::series::Comparison;
use karat_judge::{Rng, quantile};

const RESAMPLES: usize = 100_000;
const CONFIDENCE: f64 = 0.95;
const NOISE_THRESHOLD: f64 = 0.01;

/// "Change": the test rejects, whatever the size.
pub fn different(comparison: &Comparison<'_>) -> Word {
    let (old, new) = (comparison.baseline.costs, comparison.variant.costs);
    if p_value(new, old, &mut Rng::new(comparison.seed)) < ALPHA {
        Word::of(mean(new) - mean(old))
    } else {
        Word::Nothing
    }
}

/// "Performance has improved" or "has regressed".
pub fn beyond_threshold(comparison: &Comparison<'_>) -> Word {
    if different(comparison) == Word::Nothing {
        return Word::Nothing;
    }
    let (old, new) = (comparison.baseline.costs, comparison.variant.costs);
    // Not the numbers that the test has drawn.
    let (low, high) = interval(new, old, &mut Rng::new(!comparison.seed));
    match () {
        () if low > NOISE_THRESHOLD => Word::Slower,
        () if high < -NOISE_THRESHOLD => Word::Faster,
        () => Word::Nothing,
    }
}

fn p_value(new: &[f64], old: &[f64], rng: &mut Rng) -> f64 {
    let observed = welch_t(new, old);
    let pool = [new, old].concat();
    let mut drawn = pool.clone();
    let (mut finite, mut hits) = (0, 0);
    for _ in 0..RESAMPLES {
        draw(&pool, &mut drawn, rng);
        let (a, b) = drawn.split_at(new.len());
        let t = welch_t(a, b);
        finite += usize::from(t.is_finite());
        hits += usize::from(t.is_finite() && t < observed);
    }
    2.0 * hits.min(finite - hits) as f64 / finite as f64
}

/// Percentile interval of mean(new)/mean(old) - 1.
fn interval(new: &[f64], old: &[f64], rng: &mut Rng) -> (f64, f64) {
    let outer = (RESAMPLES as f64).sqrt().ceil() as usize;
    let inner = RESAMPLES.div_ceil(outer);
    let (mut new_drawn, mut old_drawn) = (new.to_vec(), old.to_vec());
    let mut changes = Vec::with_capacity(outer * inner);
    while changes.len() < RESAMPLES {
        draw(new, &mut new_drawn, rng);
        for _ in 0..inner.min(RESAMPLES - changes.len()) {
            draw(old, &mut old_drawn, rng);
            changes.push(mean(&new_drawn) / mean(&old_drawn) - 1.0);
        }
    }
    changes.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| quantile(&changes, share).unwrap_or(f64::NAN);
    (
        at((1.0 - CONFIDENCE) / 2.0),
        at(f64::midpoint(1.0, CONFIDENCE)),
    )
}

/// Fills `drawn` with values of `from`, each drawn on its own.
fn draw(from: &[f64], drawn: &mut [f64], rng: &mut Rng) {
    for value in drawn {
        *value = from[rng.below(from.len() as u64) as usize];
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::super::samples::{X, Y};
    use super::*;

    #[test]
    fn p_and_interval_are_those_of_numpy() {
        // NumPy, 2 000 000 resamples (the interval's not nested). 100 000 leave p a standard
        // error of .001; nesting leaves the bounds one of about 4 % of the interval.
        for (new, old, p, low, high) in [
            (&Y[..], &X[..], 0.8466, -0.0366, 0.0412),
            (&Y[..4], &X[..8], 0.1180, -0.0031, 0.0345),
        ] {
            let got = p_value(new, old, &mut Rng::new(1));
            assert!((got - p).abs() < 0.006, "{got}, not {p}");
            let got = interval(new, old, &mut Rng::new(1));
            let width = high - low;
            assert!((got.0 - low).abs() < 0.15 * width, "{got:?}, not {low}");
            assert!((got.1 - high).abs() < 0.15 * width, "{got:?}, not {high}");
        }
    }

    #[test]
    fn what_is_plain_has_no_p_left() {
        let slower = X.map(|x| x * 2.0);
        assert!(p_value(&slower, &X, &mut Rng::new(1)) < 1e-3);
        let (low, high) = interval(&slower, &X, &mut Rng::new(1));
        assert!(low > 0.8 && high < 1.2, "{low} to {high}");
    }
}
