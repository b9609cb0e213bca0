//! Quotients.

use super::Int;
use crate::Uint;

impl<const N: usize> Int<N> {
    /// Quotient and remainder, rounded down: the remainder is from 0 to below `divisor`.
    ///
    /// # Panics
    /// When `divisor` is zero.
    #[must_use]
    pub fn div_floor(&self, divisor: &Uint<N>) -> (Self, Uint<N>) {
        let (mut quotient, mut rest) = self.magnitude.div_rem(divisor);
        if self.negative && !rest.is_zero() {
            quotient += &Uint::ONE;
            rest = divisor - &rest;
        }
        (Self::new(self.negative, quotient), rest)
    }

    /// The quotient of a division that is known to leave no remainder. With a remainder
    /// the result means nothing.
    ///
    /// # Panics
    /// When `divisor` is zero.
    #[inline]
    #[must_use]
    pub fn div_exact(&self, divisor: &Self) -> Self {
        let negative = self.negative ^ divisor.negative;
        Self::new(negative, self.magnitude.div_exact(&divisor.magnitude))
    }

    /// Becomes the quotient of a division by a positive number that is known to leave no
    /// remainder. With a remainder the result means nothing.
    ///
    /// # Panics
    /// When `divisor` is zero.
    #[inline]
    pub fn div_exact_assign(&mut self, divisor: &Uint<N>) {
        self.magnitude.div_exact_assign(divisor);
        self.negative &= !self.magnitude.is_zero();
    }

    /// Becomes the remainder of a division, from 0 to below `divisor`.
    ///
    /// # Panics
    /// When `divisor` is zero.
    #[inline]
    pub fn rem_floor_assign(&mut self, divisor: &Uint<N>) {
        self.magnitude.rem_assign(divisor);
        if self.negative && !self.magnitude.is_zero() {
            self.magnitude.difference(divisor);
        }
        self.negative = false;
    }

    /// Half of the number, rounded down.
    #[must_use]
    pub fn half_floor(&self) -> Self {
        let mut half = &self.magnitude >> 1;
        if self.negative && self.magnitude.is_odd() {
            half += &Uint::ONE;
        }
        Self::new(self.negative, half)
    }
}
