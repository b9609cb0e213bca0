//! Finding a byte at the end of 16 KiB with `memchr`: parsers and text logs of a node.

use std::hint::black_box;

use super::Workload;
use crate::prng::Prng;

const LENGTH: usize = 16 << 10;
const SEARCHES: usize = 256;
const NEEDLE: u8 = 0xff;

/// The bytes searched in one round, all of them every time: the needle is the last byte.
pub struct Memchr(Vec<u8>);

impl Memchr {
    /// A buffer of zeros; `refill` comes before every round.
    pub fn new() -> Self {
        Self(vec![0; LENGTH])
    }
}

impl Workload for Memchr {
    fn amount(&self) -> u64 {
        (LENGTH * SEARCHES) as u64
    }

    fn rounds_per_ms(&self) -> f64 {
        32.0
    }

    fn refill(&mut self, prng: &mut Prng) {
        prng.fill(&mut self.0);
        for byte in &mut self.0 {
            *byte &= 0x7f;
        }
        self.0[LENGTH - 1] = NEEDLE;
    }

    fn run(&mut self) -> u64 {
        (0..SEARCHES)
            .map(|_| memchr::memchr(NEEDLE, black_box(&self.0)).map_or(0, |at| at as u64))
            .sum()
    }
}
