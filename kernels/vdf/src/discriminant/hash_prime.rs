//! Primes from hashes.

use crate::{Uint, prime};
use alloc::vec::Vec;
use karat_sha2::sha256;

/// A prime of `bits` bits, a multiple of 8, that has the bits of `low` set (chiavdf's
/// `HashPrime`, in `src/proof_common.h`).
///
/// The seed counts up as one large number. SHA-256 digests of its values, end to end and
/// cut at `bits`, are a candidate; its highest bit, its lowest and those of `low` are set.
/// The first candidate that is prime is the result. `None` when there is none before the
/// counter is at its beginning again, as happens with seeds of a byte or two.
pub(crate) fn hash_prime(seed: &[u8], bits: usize, low: u64) -> Option<Uint> {
    let candidates = Candidates {
        seed,
        counter: seed.to_vec(),
        bits,
        low,
        ended: false,
    };
    prime::first(candidates)
}

/// The candidates of a seed, until the counter is at its beginning again.
struct Candidates<'a> {
    seed: &'a [u8],
    counter: Vec<u8>,
    bits: usize,
    low: u64,
    ended: bool,
}

impl Iterator for Candidates<'_> {
    type Item = Uint;

    fn next(&mut self) -> Option<Uint> {
        if self.ended {
            return None;
        }
        let mut candidate = Vec::with_capacity(self.bits / 8 + 32);
        while candidate.len() < self.bits / 8 {
            count(&mut self.counter);
            candidate.extend(sha256::hash(&self.counter));
        }
        candidate.truncate(self.bits / 8);
        let last = candidate.len() - 1;
        candidate[last] |= self.low as u8 | 1;
        candidate[0] |= 0x80;
        self.ended = self.counter == self.seed;
        Uint::from_be_bytes(&candidate).ok()
    }
}

/// The next number, of as many bytes; after the last one comes zero.
fn count(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
}
