//! Products by fused multiply-adds of floating point numbers; how, says
//! [`powers::avx2`](crate::powers::avx2).

use super::portable;
use crate::lanes::Lanes;
use crate::powers::avx2::{BITS, BOTH, HIGH, LOW, MASK, load, number, shift, store};
use core::arch::x86_64::*;

/// # Safety
/// The CPU must have AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn multiply(out: &mut [Lanes], a: &[Lanes], b: &[Lanes]) {
    for half in 0..2 {
        match a.len() {
            ..=11 => rows::<11>(out, a, b, half),
            12..=21 => rows::<21>(out, a, b, half),
            22..=42 => rows::<42>(out, a, b, half),
            _ => return portable::multiply_by::<{ BITS as u32 }>(out, a, b),
        }
    }
}

/// Row by row, for four lanes of at most `L` digits. Sums have too much what floating point
/// numbers are read as; it is taken off beforehand.
#[target_feature(enable = "avx2,fma")]
fn rows<const L: usize>(out: &mut [Lanes], a: &[Lanes], b: &[Lanes], half: usize) {
    let len = a.len();
    let mut factor = [_mm256_setzero_pd(); L];
    let mut sums = [_mm256_setzero_si256(); L];
    let (factor, sums) = (&mut factor[..len], &mut sums[..len]);
    let low_bits = LOW.to_bits() as i64;
    for (i, (factor, sum)) in factor.iter_mut().zip(&mut *sums).enumerate() {
        *factor = number(load(&a[i], half));
        let too_much = low_bits.wrapping_add((i as i64).wrapping_mul(BOTH));
        *sum = _mm256_set1_epi64x(too_much.wrapping_neg());
    }
    let mask = _mm256_set1_epi64x(MASK);
    let mut carry = _mm256_setzero_si256();
    for (row, b) in b.iter().enumerate() {
        let b = number(load(b, half));
        let (low, mut above) = one(factor[0], b);
        let lowest = _mm256_add_epi64(_mm256_add_epi64(sums[0], low), carry);
        store(&mut out[row], half, _mm256_and_si256(lowest, mask));
        carry = shift(lowest);
        for i in 1..len {
            let (low, next) = one(factor[i], b);
            let sum = _mm256_add_epi64(sums[i], low);
            sums[i - 1] = _mm256_add_epi64(sum, above);
            above = next;
        }
        let rows = (len - 1 - row) as i64;
        let too_much = (HIGH.to_bits() as i64).wrapping_add(rows.wrapping_mul(BOTH));
        let fresh = _mm256_set1_epi64x(too_much.wrapping_neg());
        sums[len - 1] = _mm256_add_epi64(fresh, above);
    }
    for (sum, out) in sums.iter().zip(&mut out[len..]) {
        let sum = _mm256_add_epi64(*sum, carry);
        store(out, half, _mm256_and_si256(sum, mask));
        carry = shift(sum);
    }
}

/// The low and the high half of `a b`, as integers that are too large by `LOW`'s and
/// `HIGH`'s bits.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn one(a: __m256d, b: __m256d) -> (__m256i, __m256i) {
    let above = _mm256_fmadd_pd(a, b, _mm256_set1_pd(HIGH));
    let rest = _mm256_sub_pd(_mm256_set1_pd(HIGH + LOW), above);
    let low = _mm256_fmadd_pd(a, b, rest);
    (_mm256_castpd_si256(low), _mm256_castpd_si256(above))
}
