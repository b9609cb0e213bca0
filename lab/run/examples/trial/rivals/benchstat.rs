//! benchstat: the Mann-Whitney U test.
//!
//! Source: golang.org/x/perf/cmd/benchstat of 2026-09-08, `benchmath/anone.go`, and
//! github.com/aclements/go-moremath of 2021-01-12, `stats/utest.go`: two-sided, exact up to 50
//! values (up to 25 with ties), p = 2 P(U <= the smaller U), beyond that by the normal
//! distribution. `~` stands for p > .05, and
//! otherwise the change of the medians is printed.
//!
//! Test: H. Mann and D. Whitney, "On a Test of Whether one of Two Random Variables is
//! Stochastically Larger than the Other", Annals of Mathematical Statistics 18(1), 1947, pp.
//! 50-60; with ties: J. Klotz, "The Wilcoxon, Ties, and the Computer", Journal of the American
//! Statistical Association 61(315), 1966, pp. 772-787.

use crate::rules::{ALPHA, Word};
use crate::series::Comparison;
use karat_judge::{median, normal_p};

/// The change that benchstat prints.
pub fn word(comparison: &Comparison<'_>) -> Word {
    let (baseline, variant) = (comparison.baseline.costs, comparison.variant.costs);
    if p_value(baseline, variant) > ALPHA {
        return Word::Nothing;
    }
    match (median(baseline), median(variant)) {
        (Some(b), Some(v)) => Word::of(v - b),
        _ => Word::Nothing,
    }
}

/// Most values of a sample for the exact p, without and with ties.
const EXACT: [usize; 2] = [50, 25];

/// Two-sided p.
fn p_value(x: &[f64], y: &[f64]) -> f64 {
    let mut all = [x, y].concat();
    all.sort_unstable_by(f64::total_cmp);
    let ties = all.windows(2).any(|w| w[0] == w[1]);
    if x.len().max(y.len()) <= EXACT[usize::from(ties)] {
        exact(x, y, &all)
    } else {
        approximate(x, y, &all)
    }
}

/// Normal, with corrections for continuity and ties.
fn approximate(x: &[f64], y: &[f64], all: &[f64]) -> f64 {
    let (n, m) = (x.len() as f64, y.len() as f64);
    let (mut before, mut rank_sum, mut tied) = (0.0, 0.0, 0.0);
    let mut own = x.to_vec();
    own.sort_unstable_by(f64::total_cmp);
    for group in all.chunk_by(|a, b| a == b) {
        let ties = group.len() as f64;
        let to = own.partition_point(|v| *v <= group[0]);
        let from = own.partition_point(|v| *v < group[0]);
        rank_sum += (to - from) as f64 * (before + (ties + 1.0) / 2.0);
        tied += ties.powi(3) - ties;
        before += ties;
    }
    let u = rank_sum - n * (n + 1.0) / 2.0;
    let variance = n * m / 12.0 * (n + m + 1.0 - tied / ((n + m) * (n + m - 1.0)));
    let distance = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
    if variance > 0.0 {
        normal_p(distance / variance.sqrt())
    } else {
        1.0
    }
}

/// Given the ties; `all` values in order.
///
/// Counts, one group of equal values after the other, the ways to give k values to the first
/// sample with a sum of ranks r: in double ranks, which are whole numbers.
fn exact(x: &[f64], y: &[f64], all: &[f64]) -> f64 {
    let (n, m) = (x.len(), y.len());
    // ways[k][r]; no r is above the sum of all ranks.
    let mut ways = vec![vec![0.0; (n + m) * (n + m + 1) + 1]; n + 1];
    ways[0][0] = 1.0;
    let (mut before, mut rank_sum) = (0, 0);
    for group in all.chunk_by(|a, b| a == b) {
        let ties = group.len();
        // The mean of the ranks from before + 1 to before + ties, doubled.
        let rank = 2 * before + ties + 1;
        for k in (1..=n).rev() {
            let (fewer, exactly) = ways.split_at_mut(k);
            for taken in 1..=ties.min(k) {
                let choices = binomial(ties, taken);
                let moved = exactly[0][taken * rank..].iter_mut();
                for (to, from) in moved.zip(&fewer[k - taken]) {
                    *to += choices * from;
                }
            }
        }
        rank_sum += rank * x.iter().filter(|v| **v == group[0]).count();
        before += ties;
    }
    let least = n * (n + 1);
    let (u, all_pairs) = (rank_sum - least, 2 * n * m);
    let smaller = u.min(all_pairs - u);
    if 2 * smaller == all_pairs {
        return 1.0;
    }
    let tail: f64 = ways[n][least..=least + smaller].iter().sum();
    2.0 * tail / binomial(n + m, n)
}

/// Exact below 2^53.
fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{TIED_X, TIED_Y, X, Y};
    use super::*;

    #[test]
    fn p_values_are_scipys() {
        for (x, y, p) in [
            // scipy 1.17.1: mannwhitneyu(x, y, method="exact").
            (&X[..], &Y[..], 0.050_324_288_714_381_6),
            (&X[..3], &Y[..12], 0.004_395_604_395_604_396),
            // The same with method=PermutationMethod(n_resamples=inf), which counts all ways.
            (&TIED_X[..], &TIED_Y[..], 0.067_099_567_099_567_1),
        ] {
            for got in [p_value(x, y), p_value(y, x)] {
                assert!((got - p).abs() < 1e-12, "{got}, not {p}");
            }
        }
    }

    #[test]
    fn the_normal_approximation_is_near_the_exact_p() {
        for (x, y) in [(&X[..], &Y[..]), (&TIED_X[..], &TIED_Y[..])] {
            let mut all = [x, y].concat();
            all.sort_unstable_by(f64::total_cmp);
            let (exact, normal) = (exact(x, y, &all), approximate(x, y, &all));
            assert!((exact - normal).abs() < 0.01, "{exact} and {normal}");
        }
        // By hand: U = 0 of 51 and 51 values, z = (1300.5 - 0.5)/sqrt(51*51*103/12).
        let low: Vec<f64> = (0..51).map(f64::from).collect();
        let high: Vec<f64> = low.iter().map(|v| v + 51.0).collect();
        let by_hand = normal_p(1300.0 / (51.0_f64 * 51.0 * 103.0 / 12.0).sqrt());
        assert!((p_value(&low, &high) - by_hand).abs() < 1e-15);
        assert_eq!(p_value(&[1.0; 60], &[1.0; 60]), 1.0);
    }

    #[test]
    fn equal_samples_have_nothing_to_say() {
        assert_eq!(p_value(&[1.0; 5], &[1.0; 5]), 1.0);
        assert_eq!(p_value(&X, &X), 1.0);
    }
}
