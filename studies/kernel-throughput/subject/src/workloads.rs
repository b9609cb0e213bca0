//! One message of each size, and many messages at once.

use std::time::Duration;

use karat_hash::{blake3, keccak::keccak256, sha256};
use rayon::prelude::*;
use study_support::{Messages, Prng, Workload, fold, timed};

/// Digests of messages; `usize` is how many messages a thread takes at once.
pub type Hash = fn(&[&[u8]], &mut [[u8; 32]], usize);

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// Name, hash, messages, their length, and how many rounds.
///
/// Rounds are so many that the portable implementation takes some 30 ms on one thread, and the
/// fastest some 3; a message of 256 MiB is one round.
const WORKLOADS: [(&str, Hash, usize, usize, u64); 15] = [
    ("blake3-4k", blake3_each, 16, 4 * KIB, 400),
    ("blake3-64k", blake3_each, 1, 64 * KIB, 400),
    ("blake3-1m", blake3_tree, 1, MIB, 30),
    ("blake3-16m", blake3_tree, 1, 16 * MIB, 5),
    ("blake3-256m", blake3_tree, 1, 256 * MIB, 1),
    ("blake3-16x1m", blake3_each, 16, MIB, 5),
    ("keccak-4k", keccak_each, 16, 4 * KIB, 200),
    ("keccak-1m", keccak_each, 1, MIB, 15),
    ("keccak-16x4k", keccak_many, 16, 4 * KIB, 200),
    ("keccak-16x1m", keccak_many, 16, MIB, 3),
    ("sha256-4k", sha256_each, 16, 4 * KIB, 200),
    ("sha256-1m", sha256_each, 1, MIB, 15),
    ("sha256-16x4k", sha256_many, 16, 4 * KIB, 200),
    ("sha256-16x1m", sha256_many, 16, MIB, 3),
    ("sha256-64x64k", sha256_many, 64, 64 * KIB, 6),
];

/// All workloads.
pub fn names() -> Vec<&'static str> {
    WORKLOADS.iter().map(|w| w.0).collect()
}

/// The workload called `name`, one of [`names`].
pub fn by_name(name: &str) -> Box<dyn Workload> {
    let found = WORKLOADS.iter().find(|w| w.0 == name);
    let (_, hash, count, length, rounds) = *found.expect("a known name");
    let mut messages = Messages::new(count, length);
    messages.refill(&mut Prng::new(length as u64));
    Box::new(Digests {
        hash,
        messages,
        // Threads share the messages evenly, whole groups of lanes for few threads.
        at_once: count.div_ceil(rayon::current_num_threads()),
        rounds,
        digests: vec![[0; 32]; count],
    })
}

struct Digests {
    hash: Hash,
    messages: Messages,
    at_once: usize,
    rounds: u64,
    digests: Vec<[u8; 32]>,
}

impl Workload for Digests {
    fn amount(&self) -> u64 {
        self.messages.total()
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        // New bytes throughout would take longer than BLAKE3 takes to hash them.
        self.messages.touch(prng);
        let messages = self.messages.slices();
        let (time, ()) = timed(|| (self.hash)(&messages, &mut self.digests, self.at_once));
        (time, fold(&self.digests))
    }
}

/// One message after the other, each over all threads.
pub fn blake3_tree(messages: &[&[u8]], digests: &mut [[u8; 32]], _: usize) {
    for (message, digest) in messages.iter().zip(digests) {
        *digest = if rayon::current_num_threads() > 1 {
            blake3::Hasher::new().update_rayon(message).finalize()
        } else {
            blake3::hash(message)
        };
    }
}

/// One message after the other on each thread.
pub fn blake3_each(messages: &[&[u8]], digests: &mut [[u8; 32]], at_once: usize) {
    each(messages, digests, at_once, blake3::hash);
}

/// As [`blake3_each`].
pub fn keccak_each(messages: &[&[u8]], digests: &mut [[u8; 32]], at_once: usize) {
    each(messages, digests, at_once, keccak256::hash);
}

/// As [`blake3_each`].
pub fn sha256_each(messages: &[&[u8]], digests: &mut [[u8; 32]], at_once: usize) {
    each(messages, digests, at_once, sha256::hash);
}

/// Many messages at once on each thread.
pub fn keccak_many(messages: &[&[u8]], digests: &mut [[u8; 32]], at_once: usize) {
    shared(messages, digests, at_once, keccak256::hash_many);
}

/// As [`keccak_many`].
pub fn sha256_many(messages: &[&[u8]], digests: &mut [[u8; 32]], at_once: usize) {
    shared(messages, digests, at_once, sha256::hash_many);
}

fn each(
    messages: &[&[u8]],
    digests: &mut [[u8; 32]],
    at_once: usize,
    hash: impl Fn(&[u8]) -> [u8; 32] + Sync,
) {
    shared(messages, digests, at_once, |messages, digests| {
        for (message, digest) in messages.iter().zip(digests) {
            *digest = hash(message);
        }
    });
}

/// Parts of `at_once` messages on all threads; what is one part stays on this thread.
fn shared(
    messages: &[&[u8]],
    digests: &mut [[u8; 32]],
    at_once: usize,
    hash: impl Fn(&[&[u8]], &mut [[u8; 32]]) + Sync,
) {
    if messages.len() <= at_once {
        return hash(messages, digests);
    }
    messages
        .par_chunks(at_once)
        .zip(digests.par_chunks_mut(at_once))
        .for_each(|(messages, digests)| hash(messages, digests));
}
