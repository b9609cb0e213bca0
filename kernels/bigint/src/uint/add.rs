//! Sums and differences.

use super::Uint;
use crate::limbs;
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Sub, SubAssign};

impl<const N: usize> AddAssign<&Self> for Uint<N> {
    #[inline]
    fn add_assign(&mut self, other: &Self) {
        let len = self.len.max(other.len);
        let carry = limbs::add_assign(self.padded(len), other.limbs());
        self.len = len;
        if carry {
            assert!(len < N, "a sum does not fit into {N} limbs");
            self.limbs[len] = 1;
            self.len += 1;
        }
    }
}

impl<const N: usize> SubAssign<&Self> for Uint<N> {
    #[inline]
    fn sub_assign(&mut self, other: &Self) {
        let len = self.len;
        assert!(other.len <= len, "a difference is below zero");
        let borrow = limbs::sub_assign(&mut self.limbs[..len], other.limbs());
        assert!(!borrow, "a difference is below zero");
        self.set_len(len);
    }
}

impl<const N: usize> Uint<N> {
    /// `self = |self - other|`. The result says whether `self` was the smaller one.
    #[inline]
    pub(crate) fn difference(&mut self, other: &Self) -> bool {
        if (*self).cmp(other) == Ordering::Less {
            let len = other.len;
            limbs::negate(self.padded(len), other.limbs());
            self.set_len(len);
            true
        } else {
            *self -= other;
            false
        }
    }
}

impl<const N: usize> Add for &Uint<N> {
    type Output = Uint<N>;

    #[inline]
    fn add(self, other: Self) -> Uint<N> {
        let mut sum = *self;
        sum += other;
        sum
    }
}

impl<const N: usize> Sub for &Uint<N> {
    type Output = Uint<N>;

    #[inline]
    fn sub(self, other: Self) -> Uint<N> {
        let mut difference = *self;
        difference -= other;
        difference
    }
}
