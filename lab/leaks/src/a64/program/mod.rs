//! An AArch64 ELF file as its code sees it: functions, entries, pointers in data, imports.

mod auxval;
mod kept;
mod read;
mod threads;

use super::features::{Set, Told};
use super::said::Said;
use super::value::Val;
use karat_binary::ranges::AddressRange;
use karat_binary::read::dynamic::u64_at;
use karat_binary::read::symbols::Symbols;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub(super) use threads::THREAD;

/// Where imported functions are put, sixteen bytes each: no file has code there.
const IMPORTS: u64 = 0xffff_8000_0000_0000;
/// Where what a resolver returns is put: so far above the resolver.
const RESOLVED: u64 = 0xffff_9000_0000_0000;
/// Where a resolver's second argument is, `__ifunc_arg_t` of glibc.
pub(super) const IFUNC_ARGUMENT: u64 = 0xffff_a000_0000_0000;

/// How code is entered from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Entry {
    /// The program starts there, or the loader runs it.
    Start,
    /// A library exports it.
    Exported,
    /// It is asked which function to take.
    Resolver,
    /// The program's `main` hands it to somebody who calls it.
    Handed,
}

/// What a code address that a value may be stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code<'p> {
    Own(u64),
    Import(&'p str),
    /// What the resolver there returns.
    Resolved(u64),
}

pub(super) struct Program<'a> {
    pub symbols: Symbols<'a>,
    sections: Vec<(u64, &'a [u8])>,
    pub entries: BTreeMap<u64, Entry>,
    imports: Vec<&'a str>,
    /// Pointers in data, by where they lie.
    pub words: BTreeMap<u64, u64>,
    /// The same, sorted.
    pub table: Vec<(u64, u64)>,
    /// Linkage stubs: the place of the pointer that they jump by.
    stubs: HashMap<u64, u64>,
    /// Where the first and the last of them begins.
    stubbed: (u64, u64),
    contents: Vec<(u64, &'a [u8])>,
    /// Data that may be written, without what the loader fills before all code.
    writable: Vec<(u64, u64)>,
    /// The loader's own tables of pointers.
    got: Vec<(u64, u64)>,
    pub variables: BTreeMap<u64, (u64, &'a str)>,
    /// What other files may name.
    pub exported: BTreeSet<u64>,
    /// What words of the linkage table lead to: symbols, whether the file still names them.
    begun: BTreeSet<u64>,
    /// Where functions begin that have a symbol or an unwind entry.
    starts: HashSet<u64>,
    /// `__aarch64_have_lse_atomics`, found without symbols too.
    pub have_lse: HashSet<u64>,
    /// `getauxval` of the C library that is linked in.
    pub auxval: HashSet<u64>,
    /// Where that library keeps both words.
    auxiliary: HashMap<u64, Told>,
    /// Bytes in which it keeps one bit of them.
    kept_bits: HashMap<u64, (Told, u32)>,
    /// Where it keeps which CPU it is.
    kept_models: HashSet<u64>,
    /// Where the first section that is loaded lies.
    lowest: u64,
    /// What a user says of its names.
    pub said: Said,
}

impl<'a> Program<'a> {
    pub fn is_code(&self, address: u64) -> bool {
        self.word(address).is_some()
    }

    /// The instruction at an address.
    pub fn word(&self, address: u64) -> Option<u32> {
        let at = self
            .sections
            .partition_point(|(start, _)| *start <= address);
        let (start, bytes) = self.sections.get(at.checked_sub(1)?)?;
        let at = usize::try_from(address - start).ok()?;
        let word = bytes.get(at..at.checked_add(4)?)?;
        (address & 3 == 0).then(|| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    }

    /// The code between two addresses, as far as it lies in one section.
    pub fn bytes(&self, from: u64, to: u64) -> &'a [u8] {
        let at = self.sections.partition_point(|(start, _)| *start <= from);
        let Some((start, bytes)) = at.checked_sub(1).and_then(|at| self.sections.get(at)) else {
            return &[];
        };
        let low = usize::try_from(from - start).map_or(bytes.len(), |low| low.min(bytes.len()));
        let high = usize::try_from(to - start).map_or(bytes.len(), |high| high.min(bytes.len()));
        bytes.get(low..high).unwrap_or(&[])
    }

    /// Whether a run-time library tells there what the CPU has; of LSE all of libgcc's atomics
    /// ask, and nobody else.
    pub fn is_told(&self, address: u64) -> bool {
        (self.variable(address)).is_some_and(|(.., name)| name == "__aarch64_cpu_features")
            || self.auxiliary(address).is_some()
            || self.kept_bits.contains_key(&address)
            || self.said.cell(address).is_some()
    }

    /// The kernel's word that the C library keeps there, and how far into it the address is.
    pub fn auxiliary(&self, address: u64) -> Option<(Told, u64)> {
        let start = address & !7;
        let word = *self.auxiliary.get(&start)?;
        Some((word, address - start))
    }

    /// What other libraries have.
    pub fn imports(&self) -> impl Iterator<Item = (u64, &'a str)> {
        let all = self.imports.iter().enumerate();
        all.map(|(number, name)| (IMPORTS + 16 * number as u64, *name))
    }

    /// What a user says of the function that a code address stands for.
    pub fn said_of(&self, value: u64) -> Option<Set> {
        if self.said.is_empty() {
            return None;
        }
        let slot = self.stubs.get(&value).and_then(|slot| self.words.get(slot));
        self.said.function(slot.copied().unwrap_or(value))
    }

    /// What a user says of the function that an address is in.
    pub fn word_of(&self, address: u64) -> Set {
        match self.said.is_empty() {
            true => 0,
            false => (self.range(address)).map_or(0, |range| {
                let start = self.symbols.functions[range.value as usize].address;
                self.said.function(start).unwrap_or(0)
            }),
        }
    }

    /// Whether a number may be the address of something: no file has any below where its
    /// first section lies.
    pub fn may_be_address(&self, value: u64) -> bool {
        value >= self.lowest
    }

    /// Whether a value may be the address of code.
    pub fn may_be_code(&self, value: &Val) -> bool {
        let mut list = value.as_alts().unwrap_or(&[]).iter();
        list.any(|alt| self.may_be_address(alt.value))
    }

    /// The range of code that an address is in.
    pub fn range(&self, address: u64) -> Option<&AddressRange<u32>> {
        let ranges = &self.symbols.ranges;
        let at = ranges.partition_point(|range| range.end <= address);
        ranges.get(at).filter(|range| range.start <= address)
    }

    pub fn is_start(&self, address: u64) -> bool {
        self.starts.contains(&address)
    }

    pub fn name(&self, address: u64) -> String {
        match self.range(address) {
            Some(range) => {
                let function = &self.symbols.functions[range.value as usize];
                match function.names.is_empty() {
                    true => format!("{:#x}", function.address),
                    false => self.symbols.readable_name(range.value),
                }
            }
            None => format!("{address:#x}"),
        }
    }

    /// The mangled names of what begins at an address.
    pub fn names(&self, address: u64) -> &[&'a str] {
        match self.range(address) {
            Some(range) if self.symbols.functions[range.value as usize].address == address => {
                &self.symbols.functions[range.value as usize].names
            }
            _ => &[],
        }
    }

    /// Whether one of these comes from another library.
    pub fn imports_any(&self, names: &[&str]) -> bool {
        self.imports.iter().any(|name| names.contains(name))
    }

    /// What a code address stands for; none for what is no code.
    pub fn code(&self, value: u64) -> Option<Code<'_>> {
        if (self.stubbed.0..=self.stubbed.1).contains(&value)
            && let Some(slot) = self.stubs.get(&value)
        {
            return self.code(*self.words.get(slot)?);
        }
        if self.is_code(value) {
            // The address of an indirect function is what it resolves to.
            return Some(match self.entries.get(&value) {
                Some(Entry::Resolver) => Code::Resolved(value),
                _ => Code::Own(value),
            });
        }
        if (RESOLVED..IFUNC_ARGUMENT).contains(&value) {
            return Some(Code::Resolved(value - RESOLVED));
        }
        if (IMPORTS..RESOLVED).contains(&value) {
            let at = usize::try_from((value - IMPORTS) / 16).ok()?;
            return self.imports.get(at).map(|name| Code::Import(name));
        }
        None
    }

    pub fn is_writable(&self, address: u64) -> bool {
        self.writable
            .iter()
            .any(|(start, end)| (*start..*end).contains(&address))
    }

    pub fn is_got(&self, address: u64) -> bool {
        self.got
            .iter()
            .any(|(start, end)| (*start..*end).contains(&address))
    }

    /// Where what begins at an address ends, at most so many bytes behind: where another begins
    /// that the linkage table has, it has ended.
    pub fn end_of(&self, address: u64, most: u64) -> u64 {
        let end = address.saturating_add(most);
        let mut others = self.begun.range(address.saturating_add(1)..end);
        others.next().copied().unwrap_or(end)
    }

    /// What pointers in data lead to, without those that the loader fills for calls.
    pub fn tabled(&self) -> HashSet<u64> {
        let words = self.words.iter().filter(|(place, _)| !self.is_got(**place));
        words.map(|(_, to)| *to).collect()
    }

    /// The eight bytes that the file has at an address.
    fn stored(&self, address: u64) -> Option<u64> {
        let (start, bytes) = self.content(address)?;
        u64_at(bytes, usize::try_from(address - start).ok()?)
    }

    fn content(&self, address: u64) -> Option<(u64, &'a [u8])> {
        let at = self
            .contents
            .partition_point(|(start, _)| *start <= address);
        let (start, bytes) = *self.contents.get(at.checked_sub(1)?)?;
        (address - start < bytes.len() as u64).then_some((start, bytes))
    }

    /// What is at an address before any code runs; none if that is not in the file.
    pub fn initial(&self, address: u64, size: u32) -> Option<u64> {
        if size == 8
            && let Some(word) = self.words.get(&address)
        {
            return Some(*word);
        }
        if let Some((start, bytes)) = self.content(address) {
            let at = usize::try_from(address - start).ok()?;
            let part = bytes.get(at..at.checked_add(size as usize)?)?;
            let mut word = [0; 8];
            word.get_mut(..part.len())?.copy_from_slice(part);
            return Some(u64::from_le_bytes(word));
        }
        self.is_writable(address).then_some(0)
    }

    /// The variable that an address is in.
    pub fn variable(&self, address: u64) -> Option<(u64, u64, &'a str)> {
        let (start, (size, name)) = self.variables.range(..=address).next_back()?;
        (address - start < *size).then_some((*start, *size, *name))
    }
}
