//! Order statistics, and the standard deviation.

/// Quantile `q` (0 to 1) of costs in ascending order, linear between neighbours; the unit is
/// that of the costs. `None` when there are no costs or `q` is outside 0 to 1.
///
/// Type 7 (the default of R and NumPy): R. Hyndman and Y. Fan, "Sample Quantiles in
/// Statistical Packages", The American Statistician 50(4), 1996, pp. 361-365.
#[must_use]
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    if sorted.is_empty() || !(0.0..=1.0).contains(&q) {
        return None;
    }
    let at = q * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    let share = at - at.floor();
    // Without the branch two infinite neighbours would give NaN.
    Some(if share == 0.0 || below == above {
        below
    } else {
        below + share * (above - below)
    })
}

/// Median of costs in any order; `None` when there are none.
#[must_use]
pub fn median(costs: &[f64]) -> Option<f64> {
    let mut sorted = costs.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

/// Sample standard deviation (n-1) of two values or more.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}
