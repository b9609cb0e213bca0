//! Duet: both programs at the same moment, each on a processor of its own.
//!
//! Source of the procedure: L. Bulej, V. Horký, P. Tůma, F. Farquet and A. Prokopec, "Duet
//! Benchmarking: Improving Measurement Accuracy in the Cloud", ICPE 2020,
//! doi 10.1145/3358960.3379132; used again in arXiv 2511.03533. What disturbs the machine then
//! disturbs both alike.
//!
//! A round here is two pairs with the processors swapped, and its value the mean of both log
//! ratios. Different is what a 95 % percentile bootstrap of the median of the rounds excludes 0
//! from. The swap and this statistic are chosen here, not taken from the paper.

use crate::rules::{ALPHA, Word};
use karat_judge::{Rng, median, quantile};

const RESAMPLES: usize = 10_000;

/// What the log ratios of the rounds say.
pub fn word(logs: &[f64], seed: u64) -> Word {
    let (low, high) = interval(logs, &mut Rng::new(seed));
    match () {
        () if low > 0.0 => Word::Slower,
        () if high < 0.0 => Word::Faster,
        () => Word::Nothing,
    }
}

/// Percentile interval of the median.
fn interval(logs: &[f64], rng: &mut Rng) -> (f64, f64) {
    let mut drawn = logs.to_vec();
    let mut medians: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            for value in &mut drawn {
                *value = logs[rng.below(logs.len() as u64) as usize];
            }
            median(&drawn).unwrap_or(f64::NAN)
        })
        .collect();
    medians.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| quantile(&medians, share).unwrap_or(f64::NAN);
    (at(ALPHA / 2.0), at(1.0 - ALPHA / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_order_statistics() {
        // The median of 21 draws is at most the k-th of 21 values when 11 or more of the draws
        // are: P(Bin(21, k/21) >= 11) is .018 for k = 6 and .056 for k = 7. So 2.5 % lies at
        // the 7th value, and by symmetry 97.5 % at the 15th.
        let logs: Vec<f64> = (1..=21).map(f64::from).collect();
        assert_eq!(interval(&logs, &mut Rng::new(1)), (7.0, 15.0));
    }

    #[test]
    fn zero_inside_says_nothing() {
        let logs = |shift: f64| {
            (0..21)
                .map(|i| f64::from(i - 10) + shift)
                .collect::<Vec<_>>()
        };
        assert_eq!(word(&logs(0.0), 1), Word::Nothing);
        assert_eq!(word(&logs(5.0), 1), Word::Slower);
        assert_eq!(word(&logs(-5.0), 1), Word::Faster);
    }
}
