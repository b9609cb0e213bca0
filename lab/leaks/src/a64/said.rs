//! What a user says of names of the file (`--gate-function`, `--cpu-cell`).
//!
//! A word is a set that is kept apart from what was seen: whatever rests on it is of medium
//! confidence. Of a function it holds of the result, and of code that the function calls or
//! hands out.

use super::features::{self, ALL, SAID, Set};
use super::program::Program;
use super::value::{Alt, Bits, Val};
use karat_flow::facts::vouched::{Says, Vouched};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Bytes of a variable without a symbol.
const NAMELESS: u64 = 8;

#[derive(Default)]
pub(super) struct Said {
    /// By address: of this file, or where an import is put.
    functions: HashMap<u64, Set>,
    /// The same, with their sizes.
    cells: BTreeMap<u64, (u64, Set)>,
    /// Whose words they are, for reports.
    names: Vec<(String, Set)>,
    /// Names that the file does not have.
    pub gone: Vec<String>,
}

/// An address as reports write it: `0x4010` of a function, `[0x4010]` of a variable.
fn address(name: &str) -> Option<u64> {
    let inner = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    u64::from_str_radix(inner.unwrap_or(name).strip_prefix("0x")?, 16).ok()
}

/// What somebody's word tells where the value is not zero.
fn told(says: &Says) -> Set {
    match says {
        Says::Named(names) => features::word(
            (names.iter()).fold(0, |all, name| all | features::known(name).unwrap_or(0)),
        ),
        // Features of x86-64 are not said here.
        Says::Nonzero(_) | Says::Bits(_) => SAID,
    }
}

impl Said {
    pub fn of(program: &Program<'_>, said: &Vouched) -> Self {
        let mut out = Self::default();
        for (name, says) in said.functions() {
            let mut one = Vouched::default();
            one.function(name, says.clone());
            let is_it = |names: &[&str]| names.iter().any(|name| one.of_function(name).is_some());
            let own = (program.symbols.functions.iter())
                .filter(|f| is_it(&f.names) || address(name) == Some(f.address))
                .map(|f| f.address);
            let imported = program.imports().filter(|(_, name)| is_it(&[name]));
            let places: Vec<u64> = own.chain(imported.map(|(at, _)| at)).collect();
            out.note(name, told(says), places.is_empty());
            for at in places {
                out.functions.insert(at, told(says));
            }
        }
        for (name, says) in said.cells() {
            let mut one = Vouched::default();
            one.cell(name, says.clone());
            let own = (program.variables.iter())
                .filter(|(_, (_, name))| one.of_cell(name).is_some())
                .map(|(at, (size, _))| (*at, *size));
            let imported = program
                .imports()
                .filter(|(_, name)| one.of_cell(name).is_some());
            let nameless = address(name).filter(|at| program.is_writable(*at));
            let places: Vec<(u64, u64)> = own
                .chain(imported.map(|(at, _)| (at, NAMELESS)))
                .chain(nameless.map(|at| (at, NAMELESS)))
                .collect();
            out.note(name, told(says), places.is_empty());
            for (at, size) in places {
                out.cells.insert(at, (size, told(says)));
            }
        }
        out
    }

    fn note(&mut self, name: &str, word: Set, is_gone: bool) {
        match is_gone {
            true => self.gone.push(name.to_owned()),
            false => self.names.push((name.to_owned(), word)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// What is said of the function at an address.
    pub fn function(&self, address: u64) -> Option<Set> {
        self.functions.get(&address).copied()
    }

    /// The functions that something is said of.
    pub fn functions(&self) -> impl Iterator<Item = u64> {
        self.functions.keys().copied()
    }

    /// What is said of the variable that an address is in: where it begins, its size, the word.
    pub fn cell(&self, address: u64) -> Option<(u64, u64, Set)> {
        let (start, (size, word)) = self.cells.range(..=address).next_back()?;
        (address - start < *size).then_some((*start, *size, *word))
    }

    /// Whose words a set may rest on.
    pub fn whose(&self, has: Set) -> Option<String> {
        let words = has & features::WORDS;
        let of: Vec<&str> = (self.names.iter())
            .filter(|(_, word)| *word & !words == 0)
            .map(|(name, _)| name.as_str())
            .collect();
        (words != 0 && !of.is_empty()).then(|| of.join(", "))
    }
}

/// A value of which somebody says what is there where it is not zero. Pointers stay what they
/// are.
pub(super) fn value(program: &Program<'_>, known: &Val, word: Set, bytes: u64) -> Val {
    if let Some(list) = known.as_alts()
        && list.iter().any(|alt| program.code(alt.value).is_some())
    {
        // What decided for one that is not followed stays, where the word is not enough.
        let each = |alt: &Alt| Alt {
            has: alt.has | if alt.value == 0 { 0 } else { word },
            ..*alt
        };
        return Val::alts(list.iter().map(each).collect());
    }
    let mut bits = Bits::any(false);
    let wide = (8 * bytes.min(8)) as usize;
    for (bit, set) in bits.set.iter_mut().enumerate() {
        // It is never negative, of four bytes or of all.
        *set = match bit < wide && bit + 1 != wide && bit != 31 {
            true => word,
            false => ALL,
        };
    }
    Val::Bits(Rc::new(bits))
}
