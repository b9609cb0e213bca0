//! What all tests use.

use karat_erasure::{Code, Codec};

/// Small deterministic random numbers (splitmix64; Steele, Lea and Flood, 2014).
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    /// `count` of the numbers below `bound`, in random order.
    pub fn choose(&mut self, count: usize, bound: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..bound).collect();
        for i in 0..count {
            let j = i + self.below(bound - i);
            all.swap(i, j);
        }
        all.truncate(count);
        all
    }

    pub fn shards(&mut self, count: usize, length: usize) -> Vec<Vec<u8>> {
        (0..count).map(|_| self.bytes(length)).collect()
    }

    /// A shape that the code has: often a small one, with as many of one kind as of the
    /// other or not.
    pub fn shape(&mut self, code: Code, largest: usize) -> (usize, usize) {
        loop {
            let bound = 1 << (1 + self.below(largest.ilog2() as usize));
            let (data, parity) = (1 + self.below(bound), 1 + self.below(bound));
            if code.fits(data, parity) {
                return (data, parity);
            }
        }
    }

    /// A length that the code takes, often near multiples of 64.
    pub fn length(&mut self, code: Code) -> usize {
        let near = 64 * self.below(9) + self.below(5);
        let length = match self.below(3) {
            0 => 64 * (1 + self.below(8)),
            1 => near.max(3) - 2,
            _ => 1 + self.below(600),
        };
        length.next_multiple_of(code.symbol())
    }
}

/// Parity of data shards.
pub fn parity(codec: &Codec, data: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut parity = vec![vec![0xaa; data[0].len()]; codec.parity()];
    codec.encode(data, &mut parity).unwrap();
    parity
}

/// Data and parity.
pub fn all(codec: &Codec, data: &[Vec<u8>]) -> Vec<Vec<u8>> {
    [data, &parity(codec, data)].concat()
}

/// How much is enough: less where tests run in an emulator.
pub const fn few(many: usize, few: usize) -> usize {
    if cfg!(any(miri, target_arch = "aarch64")) {
        few
    } else {
        many
    }
}
