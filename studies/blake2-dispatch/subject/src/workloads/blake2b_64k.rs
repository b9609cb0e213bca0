//! BLAKE2b-256 of 64 KiB messages, one after the other: block bodies, code blobs, state values.

use super::{Messages, Workload};
use crate::prng::Prng;

const LENGTH: usize = 64 << 10;
const COUNT: usize = 4;

/// The messages of one round.
pub struct Blake2b64k(Messages);

impl Blake2b64k {
    /// Buffers of zeros; `refill` comes before every round.
    pub fn new() -> Self {
        Self(Messages::new(COUNT, LENGTH))
    }
}

impl Workload for Blake2b64k {
    fn amount(&self) -> u64 {
        self.0.total()
    }

    fn rounds_per_ms(&self) -> f64 {
        3.0
    }

    fn refill(&mut self, prng: &mut Prng) {
        self.0.refill(prng);
    }

    fn run(&mut self) -> u64 {
        let mut params = blake2b_simd::Params::new();
        params.hash_length(32);
        self.0.fold(|message| params.hash(message))
    }
}
