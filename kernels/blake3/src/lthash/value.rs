//! The hash of a set as a value: its words.

use super::Words;

/// Number of words in a hash.
pub const WORDS: usize = 1024;
/// Number of bytes in a hash.
pub const LEN: usize = 2 * WORDS;

/// The lattice hash of a set of byte strings. `==` is not constant time.
#[derive(Clone, PartialEq, Eq)]
// `repr(C)` because assembly returns it.
#[repr(C, align(64))]
pub struct LtHash(pub(super) Words);

impl LtHash {
    /// The hash of the empty set: all words are zero.
    #[must_use]
    pub const fn new() -> Self {
        Self([0; WORDS])
    }

    /// Whether this is the hash of the empty set.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    /// The bytes of the words, little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        let (pairs, _) = bytes.as_chunks_mut::<2>();
        for (pair, word) in pairs.iter_mut().zip(self.0) {
            *pair = word.to_le_bytes();
        }
        bytes
    }

    /// The hash that gave these bytes with [`LtHash::to_bytes`].
    #[must_use]
    pub fn from_bytes(bytes: &[u8; LEN]) -> Self {
        let (pairs, _) = bytes.as_chunks::<2>();
        Self(core::array::from_fn(|i| u16::from_le_bytes(pairs[i])))
    }
}

impl Default for LtHash {
    fn default() -> Self {
        Self::new()
    }
}
