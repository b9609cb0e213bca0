//! Products.

use super::Uint;
use crate::{limbs, product};
use core::ops::Mul;

impl<const N: usize> Mul for &Uint<N> {
    type Output = Uint<N>;

    #[inline]
    fn mul(self, other: Self) -> Uint<N> {
        let mut out = Uint::ZERO;
        out.assign_product(self, other);
        out
    }
}

impl<const N: usize> Uint<N> {
    /// Becomes a product.
    #[inline]
    pub fn assign_product(&mut self, a: &Self, b: &Self) {
        let len = a.len + b.len;
        if a.len == 0 || b.len == 0 {
            self.len = 0;
            return;
        }
        product::mul(lowest_limbs(self, len), a.limbs(), b.limbs());
        self.set_len(len);
    }

    /// Becomes a square.
    #[inline]
    pub fn assign_square(&mut self, a: &Self) {
        let len = 2 * a.len;
        product::square(lowest_limbs(self, len), a.limbs());
        self.set_len(len);
    }

    /// The number times itself.
    #[inline]
    #[must_use]
    pub fn square(&self) -> Self {
        let mut out = Self::ZERO;
        out.assign_square(self);
        out
    }

    /// The number times a small one.
    #[inline]
    #[must_use]
    pub fn mul_u64(&self, other: u64) -> Self {
        let mut out = Self::ZERO;
        let carry = limbs::add_mul_1(&mut out.limbs[..self.len], self.limbs(), other);
        let len = self.len + usize::from(carry != 0);
        assert!(len <= N, "a product does not fit into {N} limbs");
        if carry != 0 {
            out.limbs[self.len] = carry;
        }
        out.set_len(len);
        out
    }
}

#[inline]
fn lowest_limbs<const N: usize>(out: &mut Uint<N>, len: usize) -> &mut [u64] {
    assert!(len <= N, "a product of {len} limbs does not fit into {N}");
    &mut out.limbs[..len]
}
