//! How much neighbours in a series resemble each other, and what that costs: n values of
//! which each resembles the one before say as much as n / [`inflation`] values that do not.
//!
//! r1 is the correlation of the series with itself one place on. Of a short series it comes out
//! too small, by (1 + 4 r1) / n once a mean is taken away: that is added again.
//!
//! [`lag_one_of_steps`] gives the same of a series that may go from one level to another, where
//! each change would count as resemblance: of a first-order autoregression the mean squares of
//! differences two places apart and one place apart are as 1 + r to 1, and the tenth of both
//! that is largest, in which the changes are, is left out.
//!
//! The inflation of a variance of sums is (1 + r) / (1 - r), that of a first-order
//! autoregression, and never below 1: neighbours that repel each other earn nothing.
//!
//! Sources: F. Marriott and J. Pope, "Bias in the Estimation of Autocorrelations", Biometrika
//! 41(3/4), 1954, pp. 390-402; M. Kendall, "Note on Bias in the Estimation of
//! Autocorrelation", the same, pp. 403-404 (bias -(1 + 4 r) / n); N. Matalas and W. Langbein,
//! "Information Content of the Mean", Journal of Geophysical Research 67(9), 1962,
//! pp. 3441-3448 (inflation).

/// Largest correlation that is reckoned with: beyond it a series has no level to speak of,
/// and no number of values would do.
const MOST: f64 = 0.98;

/// Correlation of a series with itself one place on, corrected for its bias; 0 of fewer than
/// four values or of a constant. At least 0, at most 0.98.
pub(crate) fn lag_one(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 4 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / n;
    let all: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    // Equal values leave what rounding leaves.
    let scale = values.iter().fold(0.0, |s: f64, v| s.max(v.abs()));
    if all <= n * (scale * 1e-12).powi(2) {
        return 0.0;
    }
    let pairs: f64 = values
        .windows(2)
        .map(|two| (two[0] - mean) * (two[1] - mean))
        .sum();
    let r = pairs / all;
    (r + (1.0 + 4.0 * r) / n).clamp(0.0, MOST)
}

/// Share of the squared differences that is left out, the largest ones.
const LARGEST: f64 = 0.1;

/// The same of a series that may have changes of level; 0 where most neighbours are equal.
pub(crate) fn lag_one_of_steps(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 8 {
        return 0.0;
    }
    let square = |gap: usize| {
        let pairs = values.iter().zip(&values[gap..]);
        let mut squares: Vec<f64> = pairs.map(|(a, b)| (b - a).powi(2)).collect();
        squares.sort_unstable_by(f64::total_cmp);
        let kept = (squares.len() as f64 * (1.0 - LARGEST)).ceil() as usize;
        squares[..kept].iter().sum::<f64>() / kept as f64
    };
    let (one, two) = (square(1), square(2));
    if one == 0.0 {
        return 0.0;
    }
    let r = two / one - 1.0;
    (r + (1.0 + 4.0 * r) / n).clamp(0.0, MOST)
}

/// What a variance of sums or of ranks grows by.
pub(crate) fn inflation(correlation: f64) -> f64 {
    let r = correlation.clamp(0.0, MOST);
    (1.0 + r) / (1.0 - r)
}

/// Ranks from 1, ties sharing the mean of theirs.
pub(crate) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut out = vec![0.0; values.len()];
    let mut below = 0;
    for ties in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = below as f64 + (ties.len() + 1) as f64 / 2.0;
        for place in ties {
            out[*place] = rank;
        }
        below += ties.len();
    }
    out
}
