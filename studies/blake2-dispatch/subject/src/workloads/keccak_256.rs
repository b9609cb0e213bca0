//! Keccak-256 of 532-byte messages: the length of a full branch node of Ethereum's hexary trie
//! (16 child hashes of 33 bytes with their prefix, an empty value and a 3-byte list header), the
//! longest thing such a node hashes all the time. It is four permutations.

use tiny_keccak::{Hasher, Keccak};

use super::{Messages, Workload};
use crate::prng::Prng;

const LENGTH: usize = 532;
const COUNT: usize = 128;

/// The messages of one round.
pub struct Keccak256(Messages);

impl Keccak256 {
    /// Buffers of zeros; `refill` comes before every round.
    pub fn new() -> Self {
        Self(Messages::new(COUNT, LENGTH))
    }
}

impl Workload for Keccak256 {
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
        self.0.fold(|message| {
            let mut digest = [0; 32];
            let mut keccak = Keccak::v256();
            keccak.update(message);
            keccak.finalize(&mut digest);
            digest
        })
    }
}
