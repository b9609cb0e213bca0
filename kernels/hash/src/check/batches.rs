//! Random messages whose lengths are around multiples of blocks and lanes.

use alloc::vec::Vec;

/// A small deterministic random number generator (splitmix64; Steele, Lea and Flood,
/// 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// The kind of messages on which a hash is checked.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Lengths at which something changes: blocks, chunks.
    pub(super) edges: &'static [usize],
    /// Length of the longest message.
    pub(super) most: usize,
    /// Whether the kernel takes many messages at once.
    pub(super) many: bool,
}

/// Multiples of each edge that are tried: powers of two and their successors, up to
/// twice the widest lanes.
const MULTIPLES: [usize; 12] = [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64];

/// Numbers of messages that are tried: fewer than lanes, as many, and more.
const COUNTS: [usize; 17] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 65];

/// Number of random lengths, besides those around edges.
const RANDOM: usize = 40;

/// Messages that are hashed by one call. They lie in one buffer, so that they begin at
/// any address.
pub(super) struct Batch {
    bytes: Vec<u8>,
    spans: Vec<(usize, usize)>,
}

impl Batch {
    fn new(random: &mut Random, lengths: &[usize]) -> Self {
        let mut spans = Vec::new();
        let mut end = 0;
        for length in lengths {
            end += random.below(64);
            spans.push((end, *length));
            end += length;
        }
        let mut bytes: Vec<u8> = Vec::with_capacity(end + 8);
        while bytes.len() < end {
            bytes.extend(random.next().to_le_bytes());
        }
        Self { bytes, spans }
    }

    pub(super) fn messages(&self) -> Vec<&[u8]> {
        let message = |(start, length): &(usize, usize)| &self.bytes[*start..*start + *length];
        self.spans.iter().map(message).collect()
    }
}

/// Creates the batches for one hash.
pub(super) fn batches(shape: Shape, seed: u64) -> Vec<Batch> {
    let random = &mut Random(seed);
    let mut lengths = alloc::vec![0, 1];
    for edge in shape.edges {
        for near in MULTIPLES
            .iter()
            .flat_map(|m| [m * edge - 1, m * edge, m * edge + 1])
        {
            if near <= shape.most {
                lengths.push(near);
            }
        }
    }
    for _ in 0..RANDOM {
        lengths.push(random.below(shape.most + 1));
    }
    let mut all: Vec<Batch> = Vec::new();
    if !shape.many {
        for length in lengths {
            all.push(Batch::new(random, &[length]));
        }
        return all;
    }
    for count in COUNTS {
        let same = lengths[random.below(lengths.len())];
        all.push(Batch::new(random, &alloc::vec![same; count]));
        let mixed: Vec<usize> = (0..count)
            .map(|_| lengths[random.below(lengths.len())])
            .collect();
        all.push(Batch::new(random, &mixed));
    }
    all
}
