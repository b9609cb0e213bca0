//! Quotients in lanes.

use super::vector::*;
use core::arch::x86_64::*;

/// Divides numbers of `R` digits by positive ones of `N`, which have more than
/// `52 (N - 2)` bits: leading parts are exact enough so. `R` is `N + Q + 1` or more, and the quotient is below
/// `2^(52 Q - 2)`. The lowest `N` digits of the numerator become the rest, of a magnitude of
/// about half of the divisor, and those above mean nothing. Quotients are given with digits
/// that are not carried.
///
/// Digit by digit from the highest; each is rounded to the nearest, so that the next one
/// has 52 bits with its sign.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn divide<const N: usize, const R: usize, const Q: usize, const K: usize>(
    numerators: [&mut Digits<R>; K],
    divisor: &Digits<N>,
) -> [Digits<Q>; K] {
    const { assert!(R > N + Q && N > 3) };
    let mask = _mm512_set1_epi64(MASK);
    let zero = _mm512_setzero_si512();
    // The unit is the same as that of the numerator's window, which is one digit higher.
    let by = window(&divisor[..N], N);
    let by = Window {
        high: _mm512_mul_pd(by.high, _mm512_set1_pd(1.0 / DIGIT)),
        low: _mm512_mul_pd(by.low, _mm512_set1_pd(1.0 / DIGIT)),
    };
    let inverse = _mm512_div_pd(_mm512_set1_pd(1.0), by.high);
    let mut quotients = [[zero; Q]; K];
    for place in (0..Q).rev() {
        for k in 0..K {
            let rest = &mut numerators[k][place..=place + N];
            let top = window(rest, N + 1);
            let first = round(_mm512_mul_pd(top.high, inverse));
            let left = _mm512_fnmadd_pd(first, by.high, top.high);
            let left = _mm512_add_pd(left, _mm512_fnmadd_pd(first, by.low, top.low));
            let second = round(_mm512_mul_pd(left, inverse));
            let quotient = _mm512_cvtpd_epi64(_mm512_add_pd(first, second));
            quotients[k][place] = quotient;
            let less = _mm512_sub_epi64(zero, quotient);
            let below = _mm512_movepi64_mask(less);
            let (mut above, mut carry) = (zero, zero);
            for (rest, digit) in rest.iter_mut().zip(divisor) {
                let sum = _mm512_madd52lo_epu64(above, less, *digit);
                let sum = _mm512_add_epi64(_mm512_add_epi64(sum, *rest), carry);
                *rest = _mm512_and_si512(sum, mask);
                carry = _mm512_srai_epi64::<52>(sum);
                above = _mm512_maskz_sub_epi64(below, zero, *digit);
                above = _mm512_madd52hi_epu64(above, less, *digit);
            }
            let sum = _mm512_add_epi64(_mm512_add_epi64(rest[N], above), carry);
            rest[N] = _mm512_and_si512(sum, mask);
        }
    }
    quotients
}
