//! One file per workload, and what they share.

use crate::prng::Prng;

mod blake2b_64k;
mod blake2b_many;
mod blake2s_64k;
mod blake3_64k;
mod keccak_256;
mod memchr;
mod sha256_64k;
pub mod sr25519_verify;

/// A part of what a node does, cut into rounds of fixed size.
pub trait Workload {
    /// What the result counts.
    fn unit(&self) -> Unit {
        Unit::Bytes
    }
    /// Bytes hashed (or signatures verified) in one round.
    fn amount(&self) -> u64;
    /// Rounds that stand for a millisecond: a constant, so that builds do equal work.
    fn rounds_per_ms(&self) -> f64;
    /// Makes the inputs of the next round. Not timed.
    fn refill(&mut self, prng: &mut Prng);
    /// Does one round and folds its results into a word. Timed.
    fn run(&mut self) -> u64;
}

/// What a workload counts.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Input bytes, reported as GiB/s.
    Bytes,
    /// Signatures, reported as verifications per second.
    Verifications,
}

impl Unit {
    /// The unit's name in the result line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "GiB/s",
            Self::Verifications => "verify/s",
        }
    }

    /// `rounds` rounds of `amount` in `seconds`, in this unit.
    pub fn per_second(self, amount: u64, rounds: u64, seconds: f64) -> f64 {
        let rate = (amount * rounds) as f64 / seconds;
        match self {
            Self::Bytes => rate / f64::from(1 << 30),
            Self::Verifications => rate,
        }
    }
}

/// Every workload, the four of the study first.
pub const NAMES: [&str; 8] = [
    "blake2b-64k",
    "blake2b-many",
    "keccak-256",
    "sr25519-verify",
    "blake2s-64k",
    "blake3-64k",
    "sha256-64k",
    "memchr",
];

/// The workload called `name`.
pub fn by_name(name: &str) -> Option<Box<dyn Workload>> {
    Some(match name {
        "blake2b-64k" => Box::new(blake2b_64k::Blake2b64k::new()),
        "blake2b-many" => Box::new(blake2b_many::Blake2bMany::new()),
        "keccak-256" => Box::new(keccak_256::Keccak256::new()),
        "sr25519-verify" => Box::new(sr25519_verify::Sr25519Verify::new()),
        "blake2s-64k" => Box::new(blake2s_64k::Blake2s64k::new()),
        "blake3-64k" => Box::new(blake3_64k::Blake3x64k::new()),
        "sha256-64k" => Box::new(sha256_64k::Sha256x64k::new()),
        "memchr" => Box::new(memchr::Memchr::new()),
        _ => return None,
    })
}

/// Messages of one length, next to each other.
struct Messages {
    bytes: Vec<u8>,
    length: usize,
}

impl Messages {
    fn new(count: usize, length: usize) -> Self {
        Self {
            bytes: vec![0; count * length],
            length,
        }
    }

    fn total(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn refill(&mut self, prng: &mut Prng) {
        prng.fill(&mut self.bytes);
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.length)
    }

    /// Hashes every message with `hash` and folds the digests.
    fn fold<D: AsRef<[u8]>>(&self, hash: impl Fn(&[u8]) -> D) -> u64 {
        self.iter()
            .fold(0, |all, message| fold(all, hash(message).as_ref()))
    }
}

/// Folds the first eight bytes of a result into a running word.
fn fold(all: u64, digest: &[u8]) -> u64 {
    let (words, _) = digest.as_chunks::<8>();
    all.rotate_left(7) ^ words.first().map_or(0, |word| u64::from_le_bytes(*word))
}
