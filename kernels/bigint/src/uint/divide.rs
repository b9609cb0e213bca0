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

    /// The quotient of a division that is known to leave no remainder. With a remainder
    /// the result means nothing.
    ///
    /// # Panics
    /// When `divisor` is zero.
    #[must_use]
    pub fn div_exact(&self, divisor: &Self) -> Self {
        assert!(!divisor.is_zero(), "a division by zero");
        if self.is_zero() {
            return Self::ZERO;
        }
        let zeros = divisor.trailing_zeros();
        let (mut quotient, odd) = match zeros {
            0 => (*self, *divisor),
            zeros => (self >> zeros, divisor >> zeros),
        };
        let len = (quotient.len + 1).saturating_sub(odd.len);
        limbs::exact(&mut quotient.limbs[..len], odd.limbs());
        quotient.set_len(len);
        quotient
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
