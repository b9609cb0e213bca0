//! SHA-256 of 64 KiB messages.

use sha2::{Digest, Sha256};

use super::{Messages, Workload};
use crate::prng::Prng;

const LENGTH: usize = 64 << 10;
const COUNT: usize = 4;

/// The messages of one round.
pub struct Sha256x64k(Messages);

impl Sha256x64k {
    /// Buffers of zeros; `refill` comes before every round.
    pub fn new() -> Self {
        Self(Messages::new(COUNT, LENGTH))
    }
}

impl Workload for Sha256x64k {
    fn amount(&self) -> u64 {
        self.0.total()
    }

    fn rounds_per_ms(&self) -> f64 {
        6.5
    }

    fn refill(&mut self, prng: &mut Prng) {
        self.0.refill(prng);
    }

    fn run(&mut self) -> u64 {
        self.0.fold(|message| Sha256::digest(message))
    }
}
