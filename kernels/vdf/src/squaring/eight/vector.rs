//! Eight numbers side by side, one in a lane: digits of 52 bits, two's complement.

use core::arch::x86_64::*;

/// Eight integers of 64 bits, or eight digits.
pub(super) type Ints = __m512i;
/// Eight floating point numbers.
pub(super) type Floats = __m512d;
/// A set of lanes.
pub(super) type Set = __mmask8;
/// Eight numbers of `N` digits, the least significant first. A number is what its digits
/// say modulo `2^(52 N)`, and the highest bit is the sign.
pub(super) type Digits<const N: usize> = [Ints; N];

/// The lower 52 bits.
pub(super) const MASK: i64 = (1 << 52) - 1;
/// What a digit is worth, beside the one below.
pub(super) const DIGIT: f64 = (1u64 << 52) as f64;

/// Digits whose sums have not been carried yet, carried.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn carry<const N: usize>(digits: &mut Digits<N>) {
    let mask = _mm512_set1_epi64(MASK);
    let mut carry = _mm512_setzero_si512();
    for digit in digits {
        let sum = _mm512_add_epi64(*digit, carry);
        *digit = _mm512_and_si512(sum, mask);
        carry = _mm512_srai_epi64::<52>(sum);
    }
}

/// Where a number with this highest digit is negative.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn negative(highest: Ints) -> Set {
    _mm512_test_epi64_mask(highest, _mm512_set1_epi64(1 << 51))
}

/// The digit that follows the highest one in a longer number of the same value.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn sign_digit(highest: Ints) -> Ints {
    _mm512_maskz_set1_epi64(negative(highest), MASK)
}

/// The same numbers, longer.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn extend<const N: usize, const O: usize>(a: &Digits<N>) -> Digits<O> {
    let mut out = [sign_digit(a[N - 1]); O];
    out[..N].copy_from_slice(a);
    out
}

/// In which lanes a number is one of `len` digits.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn fits(digits: &[Ints], len: usize) -> Set {
    let sign = sign_digit(digits[len - 1]);
    let mut fits = !0;
    for digit in &digits[len..] {
        fits = _mm512_mask_cmpeq_epi64_mask(fits, *digit, sign);
    }
    fits
}

/// Products. `O` is `A + B`.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn multiply<const A: usize, const B: usize, const O: usize>(
    a: &Digits<A>,
    b: &Digits<B>,
) -> Digits<O> {
    const { assert!(A + B == O) };
    let mask = _mm512_set1_epi64(MASK);
    let zero = _mm512_setzero_si512();
    // A negative factor is read as 2^(52 N) more, and the other one is taken off there.
    let (a_below, b_below) = (negative(a[A - 1]), negative(b[B - 1]));
    let mut out = [zero; O];
    let mut sums = [zero; B];
    let mut carry = zero;
    for i in 0..A {
        for j in 0..B {
            sums[j] = _mm512_madd52lo_epu64(sums[j], a[i], b[j]);
        }
        let mut lowest = _mm512_add_epi64(sums[0], carry);
        if i >= B {
            lowest = _mm512_mask_sub_epi64(lowest, b_below, lowest, a[i - B]);
        }
        out[i] = _mm512_and_si512(lowest, mask);
        carry = _mm512_srai_epi64::<52>(lowest);
        for j in 0..B {
            let above = if j + 1 < B { sums[j + 1] } else { zero };
            sums[j] = _mm512_madd52hi_epu64(above, a[i], b[j]);
        }
    }
    for j in 0..B {
        let mut sum = _mm512_add_epi64(sums[j], carry);
        sum = _mm512_mask_sub_epi64(sum, a_below, sum, b[j]);
        if A + j >= B {
            sum = _mm512_mask_sub_epi64(sum, b_below, sum, a[A + j - B]);
        }
        out[A + j] = _mm512_and_si512(sum, mask);
        carry = _mm512_srai_epi64::<52>(sum);
    }
    out
}

/// Numbers in floating point, as a sum of two that has some 106 bits, of which the first
/// has the leading ones.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) high: Floats,
    pub(super) low: Floats,
}

/// The four digits that end before `end`, the highest of which has the sign. The lowest
/// of them counts units.
///
/// Each sum is exact (Dekker's), but for the last bits of `low`.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn window(digits: &[Ints], end: usize) -> Window {
    let digits = &digits[end - 4..end];
    let digit = _mm512_set1_pd(DIGIT);
    let top = _mm512_srai_epi64::<12>(_mm512_slli_epi64::<12>(digits[3]));
    let top = _mm512_cvtepi64_pd(top);
    let [zeroth, first, second] = [0, 1, 2].map(|i| _mm512_cvtepi64_pd(digits[i]));
    let high = _mm512_fmadd_pd(top, digit, second);
    let rest = _mm512_add_pd(_mm512_fmsub_pd(top, digit, high), second);
    let next = _mm512_fmadd_pd(rest, digit, first);
    let sum = _mm512_fmadd_pd(high, digit, next);
    let rest = _mm512_add_pd(_mm512_fmsub_pd(high, digit, sum), next);
    let high = _mm512_mul_pd(sum, digit);
    let low = _mm512_fmadd_pd(rest, digit, zeroth);
    let sum = _mm512_add_pd(high, low);
    Window {
        high: sum,
        low: _mm512_add_pd(_mm512_sub_pd(high, sum), low),
    }
}

/// The nearest integers.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn round(number: Floats) -> Floats {
    _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(number)
}
