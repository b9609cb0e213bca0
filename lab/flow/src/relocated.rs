//! Words of data that are addresses once the file is loaded. Large files have a million of
//! them: eight bytes each.

use super::program::Word;
use karat_binary::numbers::NumberMap;

/// Words by their address.
#[derive(Default)]
pub struct Words<'a> {
    base: u64,
    /// Addresses of words that are addresses, both by their distance from the base.
    near: NumberMap<u32, u32>,
    /// All others: imports, and what is 4 GiB from the base or farther.
    far: NumberMap<u64, Word<'a>>,
}

impl<'a> Words<'a> {
    /// None yet. No address below `base` is near.
    #[must_use]
    pub fn new(base: u64) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// Makes room for more.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.near.reserve(more);
    }

    /// What the word at an address stands for.
    #[must_use]
    pub fn get(&self, place: u64) -> Option<Word<'a>> {
        let near = self.distance(place).and_then(|near| self.near.get(&near));
        match near {
            Some(to) => Some(Word::Address(self.base + u64::from(*to))),
            None => self.far.get(&place).copied(),
        }
    }

    /// Whether the word at an address is one.
    #[must_use]
    pub fn contains(&self, place: u64) -> bool {
        self.get(place).is_some()
    }

    /// Notes a word, whatever was noted before.
    pub(crate) fn insert(&mut self, place: u64, word: Word<'a>) {
        let near = self.distance(place);
        let to = match word {
            Word::Address(to) => self.distance(to),
            Word::Import(_) => None,
        };
        if let (Some(near), Some(to)) = (near, to) {
            self.near.insert(near, to);
            if !self.far.is_empty() {
                self.far.remove(&place);
            }
        } else {
            self.far.insert(place, word);
            near.and_then(|near| self.near.remove(&near));
        }
    }

    /// Notes a word where none was noted.
    pub(crate) fn add(&mut self, place: u64, word: Word<'a>) {
        if !self.contains(place) {
            self.insert(place, word);
        }
    }

    /// All words and their addresses, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Word<'a>)> + '_ {
        let address = |distance: &u32| self.base + u64::from(*distance);
        let near = self.near.iter();
        let near = near.map(move |(place, to)| (address(place), Word::Address(address(to))));
        near.chain(self.far.iter().map(|(place, word)| (*place, *word)))
    }

    /// All words, in no order.
    pub fn values(&self) -> impl Iterator<Item = Word<'a>> + '_ {
        self.iter().map(|(_, word)| word)
    }

    /// Names of imports that words stand for, in no order.
    pub fn imports(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.far.values().filter_map(|word| match word {
            Word::Import(name) => Some(*name),
            Word::Address(_) => None,
        })
    }

    fn distance(&self, address: u64) -> Option<u32> {
        u32::try_from(address.checked_sub(self.base)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Word, Words};
    use std::collections::BTreeMap;

    const BASE: u64 = 0x1_4000_0000;

    /// What was noted last counts, whichever of both maps has it, and at the limits of the near
    /// one.
    #[test]
    fn near_and_far_words_are_one_map() {
        let distances = [0, 1, u64::from(u32::MAX), 1 << 32];
        let addresses = distances.map(|by| BASE + by).into_iter();
        let addresses = addresses.chain([0, BASE - 1, u64::MAX]);
        let addresses: Vec<u64> = addresses.collect();
        let words = addresses.iter().map(|to| Word::Address(*to));
        let words: Vec<Word<'_>> = words.chain([Word::Import("it")]).collect();
        for place in &addresses {
            for first in &words {
                for second in &words {
                    let mut all = Words::new(BASE);
                    all.insert(BASE + 8, Word::Address(BASE));
                    all.insert(*place, *first);
                    all.add(*place, *second);
                    assert_eq!(all.get(*place), Some(*first));
                    all.insert(*place, *second);
                    assert_eq!(all.get(*place), Some(*second));
                    let expected = [(BASE + 8, Word::Address(BASE)), (*place, *second)];
                    assert_eq!(all.iter().count(), 2);
                    let found: BTreeMap<u64, Word<'_>> = all.iter().collect();
                    assert_eq!(found, BTreeMap::from(expected));
                    assert_eq!(
                        all.imports().count(),
                        usize::from(*second == Word::Import("it"))
                    );
                }
                assert!(!Words::new(BASE).contains(*place));
            }
        }
        let mut all = Words::new(BASE);
        all.insert(BASE, Word::Address(BASE + u64::from(u32::MAX)));
        assert!(all.far.is_empty());
    }
}
