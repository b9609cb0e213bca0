//! tango-bench: paired differences, a z score and a threshold.
//!
//! Source: tango-bench 0.9.0, `src/lib.rs` (`calculate_run_result`, `DiffEstimate`,
//! `iqr_variance_thresholds`) and `src/cli.rs`. Significant is |mean/standard error| >= 2.6 of
//! the differences and |mean difference| over the baseline's mean above the noise threshold:
//! 1 % by default (its README says 0.5 %). `-o` first drops outliers. Tango has thousands of
//! pairs of calls in one process; here it gets 20 pairs of processes or more.

use super::mean_variance;
use crate::rules::Word;
use crate::series::Comparison;
use std::ops::RangeInclusive;

const Z: f64 = 2.6;
/// Least interquartile range, in nanoseconds.
const LEAST_RANGE: f64 = 1.0;

/// As it comes.
pub fn by_default(comparison: &Comparison<'_>) -> Word {
    word(comparison, false, 0.01)
}

/// With `--filter-outliers --noise-threshold 0.5`.
pub fn filtered(comparison: &Comparison<'_>) -> Word {
    word(comparison, true, 0.005)
}

fn word(comparison: &Comparison<'_>, filter: bool, threshold: f64) -> Word {
    let (baseline, variant) = (comparison.baseline.costs, comparison.variant.costs);
    let nanoseconds = baseline
        .iter()
        .zip(variant)
        .map(|(b, v)| (b * 1e9, v * 1e9));
    let mut pairs: Vec<(f64, f64)> = nanoseconds.collect();
    let differences = |pairs: &[(f64, f64)]| pairs.iter().map(|(b, v)| v - b).collect::<Vec<_>>();
    if filter && let Some(range) = kept(differences(&pairs)) {
        pairs.retain(|(b, v)| range.contains(&(v - b)));
    }
    let baseline: Vec<f64> = pairs.iter().map(|p| p.0).collect();
    let (mean, variance) = mean_variance(&differences(&pairs));
    let z = mean / (variance / pairs.len() as f64).sqrt();
    let change = mean / mean_variance(&baseline).0;
    if z.abs() >= Z && change.abs() > threshold {
        Word::of(mean)
    } else {
        Word::Nothing
    }
}

/// The range of differences that are no outliers; `None` when all are kept.
///
/// As many are dropped at the top as lie below the first quartile by 1.5 interquartile ranges.
/// The count of those above, which ought to bound that number, is an index from the wrong end in
/// the source and never does; so it is left out here.
fn kept(mut differences: Vec<f64>) -> Option<RangeInclusive<f64>> {
    differences.sort_unstable_by(f64::total_cmp);
    let n = differences.len();
    let (first, third) = (n / 4, (n * 3 / 4).checked_sub(1)?);
    if first >= third {
        return None;
    }
    let range = (differences[third] - differences[first]).max(LEAST_RANGE);
    let low = differences[first] - 1.5 * range;
    let outliers = differences[..first].partition_point(|d| *d < low);
    (outliers > 0).then(|| differences[outliers]..=differences[n - outliers - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Side;

    #[test]
    fn outliers_below_are_dropped_at_both_ends() {
        let body = (0..18).map(f64::from);
        // The quartiles are values 5 and 14 of 20: 4 and 13, so that -9.5 is the bound.
        let with = |extra: [f64; 2]| kept(body.clone().chain(extra).collect());
        assert_eq!(with([-100.0, 500.0]), Some(0.0..=17.0));
        assert_eq!(with([-9.0, 500.0]), None);
        assert_eq!(with([500.0, 600.0]), None);
        assert_eq!(kept(vec![1.0; 3]), None);
    }

    #[test]
    fn both_thresholds_must_be_passed() {
        let base: Vec<f64> = (0..20)
            .map(|i| 0.02 + 1e-6 * f64::from(i * 7 % 5))
            .collect();
        let words = |factor: f64, spread: f64| {
            let spread = |i: usize| 1.0 + spread * (i as f64 - 9.5) / 9.5;
            let variant: Vec<f64> = (0..20).map(|i| base[19 - i] * factor * spread(i)).collect();
            let side = |costs| Side { costs };
            let comparison = Comparison {
                baseline: side(&base),
                variant: side(&variant),
                seed: 0,
            };
            [by_default(&comparison), filtered(&comparison)]
        };
        assert_eq!(words(1.012, 0.001), [Word::Slower; 2]);
        assert_eq!(words(1.008, 0.001), [Word::Nothing, Word::Slower]);
        assert_eq!(words(1.004, 0.001), [Word::Nothing; 2]);
        // z of 1.2 % is (0.012/(0.59/sqrt(20))) at a spread of 1: far below 2.6.
        assert_eq!(words(1.012, 1.0), [Word::Nothing; 2]);
        assert_eq!(words(0.98, 0.001), [Word::Faster; 2]);
    }
}
