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
