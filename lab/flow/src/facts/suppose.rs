//! What a routine is looked at with, where that is more than what holds for all its callers.

use super::jumped::{self, Registers};
use super::kept::Kept;
use super::memory::Address;
use super::notes::Note;
use super::objects::Part;
use super::oracle::Oracle;
use super::records::Record;
use super::registers::read_register;
use super::routine::Told;
use super::state::State;
use super::step::Step;
use super::value::{Kind, Value};
use iced_x86::{Instruction, Register};
use std::rc::Rc;

/// A word of a table of pointers: what is picked by what it points to can be told only where
/// one element is looked at alone, since what is read of several is mixed.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Where the table begins.
    pub table: u64,
    /// The word.
    pub place: u64,
    /// What it points to.
    pub to: u64,
}

/// What is known of a routine that picks an element of a table.
pub enum Picks {
    /// None is seen to be loaded.
    Nothing,
    /// It is not known whether what is asked of an element is asked of the one that is picked.
    Unclear,
    /// What is known where it is the element that was asked for.
    Told(Rc<Told>),
}

/// What is supposed.
#[derive(Clone, Copy, Default)]
pub(super) struct Suppose<'s> {
    /// Values in arguments.
    pub arguments: &'s [(u8, Value)],
    /// What memory of its callers holds.
    pub memory: &'s [Part],
    /// Objects are followed, and what memory holds at calls is noted.
    pub is_deep: bool,
    /// An element of a table, and the places where it is what is loaded.
    pub element: Option<(Element, &'s [u64])>,
    /// A record of a table that is looked at alone.
    pub record: Option<&'s Record>,
    /// Where it is jumped to, and with what.
    pub jumped: Option<(u64, &'s Registers)>,
    /// Members that hold words of flags, where nothing else is known of them.
    pub kept: &'s [Kept],
}

impl<'s> Suppose<'s> {
    /// Values in arguments alone.
    pub fn given(arguments: &'s [(u8, Value)]) -> Self {
        Self {
            arguments,
            ..Self::default()
        }
    }

    /// What is known where the routine is entered.
    pub fn entry(&self, oracle: &Oracle<'_>) -> State {
        let mut entry = match self.jumped {
            Some((_, registers)) => jumped::entry(registers),
            None => oracle.entry.clone(),
        };
        let convention = oracle.program.convention;
        for (number, value) in self.arguments {
            if let Some(register) = convention.register(*number) {
                entry.registers[usize::from(register)] = value.clone();
            }
        }
        for (at, bytes, value) in self.memory {
            entry.set_slot(*at, *bytes, value.clone());
        }
        entry
    }
}

impl Step<'_, '_> {
    /// The element that is looked at alone, where one of several is loaded, or a word of such
    /// a record.
    pub(super) fn element(&self, instruction: &Instruction, bytes: u8) -> Option<Value> {
        if let Some(record) = self.record {
            let place = record.loads.get(&instruction.ip())?;
            return Some(self.oracle.load(*place, bytes));
        }
        let (element, loads) = self.element?;
        let is_it = loads.contains(&instruction.ip());
        is_it.then(|| Value::number(element.to))
    }

    /// Notes a load of one of several elements of the table that is asked for.
    pub(super) fn note_element(
        &mut self,
        state: &State,
        instruction: &Instruction,
        address: &Address,
        bytes: u8,
    ) {
        let Some((Element { table, place, .. }, _)) = self.element.filter(|_| bytes == 8) else {
            return;
        };
        let is_it = match address.alternatives() {
            // By an index that is not followed.
            [(Kind::Any, _)] => {
                let base = match instruction.memory_base() {
                    Register::None => Some(instruction.memory_displacement64()),
                    base => read_register(state, base).constant(),
                };
                instruction.memory_index() != Register::None
                    && base.is_some_and(|base| (table..=place).contains(&base))
            }
            [_] => false,
            all => all.iter().any(|(kind, _)| *kind == Kind::Const(place)),
        };
        if let (true, Some(notes)) = (is_it, &mut self.notes) {
            let places = address.alternatives().iter();
            let places = places.filter_map(|(kind, _)| match kind {
                Kind::Const(at) => Some(*at),
                _ => None,
            });
            notes.push(Note::Load(instruction.ip(), places.collect()));
        }
    }
}
