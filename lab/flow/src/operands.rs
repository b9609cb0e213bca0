//! What memory operands name, and what moves between memory and registers do to
//! what is known: a part of the transfer function of [`walk`](super::walk).

use super::names::is_cell;
use super::program::Word;
use super::reading::Store;
use super::state::{Source, State, Value, bit};
use super::walk::Walk;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// What a memory operand names.
pub enum Place {
    /// A variable, or an element of one.
    Global(u64),
    /// A slot of the stack: its distance from the stack pointer at entry.
    Stack(i64),
    /// Behind an argument, by its number.
    Argument(u8, i64),
    /// Memory behind a pointer that is an answer itself.
    Answer(Source),
    /// Anything else.
    Other,
}

impl Walk<'_> {
    /// What the memory operand of an instruction names.
    pub fn place(&self, state: &State, instruction: &Instruction) -> Place {
        if instruction.is_ip_rel_memory_operand() {
            return Place::Global(instruction.ip_rel_memory_address());
        }
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        if matches!(instruction.memory_segment(), Register::FS | Register::GS) {
            let by = match bit(base).and_then(|bit| state.values.get(usize::from(bit))) {
                Some(Value::Address(at)) => Some(*at),
                _ => (base == Register::None).then_some(0),
            };
            let at = by.map(|by| by.wrapping_add(instruction.memory_displacement64()));
            let variable = at.filter(|_| index == Register::None);
            let variable = variable.and_then(|at| self.known.program.threads(at));
            return variable.map_or(Place::Other, Place::Global);
        }
        // A pointer to a cell, as the global offset table or a routine gives it.
        // Other addresses that depend on an answer lead to all kinds of data.
        match bit(base).and_then(|bit| state.strong(bit)) {
            Some(source @ (Source::Import(_) | Source::Call(_))) => return Place::Answer(source),
            Some(source @ Source::Cell(at)) if self.known.found.pointers.has(at) => {
                return Place::Answer(source);
            }
            _ => {}
        }
        let displacement = instruction.memory_displacement64();
        if base == Register::None {
            return Place::Global(displacement);
        }
        match bit(base).and_then(|bit| state.values.get(usize::from(bit))) {
            Some(Value::Address(at)) => Place::Global(at.wrapping_add(displacement)),
            Some(Value::Stack(at)) if index == Register::None => {
                Place::Stack(at.wrapping_add(displacement as i64))
            }
            Some(Value::Argument(number, at)) if index == Register::None => {
                Place::Argument(*number, at.wrapping_add(displacement as i64))
            }
            _ => Place::Other,
        }
    }

    /// What a load from the memory operand gives.
    pub(crate) fn load(&self, state: &State, instruction: &Instruction) -> Option<Source> {
        let small = instruction.memory_size().size() <= 4;
        let flag = || small.then_some(Source::Flag);
        // An element that an answer leads to.
        let picked = || {
            let parts = [instruction.memory_index(), instruction.memory_base()];
            let source = (parts.into_iter().filter_map(bit)).find_map(|bit| state.chosen(bit))?;
            Some(self.picked(source, instruction.ip()))
        };
        match self.place(state, instruction) {
            Place::Global(at) => {
                if self.known.found.cells.has(at) {
                    return Some(Source::Cell(at));
                }
                if self.known.found.picked.has(at) {
                    return Some(Source::Picked(at));
                }
                if let Some(source) = picked() {
                    return Some(source);
                }
                match self.known.program.words.get(at) {
                    Some(Word::Import(name))
                        if is_cell(name) || self.known.program.is_asked(name) =>
                    {
                        Some(Source::Import(at))
                    }
                    _ if self.known.program.is_written(at) => flag(),
                    _ => None,
                }
            }
            // Above the return address are arguments that registers had no room for.
            Place::Stack(at) => state
                .slot(at, stacked(instruction))
                .or_else(|| flag().filter(|_| at > 0)),
            Place::Answer(source) => Some(source),
            Place::Argument(..) | Place::Other => picked().or_else(flag),
        }
    }

    /// Notes that memory is read which others may have written.
    pub(crate) fn note_load(&mut self, state: &State, instruction: &Instruction) {
        if self.notes.is_none() {
            return;
        }
        let is_one = match self.place(state, instruction) {
            Place::Global(at) => self.known.program.is_written(at),
            Place::Stack(_) => false,
            Place::Argument(..) | Place::Answer(_) | Place::Other => true,
        };
        if let Some(notes) = &mut self.notes {
            notes.loads |= is_one;
        }
    }

    /// `mov`; false when it is one that needs nothing special.
    pub(crate) fn moved(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        match (instruction.op0_kind(), instruction.op1_kind()) {
            (OpKind::Register, OpKind::Memory) => {
                let Some(bit) = bit(instruction.op0_register()) else {
                    return false;
                };
                self.note_load(state, instruction);
                let source = self.load(state, instruction);
                let mut value = Value::Unknown;
                if let Place::Global(at) = self.place(state, instruction)
                    && let Some(Word::Address(to)) = self.known.program.slot(at)
                {
                    value = Value::Address(to);
                }
                state.set(bit, source);
                if let Some(place) = state.values.get_mut(usize::from(bit)) {
                    *place = value;
                }
                true
            }
            (OpKind::Register, OpKind::Register) => {
                let to = bit(instruction.op0_register());
                let from = bit(instruction.op1_register());
                let (Some(to), Some(from)) = (to, from) else {
                    return false;
                };
                state.set(to, state.source(from));
                let wide = instruction.op0_register().is_gpr64();
                let value = state.values.get(usize::from(from)).copied();
                if let Some(place) = state.values.get_mut(usize::from(to)) {
                    *place = value.filter(|_| wide).unwrap_or(Value::Unknown);
                }
                true
            }
            (OpKind::Register, _) => {
                let Some(bit) = bit(instruction.op0_register()) else {
                    return false;
                };
                let value = instruction.immediate(1);
                state.set(bit, self.implied(bit));
                if let Some(place) = state.values.get_mut(usize::from(bit)) {
                    let program = self.known.program;
                    let named =
                        program.is_fixed && (program.is_code(value) || program.is_data(value));
                    *place = if named {
                        Value::Address(value)
                    } else {
                        Value::Unknown
                    };
                }
                true
            }
            (OpKind::Memory, OpKind::Register) => {
                let Some(bit) = bit(instruction.op1_register()) else {
                    return false;
                };
                let value = state.values.get(usize::from(bit)).copied();
                let pointer = matches!(value, Some(Value::Address(to))
                    if self.known.program.is_code(to));
                self.store(state, instruction, state.source(bit), false, pointer);
                true
            }
            (OpKind::Memory, _) => {
                let value = instruction.immediate(1);
                let pointer = self.known.program.is_fixed && self.known.program.is_code(value);
                self.store(state, instruction, None, true, pointer);
                true
            }
            _ => false,
        }
    }

    /// What becomes of an answer in a way that is not followed.
    pub(crate) fn picked(&self, source: Source, at: u64) -> Source {
        Source::Picked(match source {
            Source::Cell(from) | Source::Import(from) | Source::Picked(from) => from,
            Source::Call(routine) => self.known.program.routines[routine as usize].start,
            Source::Cpu | Source::Flag | Source::Member(_) => at,
        })
    }

    /// A constant that a gate decided on is an answer, in the result register.
    pub(crate) fn implied(&self, bit: u8) -> Option<Source> {
        (self.decided && self.is_accessor && bit == 0).then_some(Source::Cpu)
    }

    pub(crate) fn store(
        &mut self,
        state: &mut State,
        instruction: &Instruction,
        source: Option<Source>,
        constant: bool,
        pointer: bool,
    ) {
        let strong = source.is_some_and(Source::is_strong);
        let is_choice = !constant && !pointer && self.is_after && instruction.op_count() == 2;
        let is_picked = matches!(source, Some(Source::Picked(_)))
            || is_choice && instruction.memory_size().size() >= 4;
        match self.place(state, instruction) {
            Place::Global(address) => {
                if let Some(notes) = &mut self.notes {
                    notes.stores.push(Store {
                        address,
                        size: instruction.memory_size().size() as u64,
                        is_answer: strong || constant && self.decided,
                        is_pointer: pointer && self.decided,
                        is_picked,
                    });
                }
            }
            Place::Stack(at) => {
                state.set_slot(at, stacked(instruction), source);
                // Above the frame is the caller's: how Go's assembly returns.
                if let Some(notes) = &mut self.notes {
                    notes.fills |= at > 0 && source == Some(Source::Cpu);
                }
            }
            place @ (Place::Argument(..) | Place::Answer(_) | Place::Other) => {
                if let (Place::Argument(number, at), Some(notes)) = (place, &mut self.notes)
                    && (is_picked || strong)
                {
                    notes.selects.push((number, at));
                    // Where large results are returned.
                    notes.picks |= number == 0;
                }
                let from_cpu = matches!(source, Some(Source::Cpu | Source::Call(_)));
                if let Some(notes) = &mut self.notes {
                    notes.fills |= from_cpu || constant && self.decided && self.is_accessor;
                }
            }
        }
    }

    pub(crate) fn lea(&mut self, state: &mut State, instruction: &Instruction) {
        let Some(to) = bit(instruction.op0_register()) else {
            return;
        };
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        let source = [base, index]
            .into_iter()
            .filter_map(bit)
            .find_map(|bit| state.chosen(bit));
        let displacement = instruction.memory_displacement64();
        let value = if instruction.is_ip_rel_memory_operand() {
            Value::Address(instruction.ip_rel_memory_address())
        } else if index != Register::None || base == Register::None {
            Value::Unknown
        } else {
            match bit(base).and_then(|bit| state.values.get(usize::from(bit))) {
                Some(Value::Address(at)) => Value::Address(at.wrapping_add(displacement)),
                Some(Value::Stack(at)) => Value::Stack(at.wrapping_add(displacement as i64)),
                Some(Value::Argument(number, at)) => {
                    Value::Argument(*number, at.wrapping_add(displacement as i64))
                }
                _ => Value::Unknown,
            }
        };
        state.set(to, source);
        if let Some(place) = state.values.get_mut(usize::from(to)) {
            *place = value;
        }
    }

    pub(crate) fn stacked(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        let is_push = instruction.mnemonic() == Mnemonic::Push;
        let by = i64::from(instruction.stack_pointer_increment());
        let Value::Stack(at) = state.values[4] else {
            return false;
        };
        let register = match instruction.op0_kind() {
            OpKind::Register => bit(instruction.op0_register()),
            _ => None,
        };
        state.values[4] = Value::Stack(at.wrapping_add(by));
        if is_push {
            let source = match instruction.op0_kind() {
                OpKind::Memory => self.load(state, instruction),
                _ => register.and_then(|bit| state.source(bit)),
            };
            state.set_slot(at.wrapping_add(by), 8, source);
        } else if let Some(bit) = register {
            state.set(bit, state.slot(at, 8));
            if let Some(place) = state.values.get_mut(usize::from(bit)) {
                *place = Value::Unknown;
            }
        }
        true
    }
}

/// Bytes of an operand on the stack; of vectors what a followed value may be in.
fn stacked(instruction: &Instruction) -> u8 {
    instruction.memory_size().size().clamp(1, 64) as u8
}
