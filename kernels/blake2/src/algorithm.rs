//! The two algorithms as types.

use super::job::Many;
use super::single::{Compress, One};
use super::word::Word;

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

    /// The chosen functions for one message of `bytes` bytes.
    fn one(bytes: usize) -> &'static One<Self::Word>;
    /// The chosen compression function for one message whose length is not known.
    #[inline]
    fn compress() -> Compress<Self::Word> {
        Self::one(usize::MAX).compress
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
