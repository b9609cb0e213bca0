//! The label-swap permutation test inside rounds.
//!
//! Every round runs both arms in random order. If the variant differs from the baseline only
//! by a factor exp(`shift`), then dividing its costs by that factor makes the two labels of
//! a round exchangeable: each round's labels may be swapped with probability 1/2 without
//! changing the distribution of anything. The test needs no assumption on the noise, on
//! drift between rounds, or on outliers.
//!
//! Statistic: the sum T of the rounds' [`scores`](crate::scores), two-sided: p is the share of
//! swaps with |T| at least the observed |T|. A swap turns the sign of its round's score and
//! leaves the others alone, so T of a swap is a sum of n signed numbers. With several layouts
//! labels are swapped inside every round of every layout, and T is the mean of the layouts'.
//!
//! Sources: P. Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*, 3rd ed.,
//! Springer 2005 (matched pairs); F. Pesarin and L. Salmaso, *Permutation Tests
//! for Complex Data*, Wiley 2010 (paired data).

use crate::paired::Paired;
use crate::swaps::Swaps;

/// Slack, as a share of the sum of |score|, under which two statistics are tied: sums are
/// added in different orders.
const TIE: f64 = 1e-12;

/// Two-sided p of the hypothesis that the log ratio is `shift` (0: no difference).
///
/// Exact when `swaps` holds all swaps, otherwise a valid Monte Carlo p. The same plan
/// (same seed) gives common random numbers at every shift.
#[must_use]
pub fn p_value(data: &Paired, shift: f64, swaps: &Swaps) -> f64 {
    let scores = data.scores(shift);
    let sums = signed_sums(&scores);
    let slack = TIE * scores.iter().map(|d| d.abs()).sum::<f64>();
    let observed = scores.iter().sum::<f64>().abs() - slack;
    let mut hits = 0u64;
    swaps.for_each(|swap| {
        let bytes = swap.iter().flat_map(|word| word.to_le_bytes());
        let t: f64 = sums
            .iter()
            .zip(bytes)
            .map(|(table, byte)| table[usize::from(byte)])
            .sum();
        hits += u64::from(t.abs() >= observed);
    });
    swaps.p(hits)
}

/// Standard deviation of the log ratio under swaps, with each layout's estimated effect
/// removed: sqrt(sum(D^2)), the exact one of a sum of independent signs.
///
/// It is the noise of the estimate at this number of rounds, in log units.
#[must_use]
pub fn permutation_sd(data: &Paired) -> f64 {
    let layouts = data.layouts();
    let squares: f64 = layouts.iter().map(|l| l.sd * l.sd).sum();
    squares.sqrt() / layouts.len() as f64
}

/// For byte j of a swap and its value b, at `[j][b]`: the sum of those eight scores, the
/// swapped ones negative.
fn signed_sums(scores: &[f64]) -> Vec<[f64; 256]> {
    scores
        .chunks(8)
        .map(|eight| {
            let mut table = [eight.iter().sum::<f64>(); 256];
            for value in 1..256usize {
                let round = value.trailing_zeros() as usize;
                let score = eight.get(round).copied().unwrap_or(0.0);
                table[value] = table[value & (value - 1)] - 2.0 * score;
            }
            table
        })
        .collect()
}
