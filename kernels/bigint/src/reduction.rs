//! What Montgomery's reductions are given, and the one in plain Rust.

use crate::limbs;

/// A modulus to reduce by.
#[derive(Clone, Copy)]
pub(crate) struct Modulus<'a> {
    /// An odd number of one limb or more.
    pub(crate) limbs: &'a [u64],
    /// `-1 / limbs` modulo 2^64.
    pub(crate) inverse: u64,
}

/// Row by row (Montgomery's REDC for long numbers): each makes one more limb zero at the
/// low end.
pub(crate) fn by_rows(t: &mut [u64], modulus: Modulus<'_>) {
    let n = modulus.limbs.len();
    let mut over = false;
    for i in 0..n {
        let factor = t[i].wrapping_mul(modulus.inverse);
        let carry = limbs::add_mul_1(&mut t[i..i + n], modulus.limbs, factor);
        let (sum, first) = t[i + n].overflowing_add(carry);
        let (sum, second) = sum.overflowing_add(u64::from(over));
        t[i + n] = sum;
        over = first | second;
    }
    settle(&mut t[n..], modulus.limbs, over);
}

/// Takes the modulus off once, from a number with a limb of zero or one above, if the
/// number is not below it.
#[inline]
pub(crate) fn settle(t: &mut [u64], modulus: &[u64], over: bool) {
    if over || t.iter().rev().cmp(modulus.iter().rev()).is_ge() {
        limbs::sub_assign(t, modulus);
    }
}
