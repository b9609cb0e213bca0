//! Each hash in four shapes, and LtHash in two. All work on 64 KiB a round, which the second cache
//! holds.

use std::time::Duration;

use karat_hash::lthash::LtHash;
use study_support::{Messages, Prng, Unit, Workload, fold, timed};

use crate::algorithms::{ALGORITHMS, Algorithm, lattice, lattice_one_by_one};

const ROUND: usize = 64 << 10;

/// Name, messages' length, and how many at once (0: one after the other).
const SHAPES: [(&str, usize, usize); 4] = [
    ("64", 64, 0),
    ("64k", 64 << 10, 0),
    ("16x1k", 1 << 10, 16),
    ("64x64", 64, 64),
];

/// LtHash's elements in a round, each of 64 bytes.
const ELEMENTS: usize = 64;
/// LtHash's rounds: some 20 ms.
const LATTICE_ROUNDS: u64 = 1500;

/// The names of all workloads, such as `sha256-16x1k`.
pub fn names() -> Vec<&'static str> {
    let shaped = ALGORITHMS
        .iter()
        .flat_map(|a| SHAPES.map(|s| format!("{}-{}", a.name, s.0)));
    let lattice = ["lthash-64", "lthash-64x64"].map(str::to_owned);
    // A few names, once in a process.
    shaped.chain(lattice).map(|n| &*String::leak(n)).collect()
}

/// The workload called `name`, one of [`names`].
pub fn by_name(name: &str) -> Box<dyn Workload> {
    let (algorithm, shape) = name.split_once('-').expect("all names have a dash");
    match ALGORITHMS.iter().find(|a| a.name == algorithm) {
        Some(algorithm) => {
            let shape = SHAPES.iter().position(|s| s.0 == shape);
            Box::new(Digests::new(algorithm, shape.expect("a known shape")))
        }
        None => Box::new(Lattice {
            elements: Messages::new(ELEMENTS, 64),
            sum: if shape == "64" {
                lattice_one_by_one
            } else {
                lattice
            },
        }),
    }
}

struct Digests {
    algorithm: &'static Algorithm,
    rounds: u64,
    at_once: usize,
    messages: Messages,
    digests: Vec<[u8; 32]>,
}

impl Digests {
    fn new(algorithm: &'static Algorithm, shape: usize) -> Self {
        let (_, length, at_once) = SHAPES[shape];
        let count = ROUND / length;
        Self {
            algorithm,
            rounds: algorithm.rounds[shape],
            at_once,
            messages: Messages::new(count, length),
            digests: vec![[0; 32]; count],
        }
    }
}

impl Workload for Digests {
    fn amount(&self) -> u64 {
        self.messages.total()
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        self.messages.refill(prng);
        let messages = self.messages.slices();
        let Algorithm { one, many, .. } = self.algorithm;
        let (time, ()) = match self.at_once {
            0 => timed(|| {
                for (message, digest) in messages.iter().zip(&mut self.digests) {
                    *digest = one(message);
                }
            }),
            n => timed(|| {
                for (messages, digests) in messages.chunks(n).zip(self.digests.chunks_mut(n)) {
                    many(messages, digests);
                }
            }),
        };
        (time, fold(&self.digests))
    }
}

struct Lattice {
    elements: Messages,
    sum: fn(&[&[u8]]) -> LtHash,
}

impl Workload for Lattice {
    fn unit(&self) -> Unit {
        Unit::Elements
    }

    fn amount(&self) -> u64 {
        ELEMENTS as u64
    }

    fn rounds(&self) -> u64 {
        LATTICE_ROUNDS
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        self.elements.refill(prng);
        let elements = self.elements.slices();
        let (time, set) = timed(|| (self.sum)(&elements));
        (time, fold(&[set.checksum()]))
    }
}
