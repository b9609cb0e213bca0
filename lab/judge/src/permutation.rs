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
//! leaves the others alone, so T of a swap is a sum of n signed numbers ([`sign_p`]). With
//! several layouts labels are swapped inside every round of every layout, and T is the mean of
//! the layouts'.
//!
//! Sources: P. Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*, 3rd ed.,
//! Springer 2005 (matched pairs); F. Pesarin and L. Salmaso, *Permutation Tests
//! for Complex Data*, Wiley 2010 (paired data).

use crate::paired::Paired;
use crate::signs::sign_p;

/// Two-sided p of the hypothesis that the log ratio is `shift` (0: no difference), over all
/// label swaps: exact or nearly so, as [`sign_p`] says.
#[must_use]
pub fn p_value(data: &Paired, shift: f64) -> f64 {
    sign_p(&data.scores(shift))
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
