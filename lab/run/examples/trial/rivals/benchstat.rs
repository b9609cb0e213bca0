//! benchstat: the Mann-Whitney U test.
//!
//! Source: golang.org/x/perf/cmd/benchstat of 2026-09-08, `benchmath/anone.go`, and
//! github.com/aclements/go-moremath of 2021-01-12, `stats/utest.go`: two-sided, exact up to 50
//! values (up to 25 with ties), p = 2 P(U <= the smaller U). `~` stands for p > .05, and
//! otherwise the change of the medians is printed.
//!
//! Test: H. Mann and D. Whitney, "On a Test of Whether one of Two Random Variables is
//! Stochastically Larger than the Other", Annals of Mathematical Statistics 18(1), 1947, pp.
//! 50-60; with ties: J. Klotz, "The Wilcoxon, Ties, and the Computer", Journal of the American
//! Statistical Association 61(315), 1966, pp. 772-787.

use crate::blocks::Comparison;
use crate::rules::{ALPHA, Word};
use karat_judge::median;

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

/// Two-sided exact p, given the ties.
///
/// Counts, one group of equal values after the other, the ways to give k values to the first
/// sample with a sum of ranks r: in double ranks, which are whole numbers.
fn p_value(x: &[f64], y: &[f64]) -> f64 {
    let (n, m) = (x.len(), y.len());
    let mut all = [x, y].concat();
    all.sort_unstable_by(f64::total_cmp);
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
    fn equal_samples_have_nothing_to_say() {
        assert_eq!(p_value(&[1.0; 5], &[1.0; 5]), 1.0);
        assert_eq!(p_value(&X, &X), 1.0);
    }
}
