//! Squares of eight forms.
//!
//! It is the squaring of [`form::square`](crate::form), step by step. What differs: the
//! quotients of both Euclidean algorithms, which are rounded to the nearest, and that the
//! short basis is reduced before the form is evaluated on it. So what comes out is reduced,
//! unless rounding in the last bit of floating point numbers hid it.

use super::divide::divide;
use super::euclid::{Euclid, power};
use super::gauss;
use super::vector::*;
use core::arch::x86_64::*;

/// Eight forms of `N` digits a coefficient.
#[derive(Clone)]
pub(super) struct Forms<const N: usize> {
    pub(super) a: Digits<N>,
    pub(super) b: Digits<N>,
    pub(super) c: Digits<N>,
}

/// What is needed of discriminants.
pub(super) struct Discriminants {
    /// Fourth roots of the magnitudes.
    pub(super) root: Floats,
    /// Bits of the largest of them, which scale leading parts.
    pub(super) root_bits: i32,
    /// The lowest digit, of a negative number.
    pub(super) lowest: Ints,
}

/// What is between two coefficients and equality when they are compared by leading parts.
const NEARLY: f64 = 1.0 - 1.0 / (1u64 << 44) as f64;

impl<const N: usize> Forms<N> {
    /// Squares the forms. Gives the lanes where the result is right; others hold anything.
    ///
    /// `H` is half of `N` and one more, for numbers on the short basis. The other lengths
    /// are `W = 2 N`, `X = W + 1`, `S = N + H`, `T = S + 1`, `P = 2 H`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn square<
        const H: usize,
        const W: usize,
        const X: usize,
        const S: usize,
        const T: usize,
        const P: usize,
    >(
        &mut self,
        of: &Discriminants,
    ) -> Set {
        let zero = _mm512_setzero_si512();
        // k = -c / b modulo a.
        let mut euclid = Euclid::new(&self.a, &self.b);
        let mut right = euclid.finish();
        let first = _mm512_test_epi64_mask(euclid.x[0], euclid.x[0]);
        let mut inverse = [zero; N];
        let sign = sign_digit(euclid.grown_sign(first));
        for (i, digit) in inverse.iter_mut().enumerate() {
            *digit = sign;
            if i < euclid.grown {
                *digit = _mm512_mask_mov_epi64(euclid.v[i], first, euclid.u[i]);
            }
        }
        let divisor = _mm512_mask_mov_epi64(euclid.y[0], first, euclid.x[0]);
        let one = _mm512_cmpeq_epi64_mask(divisor, _mm512_set1_epi64(1));
        let minus_one = _mm512_cmpeq_epi64_mask(divisor, _mm512_set1_epi64(MASK));
        right &= one | minus_one;
        let product: Digits<W> = multiply::<N, N, W>(&inverse, &self.c);
        let mut rest: Digits<X> = extend(&product);
        let _: [Digits<N>; 1] = divide([&mut rest], &self.a);
        let mut k = [zero; N];
        for (k, rest) in k.iter_mut().zip(&rest) {
            *k = _mm512_mask_sub_epi64(*rest, one, zero, *rest);
        }
        carry(&mut k);

        // A short basis of all (r, y) with r congruent to y k modulo a.
        let mut basis = Euclid::new(&self.a, &k);
        right &= basis.reduce(of.root);
        self.reduce_basis(&mut basis, of);
        right &= fits(&basis.x[..basis.len], H.min(basis.len));
        right &= fits(&basis.y[..basis.len], H.min(basis.len));
        right &= fits(&basis.u[..basis.grown], H.min(basis.grown));
        right &= fits(&basis.v[..basis.grown], H.min(basis.grown));
        let r = [
            short::<N, H>(&basis.x, basis.len),
            short(&basis.y, basis.len),
        ];
        let y = [
            short::<N, H>(&basis.u, basis.grown),
            short(&basis.v, basis.grown),
        ];

        // l = (b r + c y) / a for both vectors.
        let mut numerators = [0, 1].map(|i| {
            let mut sum: Digits<S> = multiply::<N, H, S>(&self.b, &r[i]);
            let other: Digits<S> = multiply::<N, H, S>(&self.c, &y[i]);
            for (sum, other) in sum.iter_mut().zip(&other) {
                *sum = _mm512_add_epi64(*sum, *other);
            }
            carry(&mut sum);
            extend::<S, T>(&sum)
        });
        let [one, two] = &mut numerators;
        let mut l: [Digits<H>; 2] = divide([one, two], &self.a);
        carry(&mut l[0]);
        carry(&mut l[1]);

        // The form on the basis.
        let value = |i: usize| {
            let mut sum: Digits<P> = multiply::<H, H, P>(&r[i], &r[i]);
            let other: Digits<P> = multiply::<H, H, P>(&y[i], &l[i]);
            for (sum, other) in sum.iter_mut().zip(&other) {
                *sum = _mm512_add_epi64(*sum, *other);
            }
            carry(&mut sum);
            sum
        };
        let (a, c) = (value(0), value(1));
        let mut b: Digits<P> = multiply::<H, H, P>(&r[0], &r[1]);
        let one: Digits<P> = multiply::<H, H, P>(&y[0], &l[1]);
        let two: Digits<P> = multiply::<H, H, P>(&y[1], &l[0]);
        for i in 0..P {
            let sum = _mm512_add_epi64(one[i], two[i]);
            b[i] = _mm512_add_epi64(sum, _mm512_slli_epi64::<1>(b[i]));
        }
        carry(&mut b);
        right &= fits(&a, N) & fits(&b, N) & fits(&c, N);
        self.a.copy_from_slice(&a[..N]);
        self.b.copy_from_slice(&b[..N]);
        self.c.copy_from_slice(&c[..N]);
        right & self.is_reduced(of)
    }

    /// Reduces the basis for the form `r^2 + y (b r + c y) / a`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn reduce_basis(&self, basis: &mut Euclid<N>, of: &Discriminants) {
        while basis.grown < 4 {
            basis.grow();
        }
        // Only leading parts, and as large as the root.
        let scaled = |digits: &Digits<N>, len: usize| {
            let scale = power(52 * (len as i32 - 4) - of.root_bits);
            _mm512_mul_pd(window(digits, len).high, _mm512_set1_pd(scale))
        };
        let r = [&basis.x, &basis.y].map(|r| scaled(r, basis.len));
        let y = [&basis.u, &basis.v].map(|y| scaled(y, basis.grown));
        let a = window(&self.a, N).high;
        let b = _mm512_div_pd(window(&self.b, N).high, a);
        let c = _mm512_div_pd(window(&self.c, N).high, a);
        let l = [0, 1].map(|i| _mm512_fmadd_pd(b, r[i], _mm512_mul_pd(c, y[i])));
        let value = |i: usize| _mm512_fmadd_pd(r[i], r[i], _mm512_mul_pd(y[i], l[i]));
        let product = _mm512_mul_pd(r[0], r[1]);
        let between = _mm512_add_pd(product, product);
        let between = _mm512_fmadd_pd(y[0], l[1], _mm512_fmadd_pd(y[1], l[0], between));
        let matrix = gauss::reduce(value(0), between, value(1));
        basis.apply(&matrix.to_digits());
    }

    /// Where the form is reduced without doubt, and of the right discriminant modulo
    /// `2^52`: no sum has left its digits then.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn is_reduced(&self, of: &Discriminants) -> Set {
        let [a, b, c] = [&self.a, &self.b, &self.c].map(|digits| window(digits, N).high);
        let a = _mm512_mul_pd(a, _mm512_set1_pd(NEARLY));
        let within = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(_mm512_abs_pd(b), a);
        let c = _mm512_mul_pd(c, _mm512_set1_pd(NEARLY));
        let ordered = _mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, c);
        let zero = _mm512_setzero_si512();
        let square = _mm512_madd52lo_epu64(zero, self.b[0], self.b[0]);
        let product = _mm512_madd52lo_epu64(zero, self.a[0], self.c[0]);
        let difference = _mm512_sub_epi64(square, _mm512_slli_epi64::<2>(product));
        let difference = _mm512_and_si512(difference, _mm512_set1_epi64(MASK));
        within & ordered & _mm512_cmpeq_epi64_mask(difference, of.lowest)
    }
}

impl<const N: usize> Euclid<N> {
    /// The highest digits of the first cofactors in some lanes, of the second ones in the
    /// others.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn grown_sign(&self, first: Set) -> Ints {
        let highest = self.grown - 1;
        _mm512_mask_mov_epi64(self.v[highest], first, self.u[highest])
    }
}

/// The lowest digits of numbers of `len` digits that fit.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn short<const N: usize, const H: usize>(digits: &Digits<N>, len: usize) -> Digits<H> {
    let mut out = [sign_digit(digits[len - 1]); H];
    let used = len.min(H);
    out[..used].copy_from_slice(&digits[..used]);
    out
}
