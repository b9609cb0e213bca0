//! Tables of pointers to functions that are picked from by a number: for each element, what is
//! known where the number is the one that leads to it.

use super::features::Facts;
use super::memory::Address;
use super::notes::Note;
use super::registers::read_register;
use super::state::State;
use super::step::Step;
use super::value::Kind;
use crate::program::Word;
use iced_x86::{Instruction, Register};
use karat_binary::numbers::NumberMap;
use std::collections::BTreeMap;

/// Bytes of an element.
const ELEMENT: u64 = 8;

/// One load of an element.
pub struct Index {
    /// Where the table begins, as far as the instruction says.
    table: u64,
    /// The elements that known numbers lead to, with what is known then.
    elements: Vec<(u64, Facts)>,
    /// What is known where the number may be any.
    any: Option<Facts>,
}

/// All of a routine.
#[derive(Default)]
pub struct Indexed {
    elements: NumberMap<u64, Facts>,
    /// By where the table begins, and whether answers made some of the numbers.
    any: BTreeMap<u64, (Facts, bool)>,
}

impl Indexed {
    pub(super) fn add(&mut self, index: Index) {
        for (place, facts) in index.elements.iter().copied() {
            let known = self.elements.entry(place).or_insert(facts);
            *known = *known & facts;
        }
        if let Some(facts) = index.any {
            let is_answered = |(_, facts): &(u64, Facts)| facts.has_extension();
            let is_mixed = index.elements.iter().any(is_answered);
            let known = self.any.entry(index.table).or_insert((facts, is_mixed));
            *known = (known.0 & facts, known.1 | is_mixed);
        }
    }

    /// What is known where a number that may be any picks from a table, which begins in a range;
    /// and whether that is so beside numbers that answers made.
    #[must_use]
    pub fn any(&self, (first, last): (u64, u64)) -> Option<(Facts, bool)> {
        if first > last {
            return None;
        }
        let all = self.any.range(first..=last).map(|(_, known)| *known);
        all.reduce(|all, one| (all.0 & one.0, all.1 | one.1))
    }

    /// What is known where an element is picked by numbers that are known.
    #[must_use]
    pub fn of(&self, element: u64) -> Option<Facts> {
        self.elements.get(&element).copied()
    }
}

impl Step<'_, '_> {
    /// Notes the load of an element by a number.
    pub(super) fn note_index(
        &mut self,
        state: &State,
        instruction: &Instruction,
        address: &Address,
    ) {
        if instruction.memory_index() == Register::None
            || instruction.memory_size().size() as u64 != ELEMENT
            || self.notes.is_none()
        {
            return;
        }
        let table = match instruction.memory_base() {
            Register::None => Some(instruction.memory_displacement64()),
            base => read_register(state, base).constant(),
        };
        let words = &self.oracle.program.words;
        let is_pointer = |at: u64| matches!(words.get(at), Some(Word::Address(to)) if self.oracle.program.is_code(to));
        let is_table = |at: &u64| is_pointer(*at) || is_pointer(at.wrapping_add(ELEMENT));
        let all = address.alternatives();
        let Some(table) = table.filter(is_table).filter(|_| !is_number(all)) else {
            return;
        };
        let mut index = Index {
            table,
            elements: Vec::new(),
            any: None,
        };
        for (kind, facts) in all {
            let facts = *facts | state.facts;
            match kind {
                Kind::Const(place) => index.elements.push((*place, facts)),
                _ => index.any = Some(index.any.map_or(facts, |known| known & facts)),
            }
        }
        if let Some(notes) = &mut self.notes {
            notes.push(Note::Index(index));
        }
    }
}

/// Whether an address is one place: what is there is named.
fn is_number(all: &[(Kind, Facts)]) -> bool {
    matches!(all, [(Kind::Const(_), _)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_at_every_load_is_known() {
        let (avx, avx2) = (Facts::named("avx").closed(), Facts::named("avx2").closed());
        let load = |elements: &[(u64, Facts)], any| Index {
            table: 64,
            elements: elements.to_vec(),
            any,
        };
        let mut all = Indexed::default();
        all.add(load(&[(72, avx), (80, avx2)], None));
        all.add(load(&[(72, avx2)], None));
        assert_eq!((all.of(72), all.of(80)), (Some(avx), Some(avx2)));
        assert_eq!((all.of(64), all.any((0, 100))), (None, None));
        all.add(load(&[], Some(avx2)));
        assert_eq!(all.any((64, 80)), Some((avx2, false)));
        all.add(load(&[(72, avx2)], Some(avx)));
        assert_eq!(all.any((64, 80)), Some((avx, true)));
        // Another table, and a range of none.
        assert_eq!((all.any((65, 80)), all.any((1, 0))), (None, None));
    }
}
