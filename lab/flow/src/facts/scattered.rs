//! What is stored in objects behind pointers otherwise than byte by byte: at distances that are
//! not known, and all at once.

use super::features::Facts;
use super::memory::Address;
use super::notes::Note;
use super::registers::read_register;
use super::state::State;
use super::step::{Arguments, Step};
use super::value::{Kind, Value};
use iced_x86::{Instruction, Mnemonic, Register};

/// Bytes that are filled at once, at most.
const FILLED: u64 = 4096;
/// The register of the address that strings are stored at, and of their count.
const PLACE: usize = 7;
const COUNT: usize = 1;

impl Step<'_, '_> {
    /// Notes a store at a distance that is not known: of the object nothing is known then. Who
    /// stores zero only takes flags away.
    pub(super) fn scatter(&mut self, state: &State, instruction: &Instruction, value: &Value) {
        let index = instruction.memory_index();
        let is_string = instruction.is_string_instruction();
        let is_one = is_string || index != Register::None;
        if !is_one || self.notes.is_none() || value.constant() == Some(0) {
            return;
        }
        let base = match (is_string, instruction.memory_base()) {
            (true, _) => Register::RDI,
            (false, base) => base,
        };
        let bases = [base, index].map(|register| match register {
            Register::None => Value::number(instruction.memory_displacement64()),
            register => read_register(state, register),
        });
        // Where both are known the place is.
        if !is_string && bases.iter().all(|base| base.constant().is_some()) {
            return;
        }
        for base in bases {
            self.scatters_in(&base);
        }
    }

    /// A routine stores so behind arguments.
    pub(super) fn scatter_behind(&mut self, scatters: u16, arguments: &Arguments) {
        for (number, value) in arguments.iter().enumerate() {
            if scatters >> number & 1 == 1 {
                self.scatters_in(value);
            }
        }
    }

    fn scatters_in(&mut self, base: &Value) {
        let Some(notes) = &mut self.notes else {
            return;
        };
        for (kind, _) in base.alternatives() {
            match kind {
                Kind::Const(at) if self.oracle.object_start(*at).is_some() => {
                    notes.push(Note::Scatter(*at));
                }
                Kind::Argument(number, _) => notes.push(Note::ScatterBehind(*number)),
                _ => {}
            }
        }
    }

    /// Fills so much of an object with a byte; false where it is not an object, or not known.
    pub(super) fn fills_object(
        &mut self,
        state: &mut State,
        to: &Value,
        byte: &Value,
        bytes: u64,
        at: u64,
    ) -> bool {
        let is_object = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Const(at) if self.oracle.object_start(*at).is_some());
        if bytes > FILLED || !to.alternatives().iter().all(is_object) {
            return false;
        }
        let repeated = |byte: u64| Value::number((byte & 0xff) * 0x0101_0101_0101_0101);
        let value = byte.constant().map_or(Value::any(), repeated);
        let place = Address::of(to);
        for part in (0..bytes).step_by(8) {
            let size = (bytes - part).min(8) as u8;
            let value = super::state::truncated(&value, size);
            self.store(state, &place.plus(part), size, &value, at);
        }
        true
    }

    /// `rep stos` in an object; false where it is another, or not known.
    pub(super) fn fills_string(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        let size = match instruction.mnemonic() {
            Mnemonic::Stosb => 1,
            Mnemonic::Stosd => 4,
            Mnemonic::Stosq => 8,
            _ => return false,
        };
        let count = match instruction.has_rep_prefix() {
            true => state.registers[COUNT].constant(),
            false => Some(1),
        };
        let Some(bytes) = count.and_then(|count| count.checked_mul(size)) else {
            return false;
        };
        let to = state.registers[PLACE].clone();
        let word = state.registers[0].constant().unwrap_or(1);
        let is_zero = word & (u64::MAX >> (64 - size * 8)) == 0;
        let byte = match is_zero {
            true => Value::number(0),
            false => Value::any(),
        };
        if !self.fills_object(state, &to, &byte, bytes, instruction.ip()) {
            return false;
        }
        state.registers[PLACE] = Value::any();
        if instruction.has_rep_prefix() {
            state.registers[COUNT] = Value::number(0);
        }
        true
    }
}
