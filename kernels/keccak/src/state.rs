//! The state, the parameters that make a hash of it, and words of input.

/// The 25 lanes of the state.
pub(crate) type State = [u64; 25];

/// Rounds of the permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounds {
    /// All 24: Keccak-f (FIPS 202, section 3.4).
    All,
    /// The last 12: the permutation of TurboSHAKE (RFC 9861, section 2).
    Last12,
}

/// The parameters that turn a sponge into a hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters {
    /// Words of 8 bytes in a block: 9 to 21.
    pub(crate) words: usize,
    /// The suffix bits and the first bit of the padding: 0x01, 0x04, 0x06 or 0x1f, or
    /// TurboSHAKE's byte for the separation of domains.
    pub(crate) suffix: u8,
    pub(crate) rounds: Rounds,
}

impl Parameters {
    /// Bytes in a block.
    pub(crate) const fn rate(self) -> usize {
        self.words * 8
    }
}

/// At most eight bytes as a little-endian number.
#[inline]
pub(crate) fn word(bytes: &[u8]) -> u64 {
    let half = |at: usize| -> u64 {
        u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]).into()
    };
    match bytes.len() {
        // Two reads that may overlap: no loop, and no byte outside.
        n @ 4..=8 => half(0) | half(n - 4) << (n * 8 - 32),
        0 => 0,
        n => {
            let byte = |at: usize| u64::from(bytes[at]) << (at * 8);
            byte(0) | byte(n / 2) | byte(n - 1)
        }
    }
}
