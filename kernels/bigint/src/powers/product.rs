//! The product of eight numbers by eight others, in digits of 52 bits.
//!
//! Montgomery's product with the quotient digits taken as the product goes on (Koç, Acar
//! and Kaliski, "Analyzing and comparing Montgomery multiplication algorithms", IEEE Micro
//! 16(3), 1996: CIOS). Digits are sums of products without carries until the end.
//!
//! Limit: `4 L^2` multiply-adds of eight lanes. At one a cycle that is 200 cycles a number
//! for L = 20 (1024 bits).

use super::lanes::{Moduli, Number, ZERO};
use super::vector::{Eight, MASK};
use crate::lanes::Lanes;

/// `a b / R`, and twice that in lanes of which all bits of `double` are set, not none. For
/// factors below four times the modulus the product is below twice the modulus, before it
/// is doubled.
///
/// # Safety
/// The CPU must have the ISAs of `V`, and the caller must be compiled for them.
#[inline(always)]
pub(super) unsafe fn multiply<V: Eight, const L: usize>(
    a: &Number<L>,
    b: &Number<L>,
    moduli: &Moduli<L>,
    double: &Lanes,
) -> Number<L> {
    // SAFETY: the caller's promise.
    unsafe {
        let inverse = V::load(&moduli.inverse);
        let zero = V::splat(0);
        // Each is below 4 L 2^52 < 2^60: four numbers of 52 bits in each of L rounds.
        let mut sums = [zero; L];
        for b in b {
            let b = V::load(b);
            for (sum, a) in sums.iter_mut().zip(a) {
                *sum = sum.add_low(V::load(a), b);
            }
            let quotient = zero.add_low(sums[0], inverse);
            for (sum, m) in sums.iter_mut().zip(&moduli.digits) {
                *sum = sum.add_low(V::load(m), quotient);
            }
            // The lower 52 bits are zero now: the sums move down by a digit.
            let carry = sums[0].shr_52();
            for i in 0..L {
                let above = if i + 1 < L { sums[i + 1] } else { zero };
                let above = above.add_high(V::load(&a[i]), b);
                sums[i] = above.add_high(V::load(&moduli.digits[i]), quotient);
            }
            sums[0] = sums[0].add(carry);
        }
        let (mask, double) = (V::splat(MASK), V::load(double));
        let mut carry = zero;
        let mut product = [ZERO; L];
        for (digit, sum) in product.iter_mut().zip(sums) {
            let sum = sum.add(sum.and(double)).add(carry);
            sum.and(mask).store(digit);
            carry = sum.shr_52();
        }
        product
    }
}
