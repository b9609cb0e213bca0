//! Welch's t-test, the textbook's answer, as a reference.
//!
//! Source: B. Welch, "The Generalization of 'Student's' Problem when Several Different Population
//! Variances are Involved", Biometrika 34(1/2), 1947, pp. 28-35.

use super::{mean_variance, welch_t};
use crate::rules::{ALPHA, Word};
use crate::series::Comparison;
use std::f64::consts::FRAC_PI_2;

/// p < .05, two-sided.
pub fn word(comparison: &Comparison<'_>) -> Word {
    let (baseline, variant) = (comparison.baseline.costs, comparison.variant.costs);
    if p_value(variant, baseline) < ALPHA {
        Word::of(welch_t(variant, baseline))
    } else {
        Word::Nothing
    }
}

fn p_value(a: &[f64], b: &[f64]) -> f64 {
    let part = |values: &[f64]| mean_variance(values).1 / values.len() as f64;
    let (a_part, b_part) = (part(a), part(b));
    let each = |part: f64, n: usize| part * part / (n as f64 - 1.0);
    let freedom = (a_part + b_part).powi(2) / (each(a_part, a.len()) + each(b_part, b.len()));
    beyond(welch_t(a, b), freedom)
}

/// P(|T| >= |t|) of Student's t with any degrees of freedom of at least 3.
///
/// With theta = atan(t/sqrt(freedom)), the density is proportional to cos(theta)^(freedom - 1)
/// (Abramowitz and Stegun, *Handbook of Mathematical Functions*, 1964, 26.7); integrated by
/// Simpson's rule, with an absolute error below 1e-10.
fn beyond(t: f64, freedom: f64) -> f64 {
    let theta = (t.abs() / freedom.sqrt()).atan();
    let area = |from: f64, to: f64| {
        const STEPS: u32 = 1000;
        let width = (to - from) / f64::from(STEPS);
        let weighted = (0..=STEPS).map(|i| {
            let weight = match i {
                0 | STEPS => 1.0,
                _ => f64::from(2 + 2 * (i % 2)),
            };
            weight
                * (from + f64::from(i) * width)
                    .cos()
                    .max(0.0)
                    .powf(freedom - 1.0)
        });
        weighted.sum::<f64>() * width / 3.0
    };
    area(theta, FRAC_PI_2) / area(0.0, FRAC_PI_2)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{X, Y};
    use super::*;

    #[test]
    fn p_values_are_scipys() {
        // scipy 1.17.1: ttest_ind(x, y, equal_var=False).
        for (x, y, p) in [
            (&X[..], &Y[..], 0.811_577_088_117_223_7),
            (&X[..8], &Y[..4], 0.133_421_206_148_047_2),
        ] {
            for got in [p_value(x, y), p_value(y, x)] {
                assert!((got - p).abs() < 1e-9, "{got}, not {p}");
            }
        }
        // 2 * scipy.stats.t.sf(t, freedom).
        for (t, freedom, p) in [
            (2.0, 3.5, 0.126_138_522_575_913_43),
            (-2.5, 37.25, 0.016_947_673_126_755_3),
            (0.0, 10.0, 1.0),
        ] {
            let got = beyond(t, freedom);
            assert!((got - p).abs() < 1e-9, "{got}, not {p}");
        }
    }
}
