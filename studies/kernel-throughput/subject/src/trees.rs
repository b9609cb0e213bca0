//! Namespaced Merkle trees of the guide's sizes.

use std::time::Duration;

use karat_nmt::{Format, Leaf, Tree};
use study_support::{Prng, Unit, Workload, timed};

/// Name, leaves, bytes of data of each, and how many rounds.
const WORKLOADS: [(&str, usize, usize, u64); 6] = [
    ("nmt-2p2", 1 << 2, 32, 2000),
    ("nmt-2p10", 1 << 10, 32, 60),
    ("nmt-2p16", 1 << 16, 32, 5),
    ("nmt-2p16-64b", 1 << 16, 64, 5),
    ("nmt-2p18", 1 << 18, 32, 2),
    ("nmt-2p20", 1 << 20, 32, 1),
];

/// Bytes of a namespace.
const NAMESPACE: usize = Format::CELESTIA.namespace_len();

/// All workloads.
pub fn names() -> Vec<&'static str> {
    WORKLOADS.iter().map(|w| w.0).collect()
}

/// The workload called `name`, if it is one of [`names`].
pub fn by_name(name: &str) -> Option<Box<dyn Workload>> {
    let (_, count, data, rounds) = *WORKLOADS.iter().find(|w| w.0 == name)?;
    Some(Box::new(Trees {
        leaves: leaves(count, data),
        length: NAMESPACE + data,
        rounds,
    }))
}

/// Leaves with their namespaces in front, four of each namespace.
pub fn leaves(count: usize, data: usize) -> Vec<u8> {
    let length = NAMESPACE + data;
    let mut bytes = vec![0; count * length];
    Prng::new(count as u64).fill(&mut bytes);
    for (index, leaf) in bytes.chunks_exact_mut(length).enumerate() {
        let number = (index as u64 / 4).to_be_bytes();
        leaf[..NAMESPACE].fill(0);
        leaf[NAMESPACE - number.len()..NAMESPACE].copy_from_slice(&number);
    }
    bytes
}

/// The root of leaves of `length` bytes, on one thread or on all.
pub fn root(bytes: &[u8], length: usize, threads: bool) -> Vec<u8> {
    let leaves = bytes.chunks_exact(length);
    let leaves = leaves.map(|leaf| Leaf::prefixed(Format::CELESTIA, leaf));
    let leaves: Vec<Leaf<'_>> = leaves.map(|leaf| leaf.expect("it is longer")).collect();
    let tree: Tree = match threads {
        true => Tree::of_parallel(Format::CELESTIA, &leaves),
        false => Tree::of(Format::CELESTIA, &leaves),
    }
    .expect("namespaces ascend");
    tree.root().to_vec()
}

struct Trees {
    leaves: Vec<u8>,
    length: usize,
    rounds: u64,
}

impl Workload for Trees {
    fn unit(&self) -> Unit {
        Unit::Elements
    }

    fn amount(&self) -> u64 {
        (self.leaves.len() / self.length) as u64
    }

    fn rounds(&self) -> u64 {
        self.rounds
    }

    fn round(&mut self, prng: &mut Prng) -> (Duration, u64) {
        for leaf in self.leaves.chunks_exact_mut(self.length) {
            prng.fill(&mut leaf[NAMESPACE..NAMESPACE + 8]);
        }
        let threads = rayon::current_num_threads() > 1;
        let (time, root) = timed(|| root(&self.leaves, self.length, threads));
        let digest = root.last_chunk().expect("a root is longer");
        (time, u64::from_le_bytes(*digest))
    }
}
