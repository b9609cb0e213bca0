//! The two algorithms as types.

use super::many::Many;
use super::single::{Compress, One};
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

/// BLAKE2b or BLAKE2s: [`Blake2b`] or [`Blake2s`], and no other type.
///
/// ```
/// use karat_blake2::{Algorithm, Blake2b, Blake2s};
///
/// assert_eq!((Blake2b::LONGEST, Blake2s::LONGEST), (64, 32));
/// assert_eq!((Blake2b::NAME, Blake2s::NAME), ("BLAKE2b", "BLAKE2s"));
/// ```
pub trait Algorithm: Construction {
    /// Its name.
    const NAME: &'static str;
    /// Bytes of a block.
    const BLOCK: usize = 16 * Self::Word::BYTES;
    /// Longest digest and longest key, in bytes.
    const LONGEST: usize = 8 * Self::Word::BYTES;
    /// Longest salt and longest personalisation, in bytes.
    const SALT: usize = 2 * Self::Word::BYTES;
}

/// The constants and the kernels of an [`Algorithm`]. All lengths follow from the length
/// of a word. Other crates cannot name it, so they can neither use nor implement it.
pub trait Construction: Copy + 'static {
    /// The type of a word of the state.
    type Word: Word;
    /// The initialisation vector (RFC 7693, 2.6).
    const IV: &'static [Self::Word; 8];
    /// Rounds of a compression (RFC 7693, 2.1).
    const ROUNDS: usize;
    /// The rotations of G (RFC 7693, 2.1).
    const ROTATIONS: [u32; 4];
    /// Leaves of the parallel form (BLAKE2 paper, 2.10 and 2.11).
    const LEAVES: usize;

    /// The chosen functions for one message.
    fn one() -> &'static One<Self::Word>;
    /// The chosen compression function for one message.
    #[inline]
    fn compress() -> Compress<Self::Word> {
        Self::one().compress
    }
    /// The chosen functions for many messages.
    fn many() -> &'static Many<Self::Word>;
}

/// BLAKE2b: 64-bit words, digests of 1 to 64 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Blake2b;

/// BLAKE2s: 32-bit words, digests of 1 to 32 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Blake2s;

macro_rules! plain {
    ($algorithm:ty, $word:ty) => {
        impl $algorithm {
            /// The initial state of the plain hash with a digest of `length` bytes:
            /// fanout 1, depth 1 (RFC 7693, 2.5).
            pub(crate) const fn plain(length: usize) -> [$word; 8] {
                let mut h = *Self::IV;
                h[0] ^= 0x0101_0000 ^ length as $word;
                h
            }
        }
    };
}

plain!(Blake2b, u64);
plain!(Blake2s, u32);

impl Algorithm for Blake2b {
    const NAME: &'static str = "BLAKE2b";
}

impl Construction for Blake2b {
    type Word = u64;
    const IV: &'static [u64; 8] = &[
        0x6a09_e667_f3bc_c908,
        0xbb67_ae85_84ca_a73b,
        0x3c6e_f372_fe94_f82b,
        0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1,
        0x9b05_688c_2b3e_6c1f,
        0x1f83_d9ab_fb41_bd6b,
        0x5be0_cd19_137e_2179,
    ];
    const ROUNDS: usize = 12;
    const ROTATIONS: [u32; 4] = [32, 24, 16, 63];
    const LEAVES: usize = 4;

    #[inline]
    fn one() -> &'static One<u64> {
        crate::blake2b::KERNEL.get()
    }
    #[inline]
    fn many() -> &'static Many<u64> {
        crate::blake2b::MANY.get()
    }
}

impl Algorithm for Blake2s {
    const NAME: &'static str = "BLAKE2s";
}

impl Construction for Blake2s {
    type Word = u32;
    const IV: &'static [u32; 8] = &[
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    const ROUNDS: usize = 10;
    const ROTATIONS: [u32; 4] = [16, 12, 8, 7];
    const LEAVES: usize = 8;

    #[inline]
    fn one() -> &'static One<u32> {
        crate::blake2s::KERNEL.get()
    }
    #[inline]
    fn many() -> &'static Many<u32> {
        crate::blake2s::MANY.get()
    }
}
