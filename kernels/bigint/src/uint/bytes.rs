//! Bytes.

use super::{TooLarge, Uint};
use crate::limbs;

impl<const N: usize> Uint<N> {
    /// The number with these bytes, the most significant first.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, TooLarge> {
        Self::from_bytes(bytes.iter().rev())
    }

    /// The number with these bytes, the least significant first.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn from_le_bytes(bytes: &[u8]) -> Result<Self, TooLarge> {
        Self::from_bytes(bytes.iter())
    }

    fn from_bytes<'a>(bytes: impl Iterator<Item = &'a u8>) -> Result<Self, TooLarge> {
        let mut number = Self::ZERO;
        for (i, byte) in bytes.enumerate() {
            match number.limbs.get_mut(i / 8) {
                Some(limb) => *limb |= u64::from(*byte) << (8 * (i % 8)),
                None if *byte == 0 => (),
                None => return Err(TooLarge),
            }
        }
        number.len = limbs::significant(&number.limbs);
        Ok(number)
    }

    /// Writes the number to all of `out`, the most significant byte first.
    ///
    /// # Errors
    /// When it does not fit. Then `out` means nothing.
    pub fn to_be_bytes(&self, out: &mut [u8]) -> Result<(), TooLarge> {
        self.to_bytes(out.iter_mut().rev())
    }

    /// Writes the number to all of `out`, the least significant byte first.
    ///
    /// # Errors
    /// When it does not fit. Then `out` means nothing.
    pub fn to_le_bytes(&self, out: &mut [u8]) -> Result<(), TooLarge> {
        self.to_bytes(out.iter_mut())
    }

    fn to_bytes<'a>(self, out: impl ExactSizeIterator<Item = &'a mut u8>) -> Result<(), TooLarge> {
        if self.bits().div_ceil(8) > out.len() {
            return Err(TooLarge);
        }
        for (i, byte) in out.enumerate() {
            let limb = self.limbs().get(i / 8).copied().unwrap_or(0);
            *byte = (limb >> (8 * (i % 8))) as u8;
        }
        Ok(())
    }
}
