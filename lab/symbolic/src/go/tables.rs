//! Tables of interfaces' methods (`itab`): the file's own, and those that the run-time makes where
//! a value of one interface is asked for another (`internal/abi/type.go`, `runtime/iface.go`).

use crate::bits::{Kind, Word};
use crate::machine::{Machine, Stop};
use crate::state::State;
use karat_flow::program::{self, Program};

/// Where those lie that the run-time makes: each pair of an interface and a type has one, which
/// all ways have, since programs compare their addresses.
const MADE: u64 = 0x7500_0000_0000;
const SIZE: u64 = 0x400;
/// Methods of one interface, at most.
const METHODS: u64 = 64;

impl Machine<'_> {
    /// The table of an interface's methods for a type: zero where the type lacks one.
    pub(super) fn itab(
        &mut self,
        state: &mut State,
        interface: &Word,
        of: &Word,
    ) -> Result<Word, Stop> {
        let any = Word::unknown(8, Kind::Opaque);
        let (Some(interface), Some(of)) = (interface.number()?, of.number()?) else {
            return Ok(any);
        };
        if of == 0 {
            return Ok(Word::ZERO);
        }
        let program = self.image.program;
        let places = karat_flow::sweep::to(&program.pointers, interface).iter();
        let is_type = |place: u64| {
            let word = program.words.get(place.wrapping_add(8));
            word == Some(program::Word::Address(of))
        };
        let found = places.map(|(_, place)| place).find(|place| is_type(*place));
        if let Some(table) = found {
            return Ok(Word::Known(table));
        }
        Ok(match implemented(program, interface, of) {
            None => any,
            Some(None) => Word::ZERO,
            Some(Some(codes)) if codes.iter().all(|code| self.is_start(*code)) => {
                let table = self.made(interface, of);
                let hash = four(program, of.wrapping_add(16)).unwrap_or(0);
                let words = [interface, of, hash].into_iter().chain(codes);
                for (place, word) in (table..).step_by(8).zip(words) {
                    state.memory.write(place, &Word::Known(word), 8);
                }
                Word::Known(table)
            }
            Some(Some(_)) => any,
        })
    }

    /// Where the table of a pair is.
    fn made(&mut self, interface: u64, of: u64) -> u64 {
        let Some(go) = self.go.as_mut() else {
            return MADE;
        };
        let pair = (interface, of);
        let known = go.tables.iter().position(|known| *known == pair);
        let number = known.unwrap_or(go.tables.len());
        if known.is_none() {
            go.tables.push(pair);
        }
        MADE + number as u64 * SIZE
    }
}

fn eight(program: &Program<'_>, at: u64) -> Option<u64> {
    match program.words.get(at) {
        Some(program::Word::Address(to)) => Some(to),
        _ => program.content(at),
    }
}

fn four(program: &Program<'_>, at: u64) -> Option<u64> {
    let word = program.content(at & !7)?;
    Some((word >> ((at & 7) * 8)) & 0xffff_ffff)
}

/// A type's own methods: the numbers of their names and types, and how far from the text's start
/// the code is that an interface calls.
fn methods(program: &Program<'_>, of: u64) -> Option<Vec<[u64; 3]>> {
    let four = |at: u64| four(program, at);
    let tail = four(of.wrapping_add(20))?;
    let (flags, kind) = (tail & 0xff, tail >> 24 & 31);
    // They lie behind what the type's kind adds.
    let adds = match kind {
        // Functions, pointers and slices; channels; arrays; interfaces and structures.
        19 | 22 | 23 => 8,
        18 => 16,
        17 => 24,
        20 | 25 => 32,
        // Maps differ from version to version.
        21 => return None,
        _ => 0,
    };
    if flags & 1 == 0 {
        return Some(Vec::new());
    }
    let more = of.wrapping_add(48 + adds);
    let (counts, by) = four(more.wrapping_add(4)).zip(four(more.wrapping_add(8)))?;
    let all = (0..counts & 0xffff).map(|at| more.wrapping_add(by + at * 16));
    all.map(|at| Some([four(at)?, four(at + 4)?, four(at + 8)?]))
        .collect()
}

/// The code of an interface's methods, in its order, for a type: none within where the type lacks
/// one, none at all where that is not known. The linker keeps each name and each type once, so
/// that equal ones have one number.
fn implemented(program: &Program<'_>, interface: u64, of: u64) -> Option<Option<Vec<u64>>> {
    let first = eight(program, interface.wrapping_add(56))?;
    let count = eight(program, interface.wrapping_add(64))?;
    let own = methods(program, of)?;
    let four = |at: u64| four(program, at);
    let wanted = (0..count.min(METHODS)).map(|at| first.wrapping_add(at * 8));
    let wanted: Vec<(u64, u64)> = wanted.map_while(|at| four(at).zip(four(at + 4))).collect();
    if !(wanted.iter()).all(|(name, _)| own.iter().any(|[own, ..]| own == name)) {
        return Some(None);
    }
    let (text, _) = program.code.iter().min_by_key(|(start, _)| *start)?;
    let code = |(name, is): &(u64, u64)| {
        let same = own.iter().find(|own| own[..2] == [*name, *is]);
        same.map(|[.., by]| text.wrapping_add(*by))
    };
    // One of that name and another type may be one that the linker took out.
    let codes: Vec<u64> = wanted.iter().map(code).collect::<Option<_>>()?;
    (codes.len() as u64 == count && count > 0).then_some(Some(codes))
}
