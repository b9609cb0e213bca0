//! Numbers of two registers: `shld` and `shrd`, as words of 128 flags are asked for one of them.

use super::arithmetic::{join_bits, shifted};
use super::registers::size;
use super::state::{Flags, State, truncated};
use super::step::Step;
use super::value::Value;
use iced_x86::{Instruction, Mnemonic};

impl Step<'_, '_> {
    /// Shifts the first operand, and fills what gets free from the second.
    pub(super) fn double_shift(&mut self, state: &mut State, instruction: &Instruction) {
        let bytes = size(instruction, 0).min(8);
        let bits = u64::from(bytes) * 8;
        let left = instruction.mnemonic() == Mnemonic::Shld;
        let by = self.other_operand(state, instruction, 2).constant();
        let by = by.map(|by| by & if bytes == 8 { 63 } else { 31 });
        let first = truncated(&self.read(state, instruction, 0), bytes);
        let second = truncated(&self.read(state, instruction, 1), bytes);
        let value = match by {
            Some(0) => first,
            // Of two bytes it is not defined what more than 16 do.
            Some(by) if by < bits => {
                let kept = first.map(|kind| shifted(kind, by as u32, left));
                let filled = second.map(|kind| shifted(kind, (bits - by) as u32, !left));
                kept.with(&filled, |a, b| join_bits(a, b, Mnemonic::Or))
            }
            _ => Value::any(),
        };
        let value = truncated(&value, bytes);
        self.write(state, instruction, 0, &value);
        state.flags = Flags::Unknown;
    }
}
