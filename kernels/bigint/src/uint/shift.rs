//! Shifts.

use super::Uint;
use crate::limbs;
use core::ops::{Shl, Shr};

impl<const N: usize> Shl<usize> for &Uint<N> {
    type Output = Uint<N>;

    #[inline]
    fn shl(self, bits: usize) -> Uint<N> {
        let mut out = Uint::ZERO;
        if self.is_zero() {
            return out;
        }
        let whole = bits / 64;
        let len = self.len + whole;
        assert!(len <= N, "a shifted number does not fit into {N} limbs");
        let carry = limbs::shl(&mut out.limbs[whole..len], self.limbs(), (bits % 64) as u32);
        out.len = len;
        if carry != 0 {
            assert!(len < N, "a shifted number does not fit into {N} limbs");
            out.limbs[len] = carry;
            out.len += 1;
        }
        out
    }
}

impl<const N: usize> Shr<usize> for &Uint<N> {
    type Output = Uint<N>;

    #[inline]
    fn shr(self, bits: usize) -> Uint<N> {
        let mut out = Uint::ZERO;
        let rest = self.limbs().get(bits / 64..).unwrap_or(&[]);
        limbs::shr(&mut out.limbs[..rest.len()], rest, (bits % 64) as u32);
        out.set_len(rest.len());
        out
    }
}

impl<const N: usize> Uint<N> {
    /// Doubles the number.
    #[inline]
    pub fn double(&mut self) {
        let len = self.len;
        if limbs::double(&mut self.limbs[..len]) {
            assert!(len < N, "a shifted number does not fit into {N} limbs");
            self.limbs[len] = 1;
            self.len += 1;
        }
    }

    /// Shifts to the right in place.
    #[inline]
    pub(crate) fn shr_assign(&mut self, bits: usize) {
        let (whole, len) = (bits / 64, self.len);
        if whole >= len {
            self.len = 0;
            return;
        }
        if whole > 0 {
            self.limbs.copy_within(whole..len, 0);
        }
        limbs::shr_assign(&mut self.limbs[..len - whole], (bits % 64) as u32);
        self.set_len(len - whole);
    }
}
