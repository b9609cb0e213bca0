//! The label-swap permutation test inside rounds.
//!
//! Every round runs both arms in random order. If the variant differs from the baseline only
//! by a factor exp(`shift`), then dividing its costs by that factor makes the two labels of
//! a round exchangeable: each round's labels may be swapped with probability 1/2 without
//! changing the distribution of anything. The test needs no assumption on the noise, on
//! drift between rounds, or on outliers.
//!
//! Statistic: T = ln(faster-half mean of the variant / that of the baseline), two-sided:
//! p is the share of swaps with |T| at least the observed |T|.
//!
//! Swapping a round whose costs are in neither faster half changes nothing, so swaps tie and
//! the test errs on the cautious side: its true level is somewhat below the stated one. Under
//! strong drift (rounds of one phase slower than all of another) only the fast phase counts:
//! still valid, with the power of about half the rounds.
//!
//! Sources: P. Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*, 3rd ed.,
//! Springer 2005 (matched pairs); F. Pesarin and L. Salmaso, *Permutation Tests
//! for Complex Data*, Wiley 2010 (paired data).

use crate::paired::Paired;
use crate::swap_table::SwapTable;
use crate::swaps::Swaps;

/// Relative slack under which two statistics are tied: sums are added in different orders.
const TIE: f64 = 1e-12;
/// Swaps that the standard deviation is taken from; it is then known to about 1 %.
const SD_SWAPS: u64 = 4_096;

/// Two-sided p of the hypothesis that the log ratio is `shift` (0: no difference).
///
/// Exact when `swaps` holds all swaps, otherwise a valid Monte Carlo p. The same plan
/// (same seed) gives common random numbers at every shift.
#[must_use]
pub fn p_value(data: &Paired, shift: f64, swaps: &Swaps) -> f64 {
    p_at_distance(data, shift - data.log_ratio(), swaps)
}

/// [`p_value`] at the estimate plus `distance`.
pub(crate) fn p_at_distance(data: &Paired, distance: f64, swaps: &Swaps) -> f64 {
    let mut table = SwapTable::new(data.baseline(), data.variant(), (-distance).exp());
    // |ln(a/b)| >= |distance| without a logarithm per swap.
    let factor = (distance.abs() * (1.0 - TIE)).exp() * (1.0 - TIE);
    let mut hits = 0u64;
    swaps.for_each(|swap| {
        let (a, b) = table.arm_sums(swap);
        hits += u64::from(a.max(b) >= factor * a.min(b));
    });
    swaps.p(hits)
}

/// Standard deviation of the log ratio under swaps, with the estimated effect removed.
///
/// It is the noise of the estimate at this number of rounds, in log units.
#[must_use]
pub fn permutation_sd(data: &Paired, swaps: &Swaps) -> f64 {
    let mut table = SwapTable::new(data.baseline(), data.variant(), 1.0);
    let (mut count, mut squares) = (0u64, 0.0);
    swaps.at_most(SD_SWAPS).for_each(|swap| {
        let (a, b) = table.arm_sums(swap);
        let t = (b / a).ln();
        count += 1;
        squares += t * t;
    });
    // The mean is 0 by symmetry: swapping all rounds changes the sign.
    (squares / count as f64).sqrt()
}
