//! Where the constants of algorithms are, and which code uses them: one pass
//! over the read-only bytes.

use super::compiled::Catalogue;
use super::memory::Memory;
use karat_binary::read::image::Image;
use std::collections::{HashMap, HashSet};

/// Distinct words of a constant that code must name as immediates.
pub(super) const LEAST_WORDS: usize = 4;

/// Where the constants of a catalogue are in an image.
#[derive(Default)]
pub(super) struct Hits {
    /// Address range of a table, sorted.
    pub tables: Vec<(u64, u64)>,
    /// Places in code that name a table's address or a word of a constant.
    pub places: Vec<u64>,
}

/// Searches for the constants of all kernels that have some.
pub(super) fn search(catalogue: &Catalogue<'_>, image: &Image<'_>, memory: &Memory<'_>) -> Hits {
    let mut starts: HashMap<u64, Vec<&[u8]>> = HashMap::new();
    let mut words: HashSet<u32> = HashSet::new();
    for (_, bytes) in catalogue.kernels.iter().flat_map(|k| &k.kernel.constants) {
        starts.entry(word64(bytes)).or_default().push(bytes);
        words.extend(distinct_words(bytes));
    }
    let mut hits = Hits::default();
    if starts.is_empty() {
        return hits;
    }
    let first = Filter::new(starts.keys().map(|start| *start as u32));
    for (address, part) in &memory.parts {
        // Tables are aligned to their words at least.
        for (at, chunk) in part.windows(8).enumerate().step_by(4) {
            if !first.may_have(word32(chunk)) {
                continue;
            }
            for constant in starts.get(&word64(chunk)).into_iter().flatten() {
                // The first 16 bytes: what follows is written twice, or in
                // another order, where the code wants it so.
                if part[at..].starts_with(&constant[..16]) {
                    let start = address + at as u64;
                    hits.tables.push((start, start + 2 * constant.len() as u64));
                }
            }
        }
    }
    hits.tables.sort_unstable();
    hits.tables.dedup();
    let low = hits.tables.first().map_or(u64::MAX, |table| table.0);
    let high = hits.tables.iter().map(|t| t.1).max().unwrap_or(0);
    let length = high.saturating_sub(low);
    let numbers = Filter::new(words.iter().copied());
    for section in image.code.iter().filter(|s| !s.named_only) {
        // Relative to the section, so that a displacement needs one addition.
        let low = low.wrapping_sub(section.address).wrapping_sub(4);
        for (at, chunk) in section.bytes.windows(4).enumerate() {
            let word = word32(chunk);
            let target = (at as u64).wrapping_add(word as i32 as u64);
            let near_table = target.wrapping_sub(low) < length;
            if !near_table && !numbers.may_have(word) {
                continue;
            }
            let place = section.address + at as u64;
            let target = section.address.wrapping_add(target).wrapping_add(4);
            if (near_table && hits.in_table(target)) || words.contains(&word) {
                hits.places.push(place);
            }
        }
    }
    hits
}

impl Hits {
    /// Whether an address is in a table.
    fn in_table(&self, address: u64) -> bool {
        let next = self.tables.partition_point(|t| t.0 <= address);
        // Tables of one algorithm may overlap in their doubled lengths.
        let near = self.tables[next.saturating_sub(4)..next].iter();
        near.rev().any(|t| address < t.1)
    }
}

/// Names of the constants that a piece of code uses: it refers to a place in a
/// table of them, or names [`LEAST_WORDS`] as immediates.
pub(super) fn used<'c>(
    constants: &'c [(String, Vec<u8>)],
    memory: &Memory<'_>,
    references: &[u64],
    immediates: &[u64],
) -> Vec<&'c str> {
    let mut names = Vec::new();
    for (name, bytes) in constants {
        let words: HashSet<u32> = bytes.chunks_exact(4).map(word32).collect();
        let refers = references.iter().any(|&address| {
            let there = memory.sixteen(address);
            there.is_some_and(|there| there.chunks_exact(4).all(|w| words.contains(&word32(w))))
        });
        if refers || names_words(bytes, immediates) {
            names.push(name.as_str());
        }
    }
    names
}

/// Whether immediates are words of a constant. SHA-256's are the upper halves of
/// SHA-512's: 32-bit ones must be of both halves, and 64-bit ones whole words.
fn names_words(bytes: &[u8], immediates: &[u64]) -> bool {
    let telling = |word: &u32| word.count_ones() >= 8;
    let has = |value: u64| immediates.contains(&value);
    let pairs = bytes.chunks_exact(8).map(|b| (word32(b), word32(&b[4..])));
    let (mut low, mut high, mut whole) = (HashSet::new(), HashSet::new(), HashSet::new());
    for (first, second) in pairs {
        low.extend(Some(first).filter(|w| telling(w) && has(u64::from(*w))));
        high.extend(Some(second).filter(|w| telling(w) && has(u64::from(*w))));
        let both = u64::from(first) | u64::from(second) << 32;
        whole.extend(Some(both).filter(|w| second != 0 && has(*w)));
    }
    let halves = low.len() >= LEAST_WORDS / 2 && high.len() >= LEAST_WORDS / 2;
    halves || whole.len() >= LEAST_WORDS
}

fn distinct_words(bytes: &[u8]) -> HashSet<u32> {
    bytes
        .chunks_exact(4)
        .map(word32)
        .filter(|word| word.count_ones() >= 8)
        .collect()
}

fn word32(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn word64(bytes: &[u8]) -> u64 {
    u64::from(word32(bytes)) | u64::from(word32(&bytes[4..])) << 32
}

/// A set of words that may say yes wrongly.
struct Filter(Vec<u64>);

impl Filter {
    fn new(words: impl Iterator<Item = u32>) -> Self {
        let mut bits = vec![0; 1 << 10];
        for word in words {
            let at = Self::slot(word);
            bits[at >> 6] |= 1 << (at & 63);
        }
        Self(bits)
    }

    fn slot(word: u32) -> usize {
        (word.wrapping_mul(0x9e37_79b1) >> 16) as usize
    }

    #[inline(always)]
    fn may_have(&self, word: u32) -> bool {
        let at = Self::slot(word);
        self.0[at >> 6] >> (at & 63) & 1 != 0
    }
}
