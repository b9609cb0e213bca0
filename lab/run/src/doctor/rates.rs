//! Shares and medians of few observations, with their intervals.

use karat_judge::{median, normal_quantile};
use serde::Serialize;

/// A share with its 95 % interval; all `None` when there is nothing to share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// How many.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// The share.
    pub rate: Option<f64>,
    /// Lower bound.
    pub low: Option<f64>,
    /// Upper bound.
    pub high: Option<f64>,
}

/// Smallest relative change that is found with 80 % power at the level of one
/// comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Detectable {
    /// Rounds it holds for.
    pub rounds: usize,
    /// Median over the comparisons.
    pub median: Option<f64>,
    /// Lower bound of the median: 95 %, by order statistics.
    pub low: Option<f64>,
    /// Upper bound of the median.
    pub high: Option<f64>,
    /// With more rounds; not measured but taken from `median` by 1/sqrt(rounds).
    pub extrapolated: Vec<Extrapolated>,
}

/// A detectable effect that was not measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Extrapolated {
    /// Rounds.
    pub rounds: usize,
    /// The effect, as a ratio.
    pub effect: Option<f64>,
}

impl Rate {
    /// `count` of `of`, with the Wilson score interval, 95 %, without continuity
    /// correction.
    ///
    /// Source: E. Wilson, "Probable Inference, the Law of Succession, and
    /// Statistical Inference", Journal of the American Statistical Association
    /// 22(158), 1927, pp. 209-212.
    #[must_use]
    pub fn new(count: usize, of: usize) -> Self {
        if of == 0 {
            return Self {
                count,
                of,
                rate: None,
                low: None,
                high: None,
            };
        }
        let (n, p) = (of as f64, count as f64 / of as f64);
        let z = normal_quantile(0.975);
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
        // At the ends it is 0 or 1 exactly, but for rounding.
        let low = if count == 0 { 0.0 } else { middle - half };
        let high = if count == of { 1.0 } else { middle + half };
        Self {
            count,
            of,
            rate: Some(p),
            low: Some(low),
            high: Some(high),
        }
    }
}

/// The median of the effects that comparisons of `rounds` rounds could find, and
/// what `more` rounds would make of it.
pub(super) fn detectable(mut effects: Vec<f64>, rounds: usize, more: &[usize]) -> Detectable {
    effects.sort_by(f64::total_cmp);
    let middle = median(&effects);
    let rank = median_rank(effects.len());
    Detectable {
        rounds,
        median: middle,
        low: rank.map(|r| effects[r - 1]),
        high: rank.map(|r| effects[effects.len() - r]),
        extrapolated: more
            .iter()
            .map(|&m| Extrapolated {
                rounds: m,
                effect: middle.map(|e| e * (rounds as f64 / m as f64).sqrt()),
            })
            .collect(),
    }
}

/// The rank from either end, counted from 1, of the values that bound a median
/// with at least 95 %: from the binomial distribution, or from the normal one that
/// comes close to it where 2^-n is no number. `None` for fewer than 6 values.
///
/// Source: H. David and H. Nagaraja, "Order Statistics", 3rd edition, Wiley 2003,
/// section 7.1.
fn median_rank(n: usize) -> Option<usize> {
    if n > 1000 {
        let (n, z) = (n as f64, normal_quantile(0.975));
        return Some((n / 2.0 - z * n.sqrt() / 2.0) as usize);
    }
    let mut term = 0.5_f64.powi(n as i32);
    let (mut below, mut rank) = (term, 0);
    while below <= 0.025 {
        rank += 1;
        term *= (n + 1 - rank) as f64 / rank as f64;
        below += term;
    }
    (rank > 0).then_some(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(rate: Rate, low: f64, high: f64, by: f64) {
        let (l, h) = (rate.low.unwrap(), rate.high.unwrap());
        assert!((l - low).abs() < by && (h - high).abs() < by, "{rate:?}");
    }

    #[test]
    fn wilson_intervals_are_the_published_ones() {
        // R. Newcombe, "Two-sided confidence intervals for the single proportion",
        // Statistics in Medicine 17(8), 1998, table I, method 3.
        close(Rate::new(81, 263), 0.2553, 0.3662, 6e-5);
        close(Rate::new(15, 148), 0.0624, 0.1605, 6e-5);
        close(Rate::new(0, 20), 0.0, 0.1611, 6e-5);
        close(Rate::new(1, 29), 0.0061, 0.1718, 6e-5);
        // By bisection of (x/n - p)^2 = z^2 p (1 - p)/n in Python.
        close(Rate::new(81, 263), 0.255_288_519_9, 0.366_209_577_0, 1e-9);
        close(Rate::new(54, 55), 0.903_942_239_4, 0.996_783_219_5, 1e-9);
        close(Rate::new(20, 20), 0.838_874_841_9, 1.0, 1e-9);
        assert_eq!(Rate::new(0, 7).low, Some(0.0));
        assert_eq!(Rate::new(7, 7).high, Some(1.0));
        assert_eq!(Rate::new(0, 0).rate, None);
    }

    #[test]
    fn medians_are_bounded_by_binomial_ranks() {
        // Sums of binomial coefficients in Python.
        for (n, rank) in [
            (0, None),
            (5, None),
            (6, Some(1)),
            (10, Some(2)),
            (20, Some(6)),
            (55, Some(20)),
        ] {
            assert_eq!(median_rank(n), rank, "{n}");
        }
        let exact = median_rank(1000).unwrap();
        assert!(median_rank(1001).unwrap().abs_diff(exact) <= 1);
    }
}
