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
    // Inlined, so that the caller's copy of the bytes is the only one.
    #[inline]
    #[must_use]
    pub fn to_bytes(&self) -> [u8; LEN] {
        let mut words = self.0;
        turn(&mut words);
        // SAFETY: all bytes of both types are theirs, and all values are valid.
        unsafe { core::mem::transmute::<Words, [u8; LEN]>(words) }
    }

    /// The hash that gave these bytes with [`LtHash::to_bytes`].
    #[inline]
    #[must_use]
    pub fn from_bytes(bytes: &[u8; LEN]) -> Self {
        Self(words(*bytes))
    }
}

/// The words of little-endian bytes.
#[inline]
pub(super) fn words(bytes: [u8; LEN]) -> Words {
    // SAFETY: all bytes of both types are theirs, and all values are valid.
    let mut words = unsafe { core::mem::transmute::<[u8; LEN], Words>(bytes) };
    turn(&mut words);
    words
}

/// From the machine's order of bytes to little-endian, or back: nothing where it is that.
#[inline]
fn turn(words: &mut Words) {
    if cfg!(target_endian = "big") {
        for word in words {
            *word = word.swap_bytes();
        }
    }
}

impl Default for LtHash {
    fn default() -> Self {
        Self::new()
    }
}
