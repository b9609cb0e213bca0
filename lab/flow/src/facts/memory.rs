//! What is read from memory and stored there: the stack, variables, and what arguments
//! point to.

use super::arithmetic::{add, with_itself};
use super::behind::Written;
use super::features::Facts;
use super::kept;
use super::members;
use super::notes::{Log, Note};
use super::objects::is_own;
use super::registers::{compared, read_register, size, write_register};
use super::state::{Place, State, truncated};
use super::step::Step;
use super::value::{Kind, Value};
use crate::state::bit;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Where an operand lies: mostly one place, for which nothing is allocated.
pub enum Address {
    One((Kind, Facts)),
    Many(Value),
}

impl Address {
    /// What a value points to.
    pub fn of(value: &Value) -> Self {
        match value.alternatives() {
            [one] => Self::One(one.clone()),
            _ => Self::Many(value.clone()),
        }
    }

    pub fn alternatives(&self) -> &[(Kind, Facts)] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(value) => value.alternatives(),
        }
    }

    /// The only alternative's constant.
    pub fn constant(&self) -> Option<u64> {
        match self.alternatives() {
            [(Kind::Const(number), _)] => Some(*number),
            _ => None,
        }
    }

    /// So many bytes further on.
    pub fn plus(&self, by: u64) -> Self {
        match self {
            Self::One((kind, facts)) if !matches!(kind, Kind::Word(_)) => {
                Self::One((add(kind, &Kind::Const(by)), *facts))
            }
            _ => Self::of(&self.value().plus(by)),
        }
    }

    pub fn value(&self) -> Value {
        match self {
            Self::One((kind, facts)) => Value::of(kind.clone()).under(*facts),
            Self::Many(value) => value.clone(),
        }
    }
}

/// Whether an address is behind a pointer that is not followed.
fn is_behind(address: &Address) -> bool {
    let is_one = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Any | Kind::Argument(..));
    address.alternatives().iter().all(is_one)
}

/// Where what lies behind an argument is kept with what variables hold: no file has anything
/// there.
fn behind(number: u8, distance: i64) -> u64 {
    const ARGUMENTS: u64 = 0xffff_8000_0000_0000;
    ARGUMENTS + (u64::from(number) << 40) + (distance as u64 & 0xff_ffff_ffff)
}

impl Step<'_, '_> {
    /// The address of the memory operand.
    pub fn address(&self, state: &State, instruction: &Instruction) -> Address {
        if instruction.is_ip_rel_memory_operand() {
            let at = instruction.ip_rel_memory_address();
            return Address::One((Kind::Const(at), Facts::NONE));
        }
        if matches!(instruction.memory_segment(), Register::FS | Register::GS) {
            return self.of_thread(state, instruction);
        }
        const ANY: &Value = &Value::any();
        let register = |register: Register| match bit(register) {
            Some(at) if at < 16 => &state.registers[usize::from(at)],
            _ => ANY,
        };
        let start = Kind::Const(instruction.memory_displacement64());
        let scale = u64::from(instruction.memory_index_scale());
        let scaled = |kind: &Kind| match kind {
            Kind::Const(number) => Kind::Const(number.wrapping_mul(scale)),
            kind if scale == 1 => kind.clone(),
            _ => Kind::Any,
        };
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        if base == index && base != Register::None {
            let by = (scale as u32).trailing_zeros();
            let sum = register(base).map(|kind| with_itself(kind, by));
            return Address::of(&sum.with(&Value::of(start), add));
        }
        let base = (base != Register::None).then(|| register(base));
        let index = (index != Register::None).then(|| register(index));
        // Mostly each is one place or number.
        let one = |value: Option<&'_ Value>| match value.map(Value::alternatives) {
            None => Some((Kind::Const(0), Facts::NONE)),
            Some([one]) if !matches!(one.0, Kind::Word(_)) => Some(one.clone()),
            Some(_) => None,
        };
        if let (Some((base, first)), Some((index, second))) = (one(base), one(index)) {
            let at = add(&add(&start, &base), &scaled(&index));
            return Address::One((at, first | second));
        }
        let mut value = Value::of(start);
        if let Some(base) = base {
            value = value.with(base, add);
        }
        if let Some(index) = index {
            value = value.with(&index.map(scaled), add);
        }
        Address::of(&value)
    }

    /// A variable of the thread, or anything.
    fn of_thread(&self, state: &State, instruction: &Instruction) -> Address {
        let base = match instruction.memory_base() {
            Register::None => Some(0),
            base => read_register(state, base).constant(),
        };
        let at = base.map(|base| base.wrapping_add(instruction.memory_displacement64()));
        let at = at.filter(|_| instruction.memory_index() == Register::None);
        let variable = at.and_then(|at| self.oracle.program.threads(at));
        Address::One((variable.map_or(Kind::Any, Kind::Const), Facts::NONE))
    }

    pub(super) fn load(&self, state: &State, address: &Address, bytes: u8) -> Value {
        let load = |kind: &Kind| match kind {
            Kind::Const(at) => match state.global(*at, bytes) {
                Some(value) => value.clone(),
                None => self.oracle.load(*at, bytes),
            },
            Kind::Stack(at) => state.slot(*at, bytes).unwrap_or_else(Value::any),
            Kind::Argument(number, at) if self.is_filling => {
                let known = state.global(behind(*number, *at), bytes);
                known.cloned().unwrap_or_else(Value::any)
            }
            _ => Value::any(),
        };
        match address.alternatives() {
            // What lies on the stack is the same until it is written.
            [(kind @ Kind::Stack(_), Facts::NONE)] => return load(kind),
            [(kind, Facts::NONE)] => return load(kind).anew(),
            _ => {}
        }
        Value::from_added(|all| {
            for (kind, facts) in address.alternatives() {
                let value = load(kind);
                let each = value.alternatives().iter();
                all.extend(each.map(|(kind, known)| (kind.clone(), *known | *facts)));
            }
        })
    }

    /// An operand's value, as an unsigned number of its size.
    pub fn read(&self, state: &State, instruction: &Instruction, operand: u32) -> Value {
        match instruction.op_kind(operand) {
            OpKind::Register => read_register(state, instruction.op_register(operand)),
            OpKind::Memory => {
                let bytes = size(instruction, operand);
                self.read_from(state, instruction, &self.address(state, instruction), bytes)
            }
            _ => match instruction.try_immediate(operand) {
                Ok(number) => truncated(&Value::number(number), size(instruction, 0).min(8)),
                Err(_) => Value::any(),
            },
        }
    }

    /// The same of an operand that is only compared with, or added to another: a number may be one
    /// that others have too.
    pub(super) fn other_operand(
        &self,
        state: &State,
        instruction: &Instruction,
        operand: u32,
    ) -> Value {
        match instruction.op_kind(operand) {
            OpKind::Register | OpKind::Memory => self.read(state, instruction, operand),
            _ => match instruction.try_immediate(operand) {
                Ok(number) => truncated(&self.oracle.number(number), size(instruction, 0).min(8)),
                Err(_) => Value::any(),
            },
        }
    }

    /// What the memory operand holds, which lies there.
    pub fn read_from(
        &self,
        state: &State,
        instruction: &Instruction,
        address: &Address,
        bytes: u8,
    ) -> Value {
        if bytes > 8 {
            return Value::any();
        }
        if let Some(value) = self.element(instruction, bytes) {
            return value;
        }
        let value = self.load(state, address, bytes);
        match is_behind(address).then(|| members::distance(instruction)) {
            Some(Some(distance)) => match kept::held(self.kept, distance, bytes) {
                Some(word) => word,
                None if value.is_any() => self.oracle.member(distance, bytes),
                None => value,
            },
            _ => value,
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
                self.note_member(state, instruction, &address, value);
                self.scatter(state, instruction, value);
                self.store(state, &address, bytes, value, instruction.ip());
            }
            _ => {}
        }
    }

    /// Notes a store behind a pointer that is not followed, or on the stack.
    pub(super) fn note_member(
        &mut self,
        state: &State,
        instruction: &Instruction,
        address: &Address,
        value: &Value,
    ) {
        let at = instruction.ip();
        let Some(notes) = &mut self.notes else {
            return;
        };
        if is_behind(address) {
            notes.push(Note::Member(at, value.told().under(state.facts)));
        }
        let is_stack = |(kind, _): &(Kind, Facts)| matches!(kind, Kind::Stack(_));
        if address.alternatives().iter().all(is_stack) {
            notes.push(Note::Stacked(at));
        }
    }

    pub fn store(
        &mut self,
        state: &mut State,
        address: &Address,
        bytes: u8,
        value: &Value,
        at: u64,
    ) {
        // Most lie on the stack, where nobody is told.
        let known = state.facts;
        let whole = |facts: &Facts| value.told().under(known).under(*facts);
        let is_only = address.alternatives().len() == 1;
        if !address
            .alternatives()
            .iter()
            .all(|(kind, _)| matches!(kind, Kind::Stack(at) if is_own(*at)))
            && !self.oracle.is_kept_pointer(address.alternatives(), value)
        {
            self.escapes(state, value, at);
        }
        self.gives_object(state, address, value);
        for (kind, facts) in address.alternatives() {
            match kind {
                Kind::Const(place) => {
                    if let Some(notes) = &mut self.notes {
                        notes.push(Note::Store(*place, bytes, whole(facts)));
                    }
                    let known = if is_only { value.clone() } else { Value::any() };
                    state.set_global(*place, bytes, known);
                }
                Kind::Stack(place) => {
                    let known = if is_only { value.clone() } else { Value::any() };
                    state.set_slot(*place, bytes, known);
                }
                Kind::Argument(number, place) => {
                    if self.is_filling {
                        let known = if is_only { value.clone() } else { Value::any() };
                        state.set_global(behind(*number, *place), bytes, known);
                    }
                    if let Some(notes) = &mut self.notes {
                        notes.push(Note::Behind(Written {
                            block: 0,
                            number: *number,
                            distance: *place,
                            bytes,
                            value: whole(facts),
                            is_certain: is_only,
                        }));
                    }
                }
                _ => {}
            }
        }
    }

    /// A store that perhaps is not made: what was there before may still be.
    pub(super) fn store_perhaps(
        &mut self,
        state: &mut State,
        address: &Address,
        bytes: u8,
        value: &Value,
        at: u64,
    ) {
        let slot = match address.alternatives() {
            [(Kind::Stack(place), _)] => Some(*place),
            _ => None,
        };
        let before = slot.and_then(|place| state.slot(place, bytes));
        let seen = self.notes.as_ref().map_or(0, Log::len);
        self.store(state, address, bytes, value, at);
        // Of a variable that was not set before, nobody reads what was not stored.
        if let (Some(place), Some(before)) = (slot, before) {
            state.set_slot(place, bytes, value.or(&before));
        }
        if let Some(notes) = &mut self.notes {
            for note in &mut notes[seen..] {
                if let Note::Behind(one) = note {
                    one.is_certain = false;
                }
            }
        }
    }

    /// Addresses that become known elsewhere.
    pub fn escapes(&mut self, state: &State, value: &Value, at: u64) {
        self.goes(state, value, at, Note::Escape, true);
    }

    /// What the registers of arguments hold at a call or jump that is not followed:
    /// given on, or only left over from before, which `is_given` says as far as it can be told.
    pub fn hands(&mut self, state: &State, value: &Value, at: u64, is_given: bool) {
        self.goes(state, value, at, Note::Hand, is_given);
    }

    fn goes(
        &mut self,
        state: &State,
        value: &Value,
        at: u64,
        note: fn(u64, Facts, u64) -> Note,
        is_given: bool,
    ) {
        let Some(notes) = &mut self.notes else {
            return;
        };
        for (kind, facts) in value.alternatives() {
            match kind {
                Kind::Const(address) if self.oracle.is_pointer(*address) => {
                    notes.push(note(*address, *facts | state.facts, at));
                    if is_given && self.oracle.object_start(*address).is_some() {
                        notes.push(Note::Given(*address));
                    }
                }
                Kind::Argument(number, _) => notes.push(Note::HandsOn(*number, is_given)),
                _ => {}
            }
        }
    }

    pub(super) fn stack(&mut self, state: &mut State, instruction: &Instruction) {
        let by = i64::from(instruction.stack_pointer_increment()) as u64;
        match instruction.mnemonic() {
            Mnemonic::Push => {
                let value = self.read(state, instruction, 0);
                state.registers[4].advance(by);
                let address = Address::of(&state.registers[4]);
                self.store(state, &address, 8, &value, instruction.ip());
            }
            Mnemonic::Pop => {
                let value = self.load(state, &Address::of(&state.registers[4]), 8);
                state.registers[4].advance(by);
                self.write(state, instruction, 0, &value);
            }
            _ => {
                let frame = state.registers[5].clone();
                state.registers[5] = self.load(state, &Address::of(&frame), 8);
                state.registers[4] = frame.plus(8);
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
                if let Some((at, _)) = compared(state, register) {
                    return Some(Place::Register(at));
                }
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
