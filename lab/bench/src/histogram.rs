//! Shares of batches by the cycles they took: `99 %: 11719`.

use serde::Serialize;

/// Finer than so many parts of a typical value, two batches are not told apart: clock and
/// timer are not read more finely.
const PARTS: f64 = 100.0;

/// Calls that cycles are counted for when a call takes too few of them.
const THOUSAND: u64 = 1000;

/// How often batches took how many core cycles.
///
/// A kernel with one speed has one line with nearly all batches; two lines with large shares
/// are two speeds (alignment of inputs, a slow path, a clock that changes), which a mean hides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// Calls that [`Share::cycles`] counts: 1, or 1000 when the arm takes less than 100 cycles
    /// a call, so that one cycle is never more than a percent. The text divides by it again.
    pub calls: u64,
    /// Whole cycles that one value stands for: 1, 2 or 5 times a power of ten, up to 1 % of
    /// the median; [`Share::cycles`] is the middle of them.
    pub width: u64,
    /// Batches counted.
    pub batches: u64,
    /// The values, the most frequent first; equal ones in ascending order.
    pub shares: Vec<Share>,
}

/// One value of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Core cycles for [`Histogram::calls`] calls.
    pub cycles: u64,
    /// Batches with that value, in percent of all.
    pub percent: f64,
}

impl Histogram {
    /// Counts batches by their core cycles per call.
    pub(crate) fn new(cycles_per_call: &[f64]) -> Self {
        let typical = karat_judge::median(cycles_per_call).unwrap_or(0.0);
        let calls = if typical < PARTS { THOUSAND } else { 1 };
        let cycles: Vec<f64> = cycles_per_call.iter().map(|c| c * calls as f64).collect();
        let width = width(typical * calls as f64);
        let mut bins: Vec<u64> = cycles
            .iter()
            .map(|c| (c / width as f64).round() as u64 * width)
            .collect();
        bins.sort_unstable();
        let total = bins.len() as f64;
        let mut shares: Vec<Share> = bins
            .chunk_by(|a, b| a == b)
            .map(|same| Share {
                cycles: same[0],
                percent: same.len() as f64 * 100.0 / total,
            })
            .collect();
        // Stable, so that equal shares stay in ascending order of cycles.
        shares.sort_by(|a, b| b.percent.total_cmp(&a.percent));
        Self {
            calls,
            width,
            batches: bins.len() as u64,
            shares,
        }
    }
}

/// The largest of 1, 2, 5, 10, 20, … that is at most a hundredth of `typical`, at least 1.
fn width(typical: f64) -> u64 {
    let most = typical / PARTS;
    if !(most >= 1.0 && most.is_finite()) {
        return 1;
    }
    let power = 10_f64.powi(most.log10().floor() as i32);
    let step = [5.0, 2.0, 1.0].into_iter().find(|s| s * power <= most);
    ((step.unwrap_or(1.0) * power) as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_comes_first_and_shares_sum_to_all() {
        let h = Histogram::new(&[100.2, 207.0, 99.9, 100.1, 150.0, 151.4, 99.6]);
        assert_eq!((h.calls, h.width, h.batches), (1, 1, 7));
        let values: Vec<u64> = h.shares.iter().map(|s| s.cycles).collect();
        assert_eq!(values, [100, 150, 151, 207]);
        assert!((h.shares[0].percent - 400.0 / 7.0).abs() < 1e-9);
        let sum: f64 = h.shares.iter().map(|s| s.percent).sum();
        assert!((sum - 100.0).abs() < 1e-9);
    }

    #[test]
    fn few_cycles_are_counted_for_a_thousand_calls() {
        let h = Histogram::new(&[11.719, 11.722, 22.699]);
        let values: Vec<u64> = h.shares.iter().map(|s| s.cycles).collect();
        assert_eq!((h.calls, h.width), (1000, 100));
        assert_eq!(values, [11_700, 22_700]);
    }

    #[test]
    fn a_value_stands_for_a_hundredth_at_most() {
        let widths = [
            0.0, 99.0, 100.0, 199.0, 200.0, 499.0, 500.0, 1000.0, 12_345.0,
        ]
        .map(width);
        assert_eq!(widths, [1, 1, 1, 1, 2, 2, 5, 10, 100]);
        assert_eq!((width(f64::NAN), width(f64::INFINITY)), (1, 1));
    }

    #[test]
    fn no_batches_have_no_shares() {
        assert!(Histogram::new(&[]).shares.is_empty());
    }
}
