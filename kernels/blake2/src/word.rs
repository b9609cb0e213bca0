//! Words of the state.

use core::fmt::Debug;
use core::ops::BitXor;

/// A word of the state: `u64` or `u32`.
pub trait Word: Copy + Debug + Default + PartialEq + BitXor<Output = Self> + 'static {
    /// Bytes of a word.
    const BYTES: usize;
    /// The word with all bits set.
    const ONES: Self;
    /// The low bits of a number, as many as a word has.
    fn low(number: u128) -> Self;
    /// The bits of a number above those of [`Word::low`].
    fn high(number: u128) -> Self;
    /// Reads a word from [`Word::BYTES`] bytes, little-endian.
    ///
    /// # Panics
    /// When `bytes` has another length.
    fn read(bytes: &[u8]) -> Self;
    /// The word's bytes, little-endian, with zeros after them.
    fn bytes(self) -> [u8; 8];
    /// Wrapping sum.
    fn plus(self, other: Self) -> Self;
    /// The word rotated right by `bits` bits.
    fn rotated(self, bits: u32) -> Self;
}

macro_rules! word {
    ($word:ty, $bits:literal) => {
        impl Word for $word {
            const BYTES: usize = $bits / 8;
            const ONES: Self = <$word>::MAX;
            #[inline]
            fn low(number: u128) -> Self {
                number as $word
            }
            #[inline]
            fn high(number: u128) -> Self {
                (number >> $bits) as $word
            }
            #[inline]
            fn read(bytes: &[u8]) -> Self {
                let mut word = [0; $bits / 8];
                word.copy_from_slice(bytes);
                Self::from_le_bytes(word)
            }
            #[inline]
            fn bytes(self) -> [u8; 8] {
                u64::from(self).to_le_bytes()
            }
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn rotated(self, bits: u32) -> Self {
                self.rotate_right(bits)
            }
        }
    };
}

word!(u64, 64);
word!(u32, 32);
