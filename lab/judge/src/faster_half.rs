//! The arm statistic: the mean of the faster half.

/// Mean of the smallest `ceil(n/2)` costs; NaN when there are none.
///
/// A *cost* is lower-is-better, in any unit: seconds, or 1/throughput. The result has the
/// same unit. Disturbances only ever slow a run down, so the faster half is the part of the
/// sample that says something about the program. It ignores the tail by intent: report
/// upper quantiles beside it.
///
/// This is a one-sided trimmed mean (half of the sample trimmed at the top).
#[must_use]
pub fn faster_half_mean(costs: &[f64]) -> f64 {
    let mut sorted = costs.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let half = faster_half_len(sorted.len());
    // Divided before the sum, so that costs near the largest f64 do not overflow.
    let mean: f64 = sorted[..half].iter().map(|c| c / half as f64).sum();
    if half == 0 { f64::NAN } else { mean }
}

/// How many of `n` costs the faster half holds: `ceil(n/2)`.
pub(crate) fn faster_half_len(n: usize) -> usize {
    n.div_ceil(2)
}
