//! What is said of names: a function, or a variable, that tells what the CPU has.
//!
//! A user says it, the file of known ones does, or another library of the same package
//! does, whose code was looked into.

use super::bits::constant_bit;
use super::features::Facts;
use super::value::Value;
use karat_binary::names::readable;
use std::collections::{HashMap, HashSet};

/// What a value of that name says of the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// It is not zero only where these features are there.
    Nonzero(Facts),
    /// By bit, from the lowest: what is there where the bit is one. Bits without an entry
    /// say nothing.
    Bits(Vec<Facts>),
    /// It is not zero only where AArch64 has these, by their names. Of x86-64 that says nothing.
    Named(Vec<String>),
}

impl Says {
    /// So many bytes of it.
    pub(super) fn value(&self, bytes: u8) -> Value {
        Value::word(|bit| match bit < bytes.saturating_mul(8) {
            true => match self {
                // As good as somebody's word.
                Self::Nonzero(facts) => (facts.closed() | Facts::member(), Facts::NONE),
                Self::Bits(bits) => match bits.get(usize::from(bit)) {
                    // A bit that is never one.
                    Some(facts) if *facts == Facts::ALL => constant_bit(false),
                    Some(facts) => (facts.closed(), Facts::NONE),
                    None => (Facts::NONE, Facts::NONE),
                },
                Self::Named(_) => (Facts::NONE, Facts::NONE),
            },
            false => constant_bit(false),
        })
    }
}

/// Names and what they say, by the mangled name or the readable one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vouched {
    functions: HashMap<String, Says>,
    cells: HashMap<String, Says>,
    /// Parts of functions' names: such a one calls code, and hands it out, only where these
    /// features are there. Its result says nothing.
    parts: Parts,
    /// Functions that pick what runs from the tables that they name.
    pickers: HashSet<String>,
    /// Some names are readable ones of C++ or Rust.
    has_paths: bool,
    /// By length of a name: whether one has it. Most names of a file are told so.
    lengths: Lengths,
}

/// Parts of names, by the two bytes that they begin with: a file has many names, and most have
/// no part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Parts {
    all: Vec<(String, Facts)>,
    /// By the first byte and the second: a bit for each pair; none where there is no part.
    pairs: Vec<u64>,
}

impl Parts {
    fn pair(first: u8, second: u8) -> usize {
        usize::from(first) << 8 | usize::from(second)
    }

    fn add(&mut self, part: &str, facts: Facts) {
        if let [first, second, ..] = *part.as_bytes() {
            self.pairs.resize(1 << 10, 0);
            let pair = Self::pair(first, second);
            self.pairs[pair / 64] |= 1 << (pair % 64);
            self.all.push((part.into(), facts));
        }
    }

    /// What is said of the first of them that a name has.
    fn of(&self, name: &str) -> Option<Facts> {
        if self.all.is_empty() {
            return None;
        }
        let mut windows = name.as_bytes().windows(2);
        let has_pair = windows.any(|pair| {
            let pair = Self::pair(pair[0], pair[1]);
            self.pairs[pair / 64] >> (pair % 64) & 1 == 1
        });
        let mut parts = self.all.iter();
        let found = parts.find(|(part, _)| has_pair && name.contains(part.as_str()));
        found.map(|(_, facts)| *facts)
    }
}

/// A set of lengths; long ones are all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lengths(u128);

impl Lengths {
    fn bit(name: &str) -> u128 {
        1 << name.len().min(127)
    }

    fn has(self, name: &str) -> bool {
        self.0 & Self::bit(name) != 0
    }

    fn add(&mut self, name: &str) {
        self.0 |= Self::bit(name);
    }
}

impl Vouched {
    /// Says what a function's result tells.
    pub fn function(&mut self, name: &str, says: Says) {
        self.has_paths |= name.contains("::");
        self.lengths.add(name);
        self.functions.insert(name.into(), says);
    }

    /// Says what is there where functions run whose mangled name has a part in it.
    pub fn part(&mut self, part: &str, facts: Facts) {
        self.parts.add(part, facts);
    }

    /// Says that a function picks what runs from the tables that it names, and that nothing
    /// else is taken from there.
    pub fn picker(&mut self, name: &str) {
        self.pickers.insert(name.into());
    }

    /// Whether a function of this mangled name picks what runs from the tables that it names.
    #[must_use]
    pub fn is_picker(&self, name: &str) -> bool {
        self.pickers.contains(name)
    }

    /// What is there where a function of this mangled name runs, by a part of it.
    #[must_use]
    pub fn of_part(&self, name: &str) -> Option<Facts> {
        self.parts.of(name)
    }

    /// Says what a variable tells.
    pub fn cell(&mut self, name: &str, says: Says) {
        self.has_paths |= name.contains("::");
        self.lengths.add(name);
        self.cells.insert(name.into(), says);
    }

    /// Adds what others say of names that nothing is said of yet.
    pub fn extend(&mut self, other: &Self) {
        self.has_paths |= other.has_paths;
        self.lengths.0 |= other.lengths.0;
        for (part, facts) in &other.parts.all {
            self.parts.add(part, *facts);
        }
        self.pickers.extend(other.pickers.iter().cloned());
        for (mine, theirs) in [
            (&mut self.functions, &other.functions),
            (&mut self.cells, &other.cells),
        ] {
            for (name, says) in theirs {
                mine.entry(name.clone()).or_insert_with(|| says.clone());
            }
        }
    }

    /// Whether nothing is said of anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
            && self.cells.is_empty()
            && self.parts.all.is_empty()
            && self.pickers.is_empty()
    }

    /// The functions that something is said of.
    pub fn functions(&self) -> impl Iterator<Item = (&str, &Says)> {
        self.functions
            .iter()
            .map(|(name, says)| (name.as_str(), says))
    }

    /// The variables that something is said of.
    pub fn cells(&self) -> impl Iterator<Item = (&str, &Says)> {
        self.cells.iter().map(|(name, says)| (name.as_str(), says))
    }

    /// What a function of this mangled name tells.
    #[must_use]
    pub fn of_function(&self, name: &str) -> Option<&Says> {
        self.find(&self.functions, name)
    }

    /// What a variable of this mangled name tells.
    #[must_use]
    pub fn of_cell(&self, name: &str) -> Option<&Says> {
        self.find(&self.cells, name)
    }

    fn find<'s>(&self, all: &'s HashMap<String, Says>, name: &str) -> Option<&'s Says> {
        let find = |name: &str| match self.lengths.has(name) {
            true => all.get(name),
            false => None,
        };
        let found = find(name);
        match self.has_paths && !all.is_empty() {
            true => found.or_else(|| find(&readable(name))),
            false => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_mangled_or_readable() {
        let mut vouched = Vouched::default();
        assert!(vouched.is_empty() && vouched.of_function("f").is_none());
        let says = Says::Nonzero(Facts::named("avx2"));
        vouched.function("cpu::has_avx2()", says.clone());
        assert_eq!(vouched.of_function("_ZN3cpu8has_avx2Ev"), Some(&says));
        assert_eq!(vouched.of_cell("_ZN3cpu8has_avx2Ev"), None);
    }

    #[test]
    fn a_part_of_a_name_says_what_is_there() {
        let mut vouched = Vouched::default();
        let avx2 = Facts::named("avx2");
        vouched.part("LevelE1E", avx2);
        assert_eq!(vouched.of_part("_Z3sumIL5LevelE1EEvv"), Some(avx2));
        assert_eq!(vouched.of_part("_Z3sumIL5LevelE2EEvv"), None);
        assert!(vouched.of_function("_Z3sumIL5LevelE1EEvv").is_none() && !vouched.is_empty());
    }

    #[test]
    fn bits_say_each_for_itself() {
        let avx2 = Facts::named("avx2").closed();
        let value = Says::Bits(vec![Facts::NONE, avx2, Facts::ALL]).value(4);
        assert_eq!(value.when(Some(1)), Some(avx2));
        assert_eq!(value.when(Some(0)), Some(Facts::NONE));
        assert_eq!(value.when(Some(2)), Some(Facts::ALL));
        assert_eq!(value.when(Some(9)), Some(Facts::NONE));
        assert_eq!(value.when(Some(40)), Some(Facts::ALL));
        let value = Says::Nonzero(avx2).value(8);
        assert_eq!(value.when(None), Some(avx2 | Facts::member()));
    }
}
