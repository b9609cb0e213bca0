//! Sums, differences, products, shifts.

use super::Int;
use crate::Uint;
use core::ops::{Add, AddAssign, Mul, Neg, Shl, Sub, SubAssign};

impl<const N: usize> Int<N> {
    /// `self += other`, with the sign of `other` turned when `turned`.
    #[inline]
    fn accumulate(&mut self, other: &Self, turned: bool) {
        if self.negative == (other.negative ^ turned) {
            self.magnitude += &other.magnitude;
            self.negative &= !self.magnitude.is_zero();
            return;
        }
        let turned = self.magnitude.difference(&other.magnitude);
        self.negative = (self.negative ^ turned) && !self.magnitude.is_zero();
    }

    /// The number times itself.
    #[inline]
    #[must_use]
    pub fn square(&self) -> Self {
        let mut out = Self::ZERO;
        out.assign_square(&self.magnitude);
        out
    }

    /// Becomes the square of a magnitude.
    #[inline]
    pub fn assign_square(&mut self, a: &Uint<N>) {
        self.magnitude.assign_square(a);
        self.negative = false;
    }

    /// Becomes the product of a number and a magnitude.
    #[inline]
    pub fn assign_product(&mut self, a: &Self, b: &Uint<N>) {
        self.magnitude.assign_product(&a.magnitude, b);
        self.negative = a.negative && !self.magnitude.is_zero();
    }

    /// Becomes the product of two magnitudes.
    #[inline]
    pub fn assign_magnitude_product(&mut self, a: &Uint<N>, b: &Uint<N>) {
        self.magnitude.assign_product(a, b);
        self.negative = false;
    }

    /// `self += other`, or `self -= other` when `turned`.
    #[inline]
    pub fn add_signed(&mut self, other: &Self, turned: bool) {
        self.accumulate(other, turned);
    }

    /// Becomes a copy. It moves only the limbs in use, unlike `=`.
    #[inline]
    pub fn assign(&mut self, other: &Self) {
        self.magnitude.assign(&other.magnitude);
        self.negative = other.negative;
    }

    /// Changes places with another number. It moves only the limbs in use, unlike
    /// [`core::mem::swap`].
    #[inline]
    pub fn swap(&mut self, other: &mut Self) {
        self.magnitude.swap(&mut other.magnitude);
        core::mem::swap(&mut self.negative, &mut other.negative);
    }

    /// Doubles the number.
    #[inline]
    pub fn double(&mut self) {
        self.magnitude.double();
    }
}

impl<const N: usize> AddAssign<&Self> for Int<N> {
    #[inline]
    fn add_assign(&mut self, other: &Self) {
        self.accumulate(other, false);
    }
}

impl<const N: usize> SubAssign<&Self> for Int<N> {
    #[inline]
    fn sub_assign(&mut self, other: &Self) {
        self.accumulate(other, true);
    }
}

impl<const N: usize> Add for &Int<N> {
    type Output = Int<N>;

    #[inline]
    fn add(self, other: Self) -> Int<N> {
        let mut sum = *self;
        sum += other;
        sum
    }
}

impl<const N: usize> Sub for &Int<N> {
    type Output = Int<N>;

    #[inline]
    fn sub(self, other: Self) -> Int<N> {
        let mut difference = *self;
        difference -= other;
        difference
    }
}

impl<const N: usize> Mul for &Int<N> {
    type Output = Int<N>;

    #[inline]
    fn mul(self, other: Self) -> Int<N> {
        let mut out = Int::ZERO;
        out.assign_product(self, &other.magnitude);
        if other.negative {
            out.negate();
        }
        out
    }
}

impl<const N: usize> Neg for Int<N> {
    type Output = Self;

    #[inline]
    fn neg(mut self) -> Self {
        self.negate();
        self
    }
}

impl<const N: usize> Shl<usize> for &Int<N> {
    type Output = Int<N>;

    #[inline]
    fn shl(self, bits: usize) -> Int<N> {
        Int::new(self.negative, &self.magnitude << bits)
    }
}
