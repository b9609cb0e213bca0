//! Constants of the AVX-512 assembly.

use super::algorithm::Construction;
use super::portable::SIGMA;
use super::{Blake2b, Blake2s};

/// The initialisation vector. Then, for every round, the byte offsets of its message
/// words in a transposed block. The assembly relies on this layout.
#[repr(C, align(64))]
pub(crate) struct Plan<W> {
    iv: [W; 8],
    places: [[u16; 16]; 12],
}

impl Plan<u64> {
    pub(crate) const BLAKE2B: Self = Self {
        iv: *Blake2b::IV,
        places: places(),
    };
}

impl Plan<u32> {
    pub(crate) const BLAKE2S: Self = Self {
        iv: *Blake2s::IV,
        places: places(),
    };
}

const fn places() -> [[u16; 16]; 12] {
    let mut places = [[0; 16]; 12];
    let mut i = 0;
    while i < 12 * 16 {
        // One word of all lanes of a group is a register of 64 bytes.
        places[i / 16][i % 16] = 64 * SIGMA[i / 16 % 10][i % 16] as u16;
        i += 1;
    }
    places
}
