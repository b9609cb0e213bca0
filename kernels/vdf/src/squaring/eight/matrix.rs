//! Steps of a reduction as a matrix, and what it does to long numbers.

use super::vector::*;
use core::arch::x86_64::*;

/// A matrix of determinant one, as integers in floating point that are below `2^52`.
#[derive(Clone, Copy)]
pub(super) struct Matrix(pub(super) [[Floats; 2]; 2]);

impl Matrix {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn identity() -> Self {
        let (zero, one) = (_mm512_setzero_pd(), _mm512_set1_pd(1.0));
        Self([[one, zero], [zero, one]])
    }

    /// This one after `first`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn after(&self, first: &Self) -> Self {
        let [[p, q], [r, s]] = self.0;
        let [above, below] = first.0;
        let entry = |a, b, i: usize| _mm512_fmadd_pd(a, above[i], _mm512_mul_pd(b, below[i]));
        Self([
            [entry(p, q, 0), entry(p, q, 1)],
            [entry(r, s, 0), entry(r, s, 1)],
        ])
    }

    /// What it takes two leading parts to. They nearly cancel in it, so products are taken
    /// with their rounding errors.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn of_windows(&self, x: Window, y: Window) -> [Floats; 2] {
        let row = |p, q| {
            let (px, qy) = (_mm512_mul_pd(p, x.high), _mm512_mul_pd(q, y.high));
            let errors = _mm512_add_pd(
                _mm512_fmsub_pd(p, x.high, px),
                _mm512_fmsub_pd(q, y.high, qy),
            );
            let low = _mm512_fmadd_pd(p, x.low, _mm512_fmadd_pd(q, y.low, errors));
            _mm512_add_pd(_mm512_add_pd(px, qy), low)
        };
        self.0.map(|[p, q]| row(p, q))
    }

    /// For products with digits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn to_digits(self) -> Steps {
        // Products read the lower 52 bits, as if a negative entry were larger by 2^52.
        Steps(self.0.map(|row| {
            row.map(|entry| {
                let entry = _mm512_cvtpd_epi64(entry);
                (entry, _mm512_movepi64_mask(entry))
            })
        }))
    }
}

/// Entries, and where they are negative.
#[derive(Clone, Copy)]
pub(super) struct Steps([[(Ints, Set); 2]; 2]);

impl Steps {
    /// Takes `x` and `y` to `p x + q y` and `r x + s y`, which must have as many digits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn apply(&self, x: &mut [Ints], y: &mut [Ints]) {
        let Self([[(p, p_below), (q, q_below)], [(r, r_below), (s, s_below)]]) = *self;
        let mask = _mm512_set1_epi64(MASK);
        let zero = _mm512_setzero_si512();
        // Of the digit below: high halves, and what negative entries take off.
        let (mut above_x, mut above_y) = (zero, zero);
        let (mut carry_x, mut carry_y) = (zero, zero);
        for (x, y) in x.iter_mut().zip(y) {
            let (a, b) = (*x, *y);
            let sum = _mm512_madd52lo_epu64(_mm512_madd52lo_epu64(above_x, p, a), q, b);
            let sum = _mm512_add_epi64(sum, carry_x);
            *x = _mm512_and_si512(sum, mask);
            carry_x = _mm512_srai_epi64::<52>(sum);
            let sum = _mm512_madd52lo_epu64(_mm512_madd52lo_epu64(above_y, r, a), s, b);
            let sum = _mm512_add_epi64(sum, carry_y);
            *y = _mm512_and_si512(sum, mask);
            carry_y = _mm512_srai_epi64::<52>(sum);
            above_x = _mm512_madd52hi_epu64(_mm512_maskz_sub_epi64(p_below, zero, a), p, a);
            above_x = _mm512_mask_sub_epi64(above_x, q_below, above_x, b);
            above_x = _mm512_madd52hi_epu64(above_x, q, b);
            above_y = _mm512_madd52hi_epu64(_mm512_maskz_sub_epi64(r_below, zero, a), r, a);
            above_y = _mm512_mask_sub_epi64(above_y, s_below, above_y, b);
            above_y = _mm512_madd52hi_epu64(above_y, s, b);
        }
    }
}
