//! Where the constants of algorithms are, and which code uses them: one pass
//! over the read-only bytes.

use super::compiled::Catalogue;
use super::memory::Memory;
use karat_binary::numbers::NumberSet;
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
    let mut words: NumberSet<u32> = NumberSet::default();
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
    let near = Near::new(&hits.tables, low, high);
    let numbers = Filter::new(words.iter().copied());
    for section in image.code.iter().filter(|s| !s.named_only) {
        // Relative to the section, so that a displacement needs one addition.
        let low = low.wrapping_sub(section.address).wrapping_sub(4);
        candidates(section.bytes, low, &near, &numbers, |at, word, is_near| {
            let place = section.address + at as u64;
            let target = place.wrapping_add(word as i32 as u64).wrapping_add(4);
            if (is_near && hits.in_table(target)) || words.contains(&word) {
                hits.places.push(place);
            }
        });
    }
    hits
}

/// Places of words that may be of a set, or are distances to near a table, of which the first
/// is at `low`: the place, the word, and whether it is such a distance. This goes over every
/// byte of code.
#[inline(never)]
fn candidates(
    bytes: &[u8],
    low: u64,
    near: &Near,
    words: &Filter,
    mut found: impl FnMut(usize, u32, bool),
) {
    let mut one = |at: usize, word: u32| {
        let target = (at as u64).wrapping_add(word as i32 as u64);
        let is_near = near.has(target.wrapping_sub(low));
        if is_near || words.may_have(word) {
            found(at, word, is_near);
        }
    };
    // Five words begin in eight bytes: one load is enough for the first four.
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let eight = u64::from_le_bytes(*chunk);
        for by in 0..4 {
            one(at + by, (eight >> (by * 8)) as u32);
        }
        at += 4;
    }
    for (by, chunk) in bytes[at..].windows(4).enumerate() {
        one(at + by, word32(chunk));
    }
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

#[inline(always)]
fn word32(bytes: &[u8]) -> u32 {
    // One load, where single bytes put together are three.
    bytes
        .first_chunk()
        .map_or(0, |word| u32::from_le_bytes(*word))
}

fn word64(bytes: &[u8]) -> u64 {
    u64::from(word32(bytes)) | u64::from(word32(&bytes[4..])) << 32
}

/// Where tables are, by page from the first on: they lie far apart, and every tenth word of code
/// is a distance to somewhere between them.
struct Near {
    length: u64,
    /// None where they lie so far apart that there would be too many.
    pages: Option<Vec<u64>>,
}

impl Near {
    /// Bits of a distance within a page.
    const BITS: u32 = 10;
    /// Half of what a displacement reaches.
    const FARTHEST: u64 = 1 << 31;

    fn new(tables: &[(u64, u64)], low: u64, high: u64) -> Self {
        let length = high.saturating_sub(low);
        if length > Self::FARTHEST {
            let pages = None;
            return Self { length, pages };
        }
        let mut pages = vec![0; (length >> (Self::BITS + 6)) as usize + 1];
        for (start, end) in tables {
            for page in (start - low) >> Self::BITS..=(end - low) >> Self::BITS {
                if let Some(word) = pages.get_mut((page >> 6) as usize) {
                    *word |= 1 << (page & 63);
                }
            }
        }
        let pages = Some(pages);
        Self { length, pages }
    }

    /// Whether a table is at a distance from the first, or near it.
    #[inline(always)]
    fn has(&self, distance: u64) -> bool {
        let page = distance >> Self::BITS;
        let is_one = |pages: &Vec<u64>| {
            let word = pages.get((page >> 6) as usize);
            word.is_some_and(|word| word >> (page & 63) & 1 == 1)
        };
        distance < self.length && self.pages.as_ref().is_none_or(is_one)
    }
}

/// A set of words that may say yes wrongly.
struct Filter(Box<[u64; 1 << 10]>);

impl Filter {
    fn new(words: impl Iterator<Item = u32>) -> Self {
        let mut bits = Box::new([0; 1 << 10]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_a_table() {
        // The second is on several pages.
        let tables = [(1000, 1100), (70_000, 74_000)];
        let near = Near::new(&tables, 1000, 74_000);
        for (start, end) in tables {
            assert!((start..end).all(|at| near.has(at - 1000)));
        }
        assert!(!near.has(30_000) && !near.has(74_000 - 1000) && !near.has(u64::MAX));
        let far = Near::new(&[(0, 8), (1 << 40, (1 << 40) + 8)], 0, (1 << 40) + 8);
        assert!(far.pages.is_none() && far.has(1 << 40));
        assert!(!Near::new(&[], u64::MAX, 0).has(0));
    }

    #[test]
    fn every_word_is_looked_at() {
        let words = Filter::new([0x428a_2f98].into_iter());
        let near = Near::new(&[], u64::MAX, 0);
        for length in 4..24 {
            for place in 0..=length - 4 {
                let mut bytes = vec![0; length];
                bytes[place..place + 4].copy_from_slice(&0x428a_2f98u32.to_le_bytes());
                let mut found = Vec::new();
                candidates(&bytes, 0, &near, &words, |at, word, _| {
                    found.push((at, word))
                });
                assert!(found.contains(&(place, 0x428a_2f98)), "{length} {place}");
            }
        }
    }
}
