//! Constants of the assembly that rotates with byte shuffles.

use super::algorithm::Construction;
use super::{Blake2b, Blake2s};

/// The initialisation vector. Then the shuffles for the two rotations by whole bytes,
/// each repeated to fill two times 16 bytes. The assembly relies on this layout.
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

/// The byte shuffle that rotates words of `word` bytes right by `by` bytes.
const fn rotation(word: usize, by: usize) -> [u8; 16] {
    let mut shuffle = [0; 16];
    let mut i = 0;
    while i < 16 {
        shuffle[i] = (i / word * word + (i + by) % word) as u8;
        i += 1;
    }
    shuffle
}
