//! What tells the two algorithms of SHA-2 apart. SHA-256 and SHA-512 are one
//! construction, over words of 32 and of 64 bits.

use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, BitXor};
use karat_hash_core::short;

/// A word of the state: `u32` or `u64`.
pub(crate) trait Word:
    Copy
    + Debug
    + Default
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + 'static
{
    /// Bytes of a word.
    const BYTES: usize = size_of::<Self>();
    /// Reads a word from [`Word::BYTES`] bytes, big-endian.
    ///
    /// # Panics
    /// When `bytes` has another length.
    fn read(bytes: &[u8]) -> Self;
    /// Writes [`Word::BYTES`] bytes, big-endian.
    ///
    /// # Panics
    /// When `to` has another length.
    fn write(self, to: &mut [u8]);
    /// Wrapping sum.
    fn plus(self, other: Self) -> Self;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                let mut word = [0; size_of::<$word>()];
                word.copy_from_slice(bytes);
                Self::from_be_bytes(word)
            }
            #[inline(always)]
            fn write(self, to: &mut [u8]) {
                to.copy_from_slice(&self.to_be_bytes());
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    };
}

word!(u32);
word!(u64);

/// An array of bytes.
pub(crate) trait Bytes: Copy + Debug + AsRef<[u8]> + AsMut<[u8]> + 'static {
    /// Zeros.
    const ZERO: Self;
    /// Copies at most 128 bytes to the front.
    ///
    /// # Panics
    /// When `from` is longer than that, or than the array.
    fn begin_with(&mut self, from: &[u8]);
}

impl<const N: usize> Bytes for [u8; N] {
    const ZERO: Self = [0; N];
    #[inline(always)]
    fn begin_with(&mut self, from: &[u8]) {
        short::copy(self, from);
    }
}

/// SHA-256 or SHA-512. SHA-224, SHA-384 and SHA-512/256 are those with other initial
/// states and shorter digests.
pub(crate) trait Algorithm: Copy + Debug + 'static {
    type Word: Word;
    /// A block in bytes.
    type Block: Bytes;
    /// Two blocks, for the padded end of a message.
    type Ends: Bytes;
    /// The state in bytes.
    type Digest: Bytes;
    /// Bytes in a block.
    const BLOCK: usize = size_of::<Self::Block>();
    /// Bytes at the end of the last block that hold the message's length.
    const LENGTH: usize = 2 * Self::Word::BYTES;
    /// The constants of the rounds, one for each (FIPS 180-4, section 4.2).
    const K: &'static [Self::Word];

    /// The function Σ0 (FIPS 180-4, section 4.1).
    fn sum0(x: Self::Word) -> Self::Word;
    /// The function Σ1.
    fn sum1(x: Self::Word) -> Self::Word;
    /// Schedule word `t`, from the words at `t - 16`, `t - 15`, `t - 7` and `t - 2`
    /// (FIPS 180-4, section 6).
    fn next_word(w16: Self::Word, w15: Self::Word, w7: Self::Word, w2: Self::Word) -> Self::Word;
}

/// A state.
pub(crate) type State<A> = [<A as Algorithm>::Word; 8];
