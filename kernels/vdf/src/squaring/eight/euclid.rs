//! The Euclidean algorithm in lanes.
//!
//! Quotients are those of leading parts in floating point, rounded to about the nearest
//! integer, by approximate reciprocals. They need not be right: any of them makes a step
//! of determinant one, and a bad one only reduces less. So there is no condition on them
//! (as Collins' for exact quotients), but steps end where numbers are as small as the
//! error that leading parts have. Numbers and cofactors have signs.

use super::matrix::{Matrix, Steps};
use super::vector::*;
use core::arch::x86_64::*;

/// A pair of remainders and their cofactors: each remainder is congruent to its cofactor
/// times the second number, modulo the first one. `x v - y u` stays what it was.
pub(super) struct Euclid<const N: usize> {
    pub(super) x: Digits<N>,
    pub(super) y: Digits<N>,
    pub(super) u: Digits<N>,
    pub(super) v: Digits<N>,
    /// Digits in use of remainders.
    pub(super) len: usize,
    /// Digits in use of cofactors.
    pub(super) grown: usize,
}

/// Bits that a stage of steps takes off: leading parts have 53, and their errors grow as
/// fast as remainders fall.
const STAGE: f64 = 1.0 / (1u64 << 25) as f64;

/// Matrices that are tried before it is given up: each but the last takes off 48 bits.
const fn most(digits: usize) -> usize {
    2 * digits + 4
}

impl<const N: usize> Euclid<N> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn new(x: &Digits<N>, y: &Digits<N>) -> Self {
        let zeros = [_mm512_setzero_si512(); N];
        let mut v = zeros;
        v[0] = _mm512_set1_epi64(1);
        Self {
            x: *x,
            y: *y,
            u: zeros,
            v,
            len: N,
            grown: 1,
        }
    }

    /// Goes on until one of two remainders is zero. Gives the lanes where it is.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn finish(&mut self) -> Set {
        for _ in 0..most(N) {
            self.shrink();
            let (x, y) = (window(&self.x, self.len), window(&self.y, self.len));
            // Four digits are the whole number.
            let whole = self.len == 4;
            let least = _mm512_set1_pd(if whole { 1.0 } else { DIGIT });
            let smaller = _mm512_min_pd(_mm512_abs_pd(x.high), _mm512_abs_pd(y.high));
            let left = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(smaller, least);
            if whole && left == 0 {
                return !0;
            }
            self.step(x, y, least);
        }
        0
    }

    /// Goes on until one of two remainders is below a limit. Gives the lanes where it is.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn reduce(&mut self, limit: Floats) -> Set {
        for _ in 0..most(N) {
            self.shrink();
            let (x, y) = (window(&self.x, self.len), window(&self.y, self.len));
            let least = _mm512_mul_pd(limit, _mm512_set1_pd(power(-self.unit())));
            let smaller = _mm512_min_pd(_mm512_abs_pd(x.high), _mm512_abs_pd(y.high));
            let left = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(smaller, least);
            if left == 0 {
                return !0;
            }
            self.step(x, y, least);
        }
        0
    }

    /// Bits below a window of remainders.
    #[inline]
    pub(super) const fn unit(&self) -> i32 {
        52 * (self.len as i32 - 4)
    }

    /// Leaves out digits that no remainder needs.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn shrink(&mut self) {
        while self.len > 4 {
            let end = self.len - 1;
            let fits_both = fits(&self.x[..=end], end) & fits(&self.y[..=end], end);
            if fits_both != !0 {
                return;
            }
            self.len = end;
        }
    }

    /// Two stages of steps, and what they do to all numbers. Neither goes on below `least`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn step(&mut self, x: Window, y: Window, least: Floats) {
        let stage = _mm512_set1_pd(STAGE);
        let (of_x, of_y) = (_mm512_abs_pd(x.high), _mm512_abs_pd(y.high));
        let (larger, smaller) = (_mm512_max_pd(of_x, of_y), _mm512_min_pd(of_x, of_y));
        let one = _mm512_mul_pd(larger, stage);
        // Where entries would leave a digit, after both stages.
        let least = _mm512_max_pd(least, _mm512_mul_pd(one, stage));
        // A quotient of more bits is taken whole.
        let limit = _mm512_max_pd(_mm512_min_pd(one, smaller), least);
        let first = steps(x.high, y.high, limit);
        let [x, y] = first.of_windows(x, y);
        let larger = _mm512_max_pd(_mm512_abs_pd(x), _mm512_abs_pd(y));
        let limit = _mm512_max_pd(_mm512_mul_pd(larger, stage), least);
        let second = steps(x, y, limit);
        self.apply(&second.after(&first).to_digits());
    }

    /// Applies steps to remainders and cofactors.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn apply(&mut self, steps: &Steps) {
        steps.apply(&mut self.x[..self.len], &mut self.y[..self.len]);
        self.grow();
        steps.apply(&mut self.u[..self.grown], &mut self.v[..self.grown]);
    }

    /// Gives cofactors one more digit, while there is room.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn grow(&mut self) {
        if self.grown < N {
            self.u[self.grown] = sign_digit(self.u[self.grown - 1]);
            self.v[self.grown] = sign_digit(self.v[self.grown - 1]);
            self.grown += 1;
        }
    }
}

/// Steps as long as both numbers are at least `limit`, which is above zero.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn steps(mut x: Floats, mut y: Floats, limit: Floats) -> Matrix {
    let Matrix([[mut p, mut q], [mut r, mut s]]) = Matrix::identity();
    let mut of_y = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(_mm512_abs_pd(y), limit);
    // Leading parts have 53 bits, so no more steps are of use.
    for _ in 0..64 {
        let quotient = _mm512_mul_pd(x, _mm512_rcp14_pd(y));
        let quotient = round_where(of_y, quotient);
        x = _mm512_fnmadd_pd(quotient, y, x);
        p = _mm512_fnmadd_pd(quotient, r, p);
        q = _mm512_fnmadd_pd(quotient, s, q);
        let of_x = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(_mm512_abs_pd(x), limit);
        let quotient = _mm512_mul_pd(y, _mm512_rcp14_pd(x));
        let quotient = round_where(of_x, quotient);
        y = _mm512_fnmadd_pd(quotient, x, y);
        r = _mm512_fnmadd_pd(quotient, p, r);
        s = _mm512_fnmadd_pd(quotient, q, s);
        of_y = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(_mm512_abs_pd(y), limit);
        if of_x & of_y == 0 {
            break;
        }
    }
    Matrix([[p, q], [r, s]])
}

/// The nearest integers in some lanes, zero in the others.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn round_where(lanes: Set, number: Floats) -> Floats {
    _mm512_maskz_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(lanes, number)
}

/// Two to some power.
#[inline]
pub(super) const fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
