//! Tables by number: most of an audit's tables are by address, and the hash that resists
//! whoever chooses the keys costs more there than all else.
//!
//! Multiplication by a random odd number, of which the high bits count: for any two keys
//! few of the multipliers make them meet (Dietzfelbinger and others, *A reliable randomized
//! algorithm for the closest-pair problem*, 1997, section 3.2). So no file can be made
//! whose addresses all meet.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

/// A map by numbers.
pub type NumberMap<K, V> = HashMap<K, V, Numbers>;
/// A set of numbers.
pub type NumberSet<K> = HashSet<K, Numbers>;

/// Drawn once per process.
static MULTIPLIER: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0) | 1);

/// Makes the hashes of one table.
#[derive(Clone, Copy)]
pub struct Numbers(u64);

impl Default for Numbers {
    fn default() -> Self {
        Self(*MULTIPLIER)
    }
}

impl BuildHasher for Numbers {
    type Hasher = NumberHasher;

    fn build_hasher(&self) -> NumberHasher {
        NumberHasher {
            multiplier: self.0,
            state: 0,
        }
    }
}

/// See [`Numbers`].
pub struct NumberHasher {
    multiplier: u64,
    state: u64,
}

impl Hasher for NumberHasher {
    // A table goes by the low bits.
    fn finish(&self) -> u64 {
        self.state.rotate_left(32)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        let before = self.state.rotate_left(32);
        self.state = (before ^ number).wrapping_mul(self.multiplier);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few multipliers are bad for keys of one distance. Which ones are drawn is chance, so
    /// many are tried, the same ones each time.
    #[test]
    fn keys_that_lie_evenly_are_spread() {
        for step in [1u64, 8, 16, 4096, 1 << 20, 1 << 33] {
            let bad = (1..=1000u64)
                .map(|i| Numbers(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1))
                .filter(|hashes| {
                    let low = (0..256).map(|number| hashes.hash_one(number * step) & 255);
                    low.collect::<HashSet<u64>>().len() <= 32
                })
                .count();
            assert!(bad < 50, "{step}: {bad} of 1000 multipliers");
        }
    }

    #[test]
    fn both_halves_of_a_pair_count() {
        let hashes = Numbers::default();
        let pairs = (0..100u64).flat_map(|a| (0..100u64).map(move |b| (a, b)));
        let distinct: HashSet<u64> = pairs.map(|pair| hashes.hash_one(pair)).collect();
        assert!(distinct.len() > 9_900);
    }
}
