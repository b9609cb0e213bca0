//! The four codes.

use core::fmt;

/// A code. Each gives other parity bytes, those of certain libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A Vandermonde matrix over GF(2^8) with polynomial 0x11d, made systematic: the bytes
    /// of Backblaze's JavaReedSolomon, klauspost/reedsolomon and reed-solomon-erasure.
    /// Data and parity shards together at most 256.
    A,
    /// Leopard over GF(2^8): the bytes of catid/leopard with up to 256 shards,
    /// klauspost/reedsolomon's `WithLeopardGF` and leopard-codec. The parity shards,
    /// rounded up to a power of two, and the data shards together at most 256.
    ///
    /// Those libraries take shards of multiples of 64 bytes; here any length is right,
    /// because every byte is coded by itself.
    B,
    /// Leopard over GF(2^16): the bytes of catid/leopard above 256 shards,
    /// klauspost/reedsolomon's `WithLeopardGF16`, and of reed-solomon-simd's
    /// `HighRateEncoder`, which that crate uses unless the parity shards, rounded up to a
    /// power of two, are more than the data shards so rounded. The limit is that of
    /// [`Code::B`] with 65536.
    ///
    /// A symbol has two bytes: of each 64 bytes the first 32 hold the low bytes, the
    /// others the high ones. At the end of a shard, of which the length is no multiple of
    /// 64, halves of what is left do (as in reed-solomon-simd 3). Lengths are even.
    C,
    /// A Cauchy matrix over GF(2^8) with polynomial 0x11d: the bytes of ISA-L's
    /// `gf_gen_cauchy1_matrix`. Data and parity shards together at most 256.
    D,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Bytes of a symbol: shards are a multiple of it.
    #[must_use]
    pub const fn symbol(self) -> usize {
        match self {
            Self::C => 2,
            Self::A | Self::B | Self::D => 1,
        }
    }

    /// Whether the code has such a shape. There is at least one shard of each kind.
    #[must_use]
    pub const fn fits(self, data: usize, parity: usize) -> bool {
        let order = match self {
            Self::C => 1 << 16,
            Self::A | Self::B | Self::D => 1 << 8,
        };
        if data == 0 || parity == 0 || data >= order || parity >= order {
            return false;
        }
        let parity = match self {
            Self::A | Self::D => parity,
            Self::B | Self::C => parity.next_power_of_two(),
        };
        data + parity <= order
    }

    /// Which shapes it has, for messages.
    pub(crate) const fn rule(self) -> &'static str {
        match self {
            Self::A | Self::D => "it takes one or more of each and 256 together",
            Self::B => {
                "it takes one or more of each and 256 together, the parity shards rounded up \
                 to a power of two"
            }
            Self::C => {
                "it takes one or more of each and 65536 together, the parity shards rounded \
                 up to a power of two"
            }
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
        })
    }
}
