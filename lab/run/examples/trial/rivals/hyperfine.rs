//! hyperfine: means, and a ratio with a propagated error.
//!
//! Source: hyperfine 1.20.0, `src/benchmark/relative_speed.rs` and `scheduler.rs`. The slower
//! mean over the faster one is printed with two digits as "times faster", plus or minus
//! ratio * sqrt((sd_a/mean_a)^2 + (sd_b/mean_b)^2); there is no test. Version 2.0 prints the
//! change of the means with one digit of a percent instead, and names no winner.

use super::mean_variance;
use crate::rules::Word;
use crate::series::Comparison;

/// Slower mean over faster mean, its error, and which is slower.
struct Relative {
    ratio: f64,
    error: f64,
    word: Word,
}

fn relative(baseline: &[f64], variant: &[f64]) -> Relative {
    let ((b, b_variance), (v, v_variance)) = (mean_variance(baseline), mean_variance(variant));
    let ratio = if v > b { v / b } else { b / v };
    Relative {
        ratio,
        error: ratio * (b_variance / (b * b) + v_variance / (v * v)).sqrt(),
        word: Word::of(v - b),
    }
}

fn when(comparison: &Comparison<'_>, claims: impl Fn(&Relative) -> bool) -> Word {
    let relative = relative(comparison.baseline.costs, comparison.variant.costs);
    if claims(&relative) {
        relative.word
    } else {
        Word::Nothing
    }
}

/// "A ran ... times faster than B": with any difference of the means.
pub fn winner(comparison: &Comparison<'_>) -> Word {
    when(comparison, |_| true)
}

/// The winner is printed as "1.01 times faster" or more: what a reader takes for a difference.
pub fn printed(comparison: &Comparison<'_>) -> Word {
    when(comparison, |r| (r.ratio * 100.0).round() >= 101.0)
}

/// The ratio less its error is above 1: what a careful reader takes for one.
pub fn beyond_error(comparison: &Comparison<'_>) -> Word {
    when(comparison, |r| r.ratio - r.error > 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{X, Y};
    use super::*;

    #[test]
    fn ratio_and_error_are_numpys() {
        let r = relative(&X, &Y);
        assert!(
            (r.ratio - 1.005_122_620_200_064_3).abs() < 1e-12,
            "{}",
            r.ratio
        );
        assert!(
            (r.error - 0.068_278_940_383_775_72).abs() < 1e-12,
            "{}",
            r.error
        );
        assert_eq!(r.word, Word::Slower);
        let back = relative(&Y, &X);
        assert!((back.ratio - 1.005_122_620_200_064_3).abs() < 1e-12);
        assert_eq!(back.word, Word::Faster);
    }
}
