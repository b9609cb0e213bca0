//! Sums, differences, products, shifts.

use super::Int;
use core::ops::{Add, AddAssign, Mul, Neg, Shl, Sub, SubAssign};

impl<const N: usize> Int<N> {
    /// `self += other`, with the sign of `other` turned when `turned`.
    #[inline]
    fn accumulate(&mut self, other: &Self, turned: bool) {
        if self.negative == (other.negative ^ turned) {
            self.magnitude += &other.magnitude;
            return;
        }
        let turned = self.magnitude.difference(&other.magnitude);
        self.negative = (self.negative ^ turned) && !self.magnitude.is_zero();
    }

    /// The number times itself.
    #[inline]
    #[must_use]
    pub fn square(&self) -> Self {
        Self::new(false, self.magnitude.square())
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
        self.negative &= !self.magnitude.is_zero();
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
        let negative = self.negative ^ other.negative;
        Int::new(negative, &self.magnitude * &other.magnitude)
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
