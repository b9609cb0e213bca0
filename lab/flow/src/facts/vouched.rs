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
    /// So many bytes of a variable, so far behind its start. Bits are counted from there.
    pub(super) fn at(&self, distance: u64, bytes: u8) -> Value {
        match self {
            Self::Bits(bits) if distance > 0 => {
                let first = usize::try_from(distance.saturating_mul(8)).unwrap_or(usize::MAX);
                Self::Bits(bits.get(first..).unwrap_or_default().to_vec()).value(bytes)
            }
            _ => self.value(bytes),
        }
    }

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
    /// What names end with, and their lengths.
    ends: Ends,
}

/// Parts of names, by the four bytes that they end with: a file has many names, and most have
/// no part. What they begin with is in many more, as the namespace of a library is. A part that
/// begins with `^` is the name's beginning, one that ends with `$` its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Parts {
    all: Vec<(String, Facts)>,
    ends: Ends,
}

impl Parts {
    /// A part of fewer than four bytes is none.
    fn add(&mut self, part: &str, facts: Facts) {
        if let Some(end) = bare(part).as_bytes().last_chunk() {
            self.ends.add(*end, 0);
            self.all.push((part.into(), facts));
        }
    }

    /// What is said of the first of them that a name has.
    fn of(&self, name: &str) -> Option<Facts> {
        let mut fours = name.as_bytes().windows(4);
        if !fours.any(|four| {
            four.first_chunk()
                .is_some_and(|four| self.ends.has(*four, 0))
        }) {
            return None;
        }
        let mut parts = self.all.iter();
        let found = parts.find(|(part, _)| has_part(name, part));
        found.map(|(_, facts)| *facts)
    }
}

/// A part without what says where it is.
fn bare(part: &str) -> &str {
    let part = part.strip_prefix('^').unwrap_or(part);
    part.strip_suffix('$').unwrap_or(part)
}

fn has_part(name: &str, part: &str) -> bool {
    let text = bare(part);
    match (part.starts_with('^'), part.ends_with('$')) {
        (true, true) => name == text,
        (true, false) => name.starts_with(text),
        (false, true) => name.ends_with(text),
        (false, false) => name.contains(text),
    }
}

/// A set of four bytes and a number, by a hash of them: one that is not there is mostly told so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Ends(Vec<u64>);

impl Ends {
    /// Bits of the hash.
    const BITS: u32 = 16;

    fn bit(four: [u8; 4], number: usize) -> usize {
        let both = u32::from_le_bytes(four) ^ number as u32;
        (both.wrapping_mul(0x9e37_79b9) >> (u32::BITS - Self::BITS)) as usize
    }

    fn add(&mut self, four: [u8; 4], number: usize) {
        self.0.resize(1 << Self::BITS >> 6, 0);
        let bit = Self::bit(four, number);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn has(&self, four: [u8; 4], number: usize) -> bool {
        let bit = Self::bit(four, number);
        (self.0.get(bit / 64)).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }
}

/// What a name ends with, and its length.
fn end(name: &str) -> ([u8; 4], usize) {
    let end = name.as_bytes().last_chunk();
    (end.copied().unwrap_or_default(), name.len())
}

impl Vouched {
    /// Says what a function's result tells.
    pub fn function(&mut self, name: &str, says: Says) {
        self.has_paths |= name.contains("::");
        let (four, length) = end(name);
        self.ends.add(four, length);
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
        let (four, length) = end(name);
        self.ends.add(four, length);
        self.cells.insert(name.into(), says);
    }

    /// Adds what others say of names that nothing is said of yet.
    pub fn extend(&mut self, other: &Self) {
        self.has_paths |= other.has_paths;
        for (part, facts) in &other.parts.all {
            self.parts.add(part, *facts);
        }
        self.pickers.extend(other.pickers.iter().cloned());
        for (mine, theirs) in [
            (&mut self.functions, &other.functions),
            (&mut self.cells, &other.cells),
        ] {
            for (name, says) in theirs {
                let (four, length) = end(name);
                self.ends.add(four, length);
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
        let find = |name: &str| {
            let (four, length) = end(name);
            match self.ends.has(four, length) {
                true => all.get(name),
                false => None,
            }
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
        vouched.part("^bytealg.Index$", avx2);
        assert_eq!(vouched.of_part("bytealg.Index"), Some(avx2));
        assert_eq!(vouched.of_part("my/bytealg.Index"), None);
        assert_eq!(vouched.of_part("bytealg.IndexByte"), None);
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
        // Behind its start are other bits, and behind all of them what nothing is known of.
        let says = Says::Bits([vec![Facts::NONE; 8], vec![avx2]].concat());
        assert_eq!(says.at(0, 8).when(Some(0)), Some(Facts::NONE));
        assert_eq!(says.at(1, 4).when(Some(0)), Some(avx2));
        assert_eq!(says.at(8, 8).when(Some(8)), None);
        let value = Says::Nonzero(avx2).value(8);
        assert_eq!(value.when(None), Some(avx2 | Facts::member()));
    }
}
