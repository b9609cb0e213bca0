//! `cmpxchg`: how variables are set once, by whoever comes first.

use super::registers::{read_register, size, write_register};
use super::state::{Flags, State, truncated};
use super::step::Step;
use iced_x86::{Instruction, OpKind, Register};

impl Step<'_, '_> {
    /// Stores the second operand where the first is what rax holds. What the first was is in
    /// rax then, either way: it was there already where they are the same.
    pub(super) fn exchange_if_same(&mut self, state: &mut State, instruction: &Instruction) {
        let bytes = size(instruction, 0);
        let register = match bytes {
            1 => Register::AL,
            2 => Register::AX,
            4 => Register::EAX,
            _ => Register::RAX,
        };
        let expected = read_register(state, register);
        let old = self.read(state, instruction, 0);
        let new = truncated(&self.read(state, instruction, 1), bytes);
        match instruction.op0_kind() {
            OpKind::Memory => {
                let address = self.address(state, instruction);
                self.note_member(state, instruction, &address, &new);
                self.scatter(state, instruction, &new);
                self.store_perhaps(state, &address, bytes, &new, instruction.ip());
                // Somebody else may have set it to what he found.
                if let Some(place) = address.constant() {
                    state.set_global(place, bytes, new.or(&old));
                }
            }
            _ => self.write(state, instruction, 0, &new.or(&old)),
        }
        write_register(state, register, &old);
        state.flags = Flags::Compared {
            left: expected,
            right: old,
            bytes,
            place: None,
            is_whole: true,
        };
    }
}
