//! Numbers side by side in memory.

/// Eight numbers of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Lanes(pub(crate) [u64; 8]);

impl Lanes {
    pub(crate) const ZERO: Self = Self([0; 8]);
}

/// Puts a number into a lane, in digits of so many bits. What does not fit is left out.
#[inline]
pub(crate) fn pack(digits: &mut [Lanes], lane: usize, bits: usize, limbs: &[u64]) {
    for (i, digit) in digits.iter_mut().enumerate() {
        let (limb, bit) = (bits * i / 64, bits * i % 64);
        let low = limbs.get(limb).copied().unwrap_or(0) >> bit;
        let high = limbs.get(limb + 1).copied().unwrap_or(0) << 1 << (63 - bit);
        digit.0[lane] = (low | high) & ((1 << bits) - 1);
    }
}

/// Takes a number out of a lane. What does not fit is left out.
#[inline]
pub(crate) fn unpack(digits: &[Lanes], lane: usize, bits: usize, limbs: &mut [u64]) {
    limbs.fill(0);
    for (i, digit) in digits.iter().enumerate() {
        let (limb, bit) = (bits * i / 64, bits * i % 64);
        let digit = digit.0[lane];
        if let Some(limb) = limbs.get_mut(limb) {
            *limb |= digit << bit;
        }
        if let Some(limb) = limbs.get_mut(limb + 1) {
            *limb |= digit >> 1 >> (63 - bit);
        }
    }
}
