//! What a routine is looked at with, where that is more than what holds for all its callers.

use super::memory::Address;
use super::objects::Part;
use super::state::State;
use super::step::Step;
use super::value::{Kind, Value};
use crate::convention::Convention;
use iced_x86::{Instruction, Register};

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

/// What is supposed.
#[derive(Clone, Copy, Default)]
pub(super) struct Suppose<'s> {
    /// Values in arguments.
    pub arguments: &'s [(u8, Value)],
    /// What memory of its callers holds.
    pub memory: &'s [Part],
    /// Objects are followed, and what memory holds at calls is noted.
    pub is_deep: bool,
    /// Where one of several elements of a table is loaded, it is this one.
    pub element: Option<Element>,
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
    pub fn entry(&self, convention: &Convention) -> State {
        let mut entry = State::entry(convention);
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
    /// The element that is looked at alone, where a load is of one of several.
    pub(super) fn element_at(
        &self,
        state: &State,
        instruction: &Instruction,
        address: &Address,
        bytes: u8,
    ) -> Option<Value> {
        let Element { table, place, to } = self.element.filter(|_| bytes == 8)?;
        let is_it = match address.alternatives() {
            // By an index that is not followed.
            [(Kind::Any, _)] => {
                let base = match instruction.memory_base() {
                    Register::None => Some(instruction.memory_displacement64()),
                    base => super::registers::read_register(state, base).constant(),
                };
                instruction.memory_index() != Register::None
                    && base.is_some_and(|base| (table..=place).contains(&base))
            }
            [_] => false,
            all => all.iter().any(|(kind, _)| *kind == Kind::Const(place)),
        };
        is_it.then(|| Value::number(to))
    }
}
