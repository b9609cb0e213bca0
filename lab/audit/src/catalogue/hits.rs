//! Where the constants of algorithms are, and which code uses them: one pass over the read-only
//! bytes, and a question to each instruction while all are counted.

use super::compiled::Catalogue;
use super::memory::Memory;
use karat_binary::brief::Brief;
use karat_binary::numbers::NumberSet;
use karat_binary::read::format::Arch;
use karat_binary::read::image::Image;
use std::collections::{HashMap, HashSet};

/// Distinct words of a constant that code must name as immediates.
pub(super) const LEAST_WORDS: usize = 4;

/// Where the constants of a catalogue are in an image, and which words they have.
pub(crate) struct Constants {
    /// Address range of a table, sorted.
    tables: Vec<(u64, u64)>,
    /// Where the first begins.
    low: u64,
    near: Near,
    words: NumberSet<u32>,
    numbers: Filter,
}

impl Constants {
    /// Searches for the constants of all kernels that have some: one pass over the read-only
    /// bytes. None where there is nothing to be searched for.
    pub fn find(catalogue: &Catalogue<'_>, image: &Image<'_>) -> Option<Self> {
        if image.arch != Arch::X86_64 {
            return None;
        }
        let mut starts: HashMap<u64, Vec<&[u8]>> = HashMap::new();
        let mut words: NumberSet<u32> = NumberSet::default();
        for &(_, bytes) in catalogue.kernels.iter().flat_map(|k| &k.constants) {
            starts.entry(word64(bytes)).or_default().push(bytes);
            words.extend(distinct_words(bytes));
        }
        if starts.is_empty() {
            return None;
        }
        let mut tables: Vec<(u64, u64)> = Vec::new();
        for (address, part) in &Memory::read(image).parts {
            starting(part, &starts, |at, constant| {
                let start = address + at as u64;
                tables.push((start, start + 2 * constant.len() as u64));
            });
        }
        tables.sort_unstable();
        tables.dedup();
        let low = tables.first().map_or(u64::MAX, |table| table.0);
        let high = tables.iter().map(|t| t.1).max().unwrap_or(0);
        Some(Self {
            near: Near::new(&tables, low, high),
            numbers: Filter::new(words.iter().copied()),
            tables,
            low,
            words,
        })
    }

    /// Whether an instruction names a table's address or a word of a constant.
    #[inline]
    pub fn is_named(&self, instruction: &Brief) -> bool {
        if let Some(address) = instruction.named() {
            if self.may_be_at(address) && self.in_table(address) {
                return true;
            }
        } else if let Some(number) = instruction.absolute()
            && self.is_word(number as u32)
        {
            return true;
        }
        let number = instruction.number();
        let is_long = number as i32 as u64 != number;
        self.is_word(number as u32) || is_long && self.is_word((number >> 32) as u32)
    }

    /// Whether an address may be in a table.
    #[inline(always)]
    pub fn may_be_at(&self, address: u64) -> bool {
        self.near.has(address.wrapping_sub(self.low))
    }

    /// Whether a number may be a word of a constant.
    #[inline(always)]
    pub fn may_be_word(&self, word: u32) -> bool {
        self.numbers.may_have(word)
    }

    fn is_word(&self, word: u32) -> bool {
        self.may_be_word(word) && self.words.contains(&word)
    }

    /// Whether an address is in a table.
    fn in_table(&self, address: u64) -> bool {
        let next = self.tables.partition_point(|t| t.0 <= address);
        // Tables of one algorithm may overlap in their doubled lengths.
        let near = self.tables[next.saturating_sub(4)..next].iter();
        near.rev().any(|t| address < t.1)
    }
}

/// Places that are gone on from in turns.
const TURNS: usize = 4;

/// Where constants begin in bytes, of which `starts` has the first words. Tables are aligned to
/// words of four bytes at least. This goes over all that a program only reads, so one word in
/// four is looked at: of 16 bytes one of four words lies at a multiple of 16, whichever it is.
#[inline(never)]
fn starting(bytes: &[u8], starts: &HashMap<u64, Vec<&[u8]>>, mut found: impl FnMut(usize, &[u8])) {
    // The first 16 bytes: what follows is written twice, or in another order, where the code
    // wants it so.
    let heads = starts.values().flatten().map(|constant| &constant[..16]);
    let any = Filter::new(heads.flat_map(|head| head.chunks_exact(4)).map(word32));
    let first = Filter::new(starts.keys().map(|start| *start as u32));
    let mut look = |at: usize| {
        let Some(head) = bytes
            .get(at..at + 16)
            .filter(|head| first.may_have(word32(head)))
        else {
            return;
        };
        for constant in starts.get(&word64(head)).into_iter().flatten() {
            if head == &constant[..16] {
                found(at, constant);
            }
        }
    };
    let mut around = |at: usize| {
        (0..4)
            .rev()
            .filter_map(|words| at.checked_sub(words * 4))
            .for_each(&mut look);
    };
    let (chunks, rest) = bytes.as_chunks::<16>();
    // What is looked at is mostly waited for, so it is at several places in turns.
    let each = chunks.len() / TURNS;
    for number in 0..each {
        for number in (0..TURNS).map(|part| part * each + number) {
            if any.may_have(word32(&chunks[number])) {
                around(number * 16);
            }
        }
    }
    for (number, chunk) in chunks.iter().enumerate().skip(each * TURNS) {
        if any.may_have(word32(chunk)) {
            around(number * 16);
        }
    }
    if rest.len() >= 4 && any.may_have(word32(rest)) {
        around(chunks.len() * 16);
    }
}

/// Names of the constants that a piece of code uses: it refers to a place in a
/// table of them, or names [`LEAST_WORDS`] as immediates.
pub(super) fn used<'c>(
    constants: &[(&'c str, &[u8])],
    memory: &Memory<'_>,
    references: &[u64],
    immediates: &[u64],
) -> Vec<&'c str> {
    let mut names = Vec::new();
    for &(name, bytes) in constants {
        let words: HashSet<u32> = bytes.chunks_exact(4).map(word32).collect();
        let refers = references.iter().any(|&address| {
            let there = memory.sixteen(address);
            there.is_some_and(|there| there.chunks_exact(4).all(|w| words.contains(&word32(w))))
        });
        if refers || names_words(bytes, immediates) {
            names.push(name);
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

/// Where tables are, by page from the first on: they lie far apart, and most of what code names
/// lies between them.
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
    use karat_binary::brief::Briefs;

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
    fn every_place_of_a_constant_is_found() {
        let constant: Vec<u8> = (1..=32).collect();
        let starts = HashMap::from([(word64(&constant), vec![&constant[..]])]);
        for length in [16, 20, 36, 64, 70, 200] {
            for place in (0..=length - 16).step_by(4) {
                let mut bytes = vec![0; length];
                bytes[place..place + 16].copy_from_slice(&constant[..16]);
                let mut found = Vec::new();
                starting(&bytes, &starts, |at, _| found.push(at));
                assert_eq!(found, [place], "{length}");
            }
        }
        starting(&[0; 100], &starts, |at, _| panic!("{at}"));
    }

    #[test]
    fn what_names_a_constant() {
        let tables = vec![(0x2000, 0x2080)];
        let word = 0x428a_2f98;
        let constants = Constants {
            near: Near::new(&tables, 0x2000, 0x2080),
            numbers: Filter::new([word].into_iter()),
            words: [word].into_iter().collect(),
            low: 0x2000,
            tables,
        };
        let is_named = |bytes: &[u8]| {
            let brief = Briefs::new(bytes, 0x1000).at(0x1000).unwrap();
            assert_eq!(usize::from(brief.length), bytes.len());
            constants.is_named(&brief)
        };
        let le = u32::to_le_bytes(word);
        // lea rax, [rip + 0xff9] and the byte before; add eax, word; lea eax, [rax + rbx + word];
        // mov rax, word << 32; mov rax, word; call by a word.
        assert!(is_named(&[0x48, 0x8d, 0x05, 0xf9, 0x0f, 0, 0]));
        assert!(!is_named(&[0x48, 0x8d, 0x05, 0xf8, 0x0f, 0, 0]));
        assert!(is_named(&[&[0x05][..], &le].concat()));
        assert!(is_named(&[&[0x8d, 0x84, 0x18][..], &le].concat()));
        assert!(is_named(&[&[0x48, 0xb8, 0, 0, 0, 0][..], &le].concat()));
        assert!(is_named(&[&[0x48, 0xc7, 0xc0][..], &le].concat()));
        assert!(!is_named(&[&[0xe8][..], &le].concat()));
        assert!(!is_named(&[0x05, 0x98, 0x2f, 0x8a, 0x43]));
    }
}
