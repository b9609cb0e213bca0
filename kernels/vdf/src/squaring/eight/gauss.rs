//! Reduction of a form that is given in floating point.

use super::matrix::Matrix;
use super::vector::*;
use core::arch::x86_64::*;

/// Reduces `a x^2 + b x y + c y^2`, and gives the new basis in terms of the old one.
/// Rounding may leave a form that is not quite reduced.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn reduce(mut a: Floats, mut b: Floats, mut c: Floats) -> Matrix {
    let half = _mm512_set1_pd(0.5);
    let Matrix([[mut p, mut q], [mut r, mut s]]) = Matrix::identity();
    // Each step makes a coefficient smaller by some bits; there are few.
    for _ in 0..64 {
        let by = round(_mm512_div_pd(_mm512_mul_pd(b, half), c));
        a = _mm512_fnmadd_pd(by, _mm512_fnmadd_pd(by, c, b), a);
        b = _mm512_fnmadd_pd(_mm512_add_pd(by, by), c, b);
        p = _mm512_fnmadd_pd(by, r, p);
        q = _mm512_fnmadd_pd(by, s, q);
        let moved = _mm512_cmp_pd_mask::<_CMP_NEQ_OQ>(by, _mm512_setzero_pd());
        let by = round(_mm512_div_pd(_mm512_mul_pd(b, half), a));
        c = _mm512_fnmadd_pd(by, _mm512_fnmadd_pd(by, a, b), c);
        b = _mm512_fnmadd_pd(_mm512_add_pd(by, by), a, b);
        r = _mm512_fnmadd_pd(by, p, r);
        s = _mm512_fnmadd_pd(by, q, s);
        let moved = moved | _mm512_cmp_pd_mask::<_CMP_NEQ_OQ>(by, _mm512_setzero_pd());
        if moved == 0 {
            break;
        }
    }
    // The smaller value first: (v, w) becomes (w, -v).
    let turn = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(a, c);
    let swap = |v, w| {
        let minus = _mm512_sub_pd(_mm512_setzero_pd(), v);
        (
            _mm512_mask_mov_pd(v, turn, w),
            _mm512_mask_mov_pd(w, turn, minus),
        )
    };
    let ((p, r), (q, s)) = (swap(p, r), swap(q, s));
    Matrix([[p, q], [r, s]])
}
