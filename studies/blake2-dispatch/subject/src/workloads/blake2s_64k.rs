//! BLAKE2s-256 of 64 KiB messages.

use super::{Messages, Workload};
use crate::prng::Prng;

const LENGTH: usize = 64 << 10;
const COUNT: usize = 4;

/// The messages of one round.
pub struct Blake2s64k(Messages);

impl Blake2s64k {
    /// Buffers of zeros; `refill` comes before every round.
    pub fn new() -> Self {
        Self(Messages::new(COUNT, LENGTH))
    }
}

impl Workload for Blake2s64k {
    fn amount(&self) -> u64 {
        self.0.total()
    }

    fn rounds_per_ms(&self) -> f64 {
        1.6
    }

    fn refill(&mut self, prng: &mut Prng) {
        self.0.refill(prng);
    }

    fn run(&mut self) -> u64 {
        self.0.fold(blake2s_simd::blake2s)
    }
}
