//! BLAKE2b-256 of 16 independent messages of 8 KiB at once, as when many extrinsics or trie values
//! are waiting: four of them share the lanes of a vector.

use blake2b_simd::Params;
use blake2b_simd::many::{HashManyJob, hash_many};

use super::{Messages, Workload, fold};
use crate::prng::Prng;

const LENGTH: usize = 8 << 10;
const AT_ONCE: usize = 16;
const GROUPS: usize = 2;

/// The messages of one round.
pub struct Blake2bMany(Messages);

impl Blake2bMany {
    /// Buffers of zeros; `refill` comes before every round.
    pub fn new() -> Self {
        Self(Messages::new(GROUPS * AT_ONCE, LENGTH))
    }
}

impl Workload for Blake2bMany {
    fn amount(&self) -> u64 {
        self.0.total()
    }

    fn rounds_per_ms(&self) -> f64 {
        10.0
    }

    fn refill(&mut self, prng: &mut Prng) {
        self.0.refill(prng);
    }

    fn run(&mut self) -> u64 {
        let mut params = Params::new();
        params.hash_length(32);
        let mut all = 0;
        for group in self.0.bytes.as_chunks::<{ AT_ONCE * LENGTH }>().0 {
            let messages = group.as_chunks::<LENGTH>().0;
            let mut jobs: [HashManyJob; AT_ONCE] =
                std::array::from_fn(|i| HashManyJob::new(&params, &messages[i]));
            hash_many(&mut jobs);
            all = jobs
                .iter()
                .fold(all, |all, job| fold(all, job.to_hash().as_bytes()));
        }
        all
    }
}
