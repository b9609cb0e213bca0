//! The same in plain Rust.

use crate::lanes::Lanes;

const MASK: u64 = (1 << 52) - 1;

/// The digit of this place.
#[inline]
fn digit(digits: &[Lanes], place: usize) -> u64 {
    digits.get(place / 8).map_or(0, |lanes| lanes.0[place % 8])
}

/// All digits.
#[inline]
fn each(digits: &mut [Lanes]) -> impl Iterator<Item = &mut u64> {
    digits.iter_mut().flat_map(|lanes| &mut lanes.0)
}

/// See `one::Body`. Column by column, which leaves nothing to be carried: a column is
/// below 2^104 times the number of digits.
pub(crate) fn sums(out: &mut [Lanes], a: &[Lanes], b: &[Lanes], digits: usize) {
    let mut carry = 0u128;
    for (column, out) in each(out).enumerate() {
        for i in (column + 1).saturating_sub(digits)..digits.min(column + 1) {
            carry += u128::from(digit(a, i)) * u128::from(digit(b, column - i));
        }
        *out = carry as u64 & MASK;
        carry >>= 52;
    }
}

/// See `one::Body`.
pub(crate) fn carry(out: &mut [Lanes], sums: &[Lanes]) {
    let mut carry = 0;
    for (place, out) in each(out).enumerate() {
        let sum = digit(sums, place) + carry;
        *out = sum & MASK;
        carry = sum >> 52;
    }
}

/// See `one::Body`.
pub(crate) fn from_limbs(out: &mut [Lanes], limbs: &[u64]) {
    for (place, out) in each(out).enumerate() {
        let (limb, bit) = (52 * place / 64, 52 * place % 64);
        let low = limbs.get(limb).copied().unwrap_or(0) >> bit;
        let high = limbs.get(limb + 1).copied().unwrap_or(0) << 1 << (63 - bit);
        *out = (low | high) & MASK;
    }
}

/// See `one::Body`.
pub(crate) fn to_limbs(limbs: &mut [u64], digits: &[Lanes]) {
    for (limb, out) in limbs.iter_mut().enumerate() {
        // A limb has bits of two digits, and perhaps of a third.
        let (place, bit) = (64 * limb / 52, 64 * limb % 52);
        let low = digit(digits, place) >> bit | digit(digits, place + 1) << (52 - bit);
        let third = digit(digits, place + 2);
        *out = low | third.checked_shl(104 - bit as u32).unwrap_or(0);
    }
}
