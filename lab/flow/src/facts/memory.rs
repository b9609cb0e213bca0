//! What is read from memory and stored there: the stack, variables, and what arguments
//! point to.

use super::arithmetic::add;
use super::features::Facts;
use super::members;
use super::registers::{read_register, size, write_register};
use super::routine::Notes;
use super::state::{Place, State, truncated};
use super::step::Step;
use super::value::{Kind, Value};
use crate::state::bit;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Whether an address is behind a pointer that is not followed.
fn is_behind(address: &Value) -> bool {
    let is_one = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Any | Kind::Argument(..));
    address.alternatives().iter().all(is_one)
}

impl Step<'_, '_> {
    /// The address of the memory operand.
    pub fn address(&self, state: &State, instruction: &Instruction) -> Value {
        if instruction.is_ip_rel_memory_operand() {
            return Value::number(instruction.ip_rel_memory_address());
        }
        if matches!(instruction.memory_segment(), Register::FS | Register::GS) {
            return Value::any();
        }
        let mut value = Value::number(instruction.memory_displacement64());
        let register = |register: Register| match bit(register) {
            Some(at) if at < 16 => state.registers[usize::from(at)].clone(),
            _ => Value::any(),
        };
        if instruction.memory_base() != Register::None {
            value = value.with(&register(instruction.memory_base()), add);
        }
        if instruction.memory_index() != Register::None {
            let scale = u64::from(instruction.memory_index_scale());
            let index = register(instruction.memory_index()).map(|kind| match kind {
                Kind::Const(number) => Kind::Const(number.wrapping_mul(scale)),
                kind if scale == 1 => kind.clone(),
                _ => Kind::Any,
            });
            value = value.with(&index, add);
        }
        value
    }

    fn load(&self, state: &State, address: &Value, bytes: u8) -> Value {
        let mut all = Vec::new();
        for (kind, facts) in address.alternatives() {
            let value = match kind {
                Kind::Const(at) => match state.global(*at, bytes) {
                    Some(value) => value.clone(),
                    None => self.oracle.load(*at, bytes),
                },
                Kind::Stack(at) => state.slot(*at, bytes).unwrap_or_else(Value::any),
                _ => Value::any(),
            };
            let each = value.alternatives().iter();
            all.extend(each.map(|(kind, known)| (kind.clone(), *known | *facts)));
        }
        Value::from_alternatives(all)
    }

    /// An operand's value, as an unsigned number of its size.
    pub fn read(&self, state: &State, instruction: &Instruction, operand: u32) -> Value {
        match instruction.op_kind(operand) {
            OpKind::Register => read_register(state, instruction.op_register(operand)),
            OpKind::Memory => {
                let bytes = size(instruction, operand);
                if bytes > 8 {
                    return Value::any();
                }
                let address = self.address(state, instruction);
                let value = self.load(state, &address, bytes);
                match is_behind(&address).then(|| members::distance(instruction)) {
                    Some(Some(distance)) if value.is_any() => self.oracle.member(distance, bytes),
                    _ => value,
                }
            }
            _ => match instruction.try_immediate(operand) {
                Ok(number) => truncated(&Value::number(number), size(instruction, 0).min(8)),
                Err(_) => Value::any(),
            },
        }
    }

    pub fn write(
        &mut self,
        state: &mut State,
        instruction: &Instruction,
        operand: u32,
        value: &Value,
    ) {
        match instruction.op_kind(operand) {
            OpKind::Register => write_register(state, instruction.op_register(operand), value),
            OpKind::Memory => {
                let address = self.address(state, instruction);
                let bytes = size(instruction, operand);
                self.note_member(state, &address, value, instruction.ip());
                self.store(state, &address, bytes, value, instruction.ip());
            }
            _ => {}
        }
    }

    /// Notes a store behind a pointer that is not followed.
    pub(super) fn note_member(&mut self, state: &State, address: &Value, value: &Value, at: u64) {
        if let Some(notes) = &mut self.notes
            && is_behind(address)
        {
            notes.members.insert(at, value.under(state.facts));
        }
    }

    pub fn store(&mut self, state: &mut State, address: &Value, bytes: u8, value: &Value, at: u64) {
        let whole = value.under(state.facts);
        let is_only = address.alternatives().len() == 1;
        if !address
            .alternatives()
            .iter()
            .all(|(kind, _)| matches!(kind, Kind::Stack(_)))
        {
            self.escapes(state, value, at);
        }
        for (kind, facts) in address.alternatives() {
            match kind {
                Kind::Const(place) => {
                    if let Some(notes) = &mut self.notes {
                        notes.store(*place, bytes, whole.under(*facts));
                    }
                    let known = if is_only { value.clone() } else { Value::any() };
                    state.set_global(*place, bytes, known);
                }
                Kind::Stack(place) => {
                    let known = if is_only { value.clone() } else { Value::any() };
                    state.set_slot(*place, bytes, known);
                }
                Kind::Argument(number, place) => {
                    if let Some(notes) = &mut self.notes {
                        notes
                            .behind
                            .push((*number, *place, bytes, whole.under(*facts)));
                    }
                }
                _ => {}
            }
        }
    }

    /// Addresses that become known elsewhere.
    pub fn escapes(&mut self, state: &State, value: &Value, at: u64) {
        self.goes(state, value, at, Notes::escape);
    }

    /// What the registers of arguments hold at a call or jump that is not followed:
    /// given on, or only left over from before.
    pub fn hands(&mut self, state: &State, value: &Value, at: u64) {
        self.goes(state, value, at, Notes::hand);
    }

    fn goes(
        &mut self,
        state: &State,
        value: &Value,
        at: u64,
        note: fn(&mut Notes, u64, Facts, u64),
    ) {
        let Some(notes) = &mut self.notes else {
            return;
        };
        for (kind, facts) in value.alternatives() {
            match kind {
                Kind::Const(address) if self.oracle.is_pointer(*address) => {
                    note(notes, *address, *facts | state.facts, at);
                }
                Kind::Argument(..) => notes.hands_on = true,
                _ => {}
            }
        }
    }

    pub(super) fn stack(&mut self, state: &mut State, instruction: &Instruction) {
        let by = i64::from(instruction.stack_pointer_increment()) as u64;
        let moved = |value: &Value, by: u64| value.with(&Value::number(by), add);
        match instruction.mnemonic() {
            Mnemonic::Push => {
                let value = self.read(state, instruction, 0);
                state.registers[4] = moved(&state.registers[4], by);
                let address = state.registers[4].clone();
                self.store(state, &address, 8, &value, instruction.ip());
            }
            Mnemonic::Pop => {
                let value = self.load(state, &state.registers[4], 8);
                state.registers[4] = moved(&state.registers[4], by);
                self.write(state, instruction, 0, &value);
            }
            _ => {
                let frame = state.registers[5].clone();
                state.registers[5] = self.load(state, &frame, 8);
                state.registers[4] = moved(&frame, 8);
            }
        }
    }

    /// Where the compared operand is kept; of a variable, what was read there is noted.
    pub(super) fn kept(
        &self,
        state: &mut State,
        instruction: &Instruction,
        operand: u32,
    ) -> Option<Place> {
        match instruction.op_kind(operand) {
            OpKind::Register => {
                let register = instruction.op_register(operand);
                // What is told of a part is told of the whole only where the rest is zero.
                let at = bit(register).filter(|at| *at < 16)?;
                let whole = &state.registers[usize::from(at)];
                let is_same = *whole == truncated(whole, register.size() as u8);
                (is_same || register.is_gpr32() || register.is_gpr64())
                    .then_some(Place::Register(at))
                    .filter(|_| is_same)
            }
            OpKind::Memory => match self.address(state, instruction).alternatives() {
                [(Kind::Stack(at), _)] => Some(Place::Slot(*at)),
                [(Kind::Const(at), _)] => {
                    let bytes = size(instruction, operand);
                    let value = self.read(state, instruction, operand);
                    if state.global(*at, bytes).is_none() {
                        state.set_global(*at, bytes, value);
                    }
                    Some(Place::Global(*at))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
