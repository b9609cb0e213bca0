//! Shifts by less than a limb. Whole limbs are moved by the callers.

/// `out = a << bits`, for `bits < 64` and equal lengths. What falls out at the top is
/// returned.
#[inline]
pub(crate) fn shl(out: &mut [u64], a: &[u64], bits: u32) -> u64 {
    if bits == 0 {
        out.copy_from_slice(a);
        return 0;
    }
    let mut carry = 0;
    for (out, a) in out.iter_mut().zip(a) {
        *out = a << bits | carry;
        carry = a >> (64 - bits);
    }
    carry
}

/// `out = a >> bits`, for `bits < 64` and equal lengths.
#[inline]
pub(crate) fn shr(out: &mut [u64], a: &[u64], bits: u32) {
    if bits == 0 {
        out.copy_from_slice(a);
        return;
    }
    let mut carry = 0;
    for (out, a) in out.iter_mut().zip(a).rev() {
        *out = a >> bits | carry;
        carry = a << (64 - bits);
    }
}

/// `a <<= 1`. The bit that falls out is returned.
#[inline]
pub(crate) fn double(a: &mut [u64]) -> bool {
    let mut carry = 0;
    for limb in a {
        (*limb, carry) = (*limb << 1 | carry, *limb >> 63);
    }
    carry != 0
}

/// `a >>= bits`, for `bits < 64`.
#[inline]
pub(crate) fn shr_assign(a: &mut [u64], bits: u32) {
    let mut carry = 0;
    for limb in a.iter_mut().rev() {
        // In two steps, because a shift by 64 is none.
        (*limb, carry) = (*limb >> bits | carry, *limb << 1 << (63 - bits));
    }
}
