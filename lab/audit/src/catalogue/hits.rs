//! Where the constants of algorithms are, and which code uses them: one pass
//! over the read-only bytes.

use super::compiled::Catalogue;
use super::memory::Memory;
use crate::image::Image;
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
    let numbers = Filter::new(words.iter().copied());
    for section in &image.code {
        for (at, chunk) in section.bytes.windows(4).enumerate() {
            let word = word32(chunk);
            let place = section.address.wrapping_add(at as u64);
            let target = place.wrapping_add(4).wrapping_add(word as i32 as u64);
            let names_table = (low..high).contains(&target) && hits.in_table(target);
            if names_table || (numbers.may_have(word) && words.contains(&word)) {
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

/// Names of the constants that a piece of code uses: a table it refers to, or
/// words of it as immediates.
pub(super) fn used<'c>(
    constants: &'c [(String, Vec<u8>)],
    memory: &Memory<'_>,
    references: &[u64],
    immediates: &[u64],
) -> Vec<&'c str> {
    let mut names = Vec::new();
    for (name, bytes) in constants {
        let refers = references.iter().any(|&address| {
            // The address may be of the middle of the table.
            (0..=bytes.len() as u64 * 2).step_by(16).any(|back| {
                let start = address.wrapping_sub(back);
                memory.sixteen(start).is_some_and(|b| b[..] == bytes[..16])
            })
        });
        let words = distinct_words(bytes);
        let named = words.iter().filter(|&&word| {
            (immediates.iter()).any(|&i| i as u32 == word || (i >> 32) as u32 == word)
        });
        if refers || named.count() >= LEAST_WORDS {
            names.push(name.as_str());
        }
    }
    names
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
