//! Constants of the assembly that rotates by shuffles of bytes.

use super::{Algorithm, Blake2b, Blake2s};

/// The initialisation vector, and the shuffles that rotate every word to the
/// right by the two rotations that are whole bytes, twice 16 bytes each. The
/// layout is what the assembly reads.
#[repr(C, align(32))]
pub(crate) struct Constants<W> {
    iv: [W; 8],
    first: [[u8; 16]; 2],
    second: [[u8; 16]; 2],
}

impl Constants<u64> {
    /// Rotations by 24 and 16.
    pub(crate) const BLAKE2B: Self = Self {
        iv: *Blake2b::IV,
        first: [rotation(8, 3); 2],
        second: [rotation(8, 2); 2],
    };
}

impl Constants<u32> {
    /// Rotations by 16 and 8.
    pub(crate) const BLAKE2S: Self = Self {
        iv: *Blake2s::IV,
        first: [rotation(4, 2); 2],
        second: [rotation(4, 1); 2],
    };
}

/// The shuffle that rotates words of `word` bytes to the right by `by` bytes.
const fn rotation(word: usize, by: usize) -> [u8; 16] {
    let mut shuffle = [0; 16];
    let mut i = 0;
    while i < 16 {
        shuffle[i] = (i / word * word + (i + by) % word) as u8;
        i += 1;
    }
    shuffle
}
