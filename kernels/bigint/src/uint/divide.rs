//! Quotients and roots.

use super::Uint;
use crate::limbs;

impl<const N: usize> Uint<N> {
    /// Quotient and remainder.
    ///
    /// # Panics
    /// When `divisor` is zero.
    #[must_use]
    pub fn div_rem(&self, divisor: &Self) -> (Self, Self) {
        assert!(!divisor.is_zero(), "a division by zero");
        if self < divisor {
            return (Self::ZERO, *self);
        }
        if let [d] = *divisor.limbs() {
            let mut quotient = *self;
            let rest = limbs::div_rem_1(&mut quotient.limbs[..self.len], d);
            quotient.set_len(self.len);
            return (quotient, Self::from_u64(rest));
        }
        let (mut quotient, mut rest, mut shifted) = (Self::ZERO, *self, Self::ZERO);
        let len = self.len - divisor.len + 1;
        limbs::div_rem(
            &mut quotient.limbs[..len],
            &mut rest.limbs[..self.len],
            divisor.limbs(),
            &mut shifted.limbs[..divisor.len],
        );
        quotient.set_len(len);
        rest.set_len(divisor.len);
        (quotient, rest)
    }

    /// The remainder of a division.
    ///
    /// # Panics
    /// When `divisor` is zero.
    #[must_use]
    pub fn rem(&self, divisor: &Self) -> Self {
        self.div_rem(divisor).1
    }

    /// Becomes the remainder of a division.
    ///
    /// # Panics
    /// When `divisor` is zero.
    pub fn rem_assign(&mut self, divisor: &Self) {
        let d = divisor.len;
        if d < 2 {
            *self = self.rem(divisor);
        } else if *self >= *divisor {
            let (mut quotient, mut shifted) = ([0; N], [0; N]);
            limbs::div_rem(
                &mut quotient[..self.len - d + 1],
                &mut self.limbs[..self.len],
                divisor.limbs(),
                &mut shifted[..d],
            );
            self.set_len(d);
        }
    }

    /// The quotient of a division that is known to leave no remainder. With a remainder
    /// the result means nothing.
    ///
    /// # Panics
    /// When `divisor` is zero.
    #[must_use]
    pub fn div_exact(&self, divisor: &Self) -> Self {
        let mut quotient = *self;
        quotient.div_exact_assign(divisor);
        quotient
    }

    /// Becomes the quotient of such a division.
    ///
    /// # Panics
    /// When `divisor` is zero.
    pub fn div_exact_assign(&mut self, divisor: &Self) {
        assert!(!divisor.is_zero(), "a division by zero");
        if self.is_zero() {
            return;
        }
        if divisor.is_odd() {
            self.div_exact_odd(divisor.limbs());
        } else {
            let zeros = divisor.trailing_zeros();
            self.shr_assign(zeros);
            self.div_exact_odd((divisor >> zeros).limbs());
        }
    }

    #[inline]
    fn div_exact_odd(&mut self, odd: &[u64]) {
        let len = (self.len + 1).saturating_sub(odd.len());
        limbs::exact(&mut self.limbs[..len], odd);
        self.set_len(len);
    }

    /// The largest number whose square is at most this one, by Newton's iteration from
    /// above.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        if self.is_zero() {
            return Self::ZERO;
        }
        let mut root = &Self::ONE << self.bits().div_ceil(2);
        loop {
            let next = &(&root + &self.div_rem(&root).0) >> 1;
            if next >= root {
                return root;
            }
            root = next;
        }
    }
}
