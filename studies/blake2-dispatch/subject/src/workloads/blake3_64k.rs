//! BLAKE3 of 64 KiB messages, whose kernels are assembly outside the reach of LTO.

use super::{Messages, Workload};
use crate::prng::Prng;

const LENGTH: usize = 64 << 10;
const COUNT: usize = 4;

/// The messages of one round.
pub struct Blake3x64k(Messages);

impl Blake3x64k {
    /// Buffers of zeros; `refill` comes before every round.
    pub fn new() -> Self {
        Self(Messages::new(COUNT, LENGTH))
    }
}

impl Workload for Blake3x64k {
    fn amount(&self) -> u64 {
        self.0.total()
    }

    fn rounds_per_ms(&self) -> f64 {
        28.0
    }

    fn refill(&mut self, prng: &mut Prng) {
        self.0.refill(prng);
    }

    fn run(&mut self) -> u64 {
        self.0.fold(|message| *blake3::hash(message).as_bytes())
    }
}
