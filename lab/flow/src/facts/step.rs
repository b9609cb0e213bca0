//! What single instructions do to values.

use super::arithmetic::{add, join_bits, not, shifted, subtract, with_itself};
use super::bits::constant_bit;
use super::features::{Facts, xcr0_bit};
use super::kept::Kept;
use super::notes::{Log, Note};
use super::oracle::Oracle;
use super::records::Record;
use super::registers::{compared, cpuid, size};
use super::state::{Decided, Flags, Place, State, extended, truncated};
use super::suppose::Element;
use super::value::{Kind, Value};
use crate::access::{Use, stays_in_vectors, uses, writes};
use crate::program::Word as Content;
use crate::state::{PASSED, bit};
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpKind};

/// What a call is given, by number of the argument.
pub type Arguments = [Value; PASSED];

/// The transfer function.
pub struct Step<'o, 'p> {
    pub oracle: &'o Oracle<'p>,
    pub factory: InstructionInfoFactory,
    /// Constants in arguments, where the routine is looked at for one call.
    pub(super) notes: Option<Log>,
    /// It leaves answers behind pointers that it is given: what is there is followed too.
    pub(super) is_filling: bool,
    /// What calls give that is not followed, by their places, where copies of it are told to be
    /// the same.
    pub(super) names: Option<Vec<(u64, Value)>>,
    /// Where objects are allocated, if they are followed.
    pub(super) objects: Option<Vec<u64>>,
    /// The element of a table that is looked at alone, and where it is loaded.
    pub(super) element: Option<(Element, &'o [u64])>,
    /// The record of a table that is looked at alone.
    pub(super) record: Option<&'o Record>,
    /// Members that are taken to hold words of flags.
    pub(super) kept: &'o [Kept],
    /// What most results are compared with.
    pub(super) zero: Value,
}

impl Step<'_, '_> {
    pub fn run(&mut self, state: &mut State, instruction: &Instruction) {
        use Mnemonic as M;
        match instruction.mnemonic() {
            M::Nop | M::Endbr64 | M::Cmp | M::Test | M::Bt => {}
            M::Cpuid => return cpuid(state),
            // Leaves a register as it is, which was set to zero, where there is no shadow stack.
            M::Rdsspd | M::Rdsspq => {
                let there = Facts::named("cet-ss");
                let value = Value::either((Kind::Const(0), Facts::NONE), (Kind::Any, there));
                self.write(state, instruction, 0, &value);
                return;
            }
            M::Xgetbv => {
                state.registers[0] = Value::word(|bit| match bit {
                    0..32 => (xcr0_bit(bit), Facts::NONE),
                    _ => constant_bit(false),
                });
                // Its upper half, which is put before the lower one.
                state.registers[2] = Value::word(|bit| match bit {
                    0..32 => (Facts::NONE, Facts::NONE),
                    _ => constant_bit(false),
                });
                return;
            }
            _ => {}
        }
        match instruction.mnemonic() {
            M::Nop | M::Endbr64 => {}
            M::Mov | M::Movzx | M::Movd | M::Movq => self.moved(state, instruction),
            M::Movsx | M::Movsxd => {
                let bytes = size(instruction, 1);
                let value = extended(&self.read(state, instruction, 1), bytes);
                self.write(state, instruction, 0, &value);
            }
            M::Cdqe => state.registers[0] = extended(&truncated(&state.registers[0], 4), 4),
            M::Lea => {
                let value = self.address(state, instruction).value();
                self.write(state, instruction, 0, &value);
            }
            // With memory it is how atomic variables are stored.
            M::Xchg => {
                let first = self.read(state, instruction, 0);
                let second = self.read(state, instruction, 1);
                self.write(state, instruction, 0, &second);
                self.write(state, instruction, 1, &first);
            }
            M::Cmpxchg => self.exchange_if_same(state, instruction),
            M::And | M::Or | M::Xor | M::Test => self.logical(state, instruction),
            M::Andn => {
                let left = self.read(state, instruction, 1).map(not);
                let right = self.read(state, instruction, 2);
                let value = left.with(&right, |a, b| join_bits(a, b, M::And));
                self.write(state, instruction, 0, &value);
                state.flags = logical_flags(value, &self.zero, size(instruction, 0), None);
            }
            M::Add | M::Sub | M::Cmp | M::Inc | M::Dec => self.sum(state, instruction),
            M::Neg => {
                let value = self.read(state, instruction, 0);
                let bytes = size(instruction, 0);
                state.flags = logical_flags(value.clone(), &self.zero, bytes, None);
                // The carry is set where it was not zero.
                let decided = state.sides(iced_x86::ConditionCode::ne);
                let value = self.zero.with(&value, subtract);
                self.write(state, instruction, 0, &value);
                state.flags = Flags::Carry(decided.yes, decided.no);
            }
            M::Not => {
                let value = self.read(state, instruction, 0).map(not);
                self.write(state, instruction, 0, &value);
            }
            M::Shl | M::Shr | M::Sar | M::Shrx | M::Shlx | M::Bextr => {
                self.shift(state, instruction);
            }
            M::Bt | M::Bts | M::Btr => self.bit_test(state, instruction),
            M::Imul if instruction.op_count() == 3 => {
                let left = self.read(state, instruction, 1);
                let by = instruction.immediate(2);
                let value = left.map(|kind| match kind {
                    Kind::Const(number) => Kind::Const(number.wrapping_mul(by)),
                    _ => Kind::Any,
                });
                self.write(state, instruction, 0, &value);
                state.flags = Flags::Unknown;
            }
            M::Sbb | M::Adc => {
                let same = instruction.mnemonic() == M::Sbb
                    && instruction.op1_kind() == OpKind::Register
                    && instruction.op0_register() == instruction.op1_register();
                let value = match same {
                    true => {
                        let carry = state.sides(iced_x86::ConditionCode::b);
                        Value::either(
                            (Kind::Const(u64::MAX), carry.yes),
                            (Kind::Const(0), carry.no),
                        )
                    }
                    // Adds or takes one more where the carry is set.
                    false => {
                        let carry = state.sides(iced_x86::ConditionCode::b);
                        let left = self.read(state, instruction, 0);
                        let right = self.read(state, instruction, 1);
                        let is_add = instruction.mnemonic() == M::Adc;
                        let with = |more: u64| {
                            let right = right.with(&Value::number(more), add);
                            left.with(&right, |a, b| match is_add {
                                true => add(a, b),
                                false => subtract(a, b),
                            })
                        };
                        let (yes, no) = (with(1), with(0));
                        match (carry.yes == Facts::ALL, carry.no == Facts::ALL) {
                            (true, _) => no,
                            (_, true) => yes,
                            _ => yes.under(carry.yes).or(&no.under(carry.no)),
                        }
                    }
                };
                self.write(state, instruction, 0, &value);
                state.flags = Flags::Unknown;
            }
            M::Push | M::Pop | M::Leave => self.stack(state, instruction),
            M::Pxor | M::Xorps | M::Xorpd | M::Vpxor | M::Vxorps => {
                self.other(state, instruction);
                let last = instruction.op_count() - 1;
                if instruction.op_kind(last) == OpKind::Register
                    && instruction.op_register(last) == instruction.op_register(last - 1)
                    && let Some(bit) = bit(instruction.op0_register())
                {
                    state.zero |= 1 << (bit - 16);
                }
            }
            _ if instruction.op_count() == 1
                && instruction.condition_code() != iced_x86::ConditionCode::None =>
            {
                // setcc
                let decided = self.decided(state, instruction);
                let value =
                    Value::either((Kind::Const(1), decided.yes), (Kind::Const(0), decided.no));
                self.write(state, instruction, 0, &value);
            }
            _ if instruction.op_count() == 2
                && instruction.condition_code() != iced_x86::ConditionCode::None =>
            {
                // cmovcc
                let decided = self.decided(state, instruction);
                let bytes = size(instruction, 0);
                let on = |holds: bool, value: Value| {
                    let bounded = decided.bounded.as_ref();
                    let known = bounded.and_then(|bounded| bounded.side(&value, holds));
                    known.cloned().unwrap_or(value)
                };
                let new = on(true, self.read(state, instruction, 1)).under(decided.yes);
                let old = truncated(&self.read(state, instruction, 0), bytes);
                let old = on(false, old).under(decided.no);
                let value = match (decided.yes == Facts::ALL, decided.no == Facts::ALL) {
                    (true, _) => old,
                    (_, true) => new,
                    _ => new.or(&old),
                };
                self.write(state, instruction, 0, &value);
            }
            _ => self.other(state, instruction),
        }
    }

    fn decided(&mut self, state: &State, instruction: &Instruction) -> Decided {
        let decided = state.decide(instruction.condition_code());
        if let Some(notes) = &mut self.notes {
            notes.push(Note::branch(instruction.ip(), state, &decided));
        }
        self.note_coarse(state, instruction);
        decided
    }

    fn moved(&mut self, state: &mut State, instruction: &Instruction) {
        let from = instruction.op1_kind();
        let is_vector = |operand| {
            instruction.op_kind(operand) == OpKind::Register
                && instruction.op_register(operand).is_vector_register()
        };
        if is_vector(0) || is_vector(1) {
            return self.other(state, instruction);
        }
        if from != OpKind::Memory {
            let value = self.read(state, instruction, 1);
            return self.write(state, instruction, 0, &value);
        }
        let address = self.address(state, instruction);
        let bytes = size(instruction, 1);
        self.note_element(state, instruction, &address, bytes);
        self.note_index(state, instruction, &address);
        let mut value = self.read_from(state, instruction, &address, bytes);
        if let Some(at) = address.constant() {
            // A slot of the global offset table, or of constants.
            if let Some(Content::Import(name)) = self.oracle.program.words.get(at) {
                value = self.oracle.import(name);
            }
            // What a branch tells of the register it tells of the variable.
            if value.alternatives().len() > 1 && state.global(at, bytes).is_none() {
                state.set_global(at, bytes, value.clone());
            }
        }
        if let Some(base) = self.oracle.program.thread_base(instruction) {
            value = Value::number(base);
        }
        self.write(state, instruction, 0, &value);
    }

    fn logical(&mut self, state: &mut State, instruction: &Instruction) {
        let mnemonic = instruction.mnemonic();
        let left = self.read(state, instruction, 0);
        let bytes = size(instruction, 0);
        let same = instruction.op0_kind() == OpKind::Register
            && instruction.op1_kind() == OpKind::Register
            && instruction.op0_register() == instruction.op1_register();
        let value = match (mnemonic, same) {
            (Mnemonic::Xor, true) => Value::number(0),
            (_, true) => left,
            _ => {
                let right = self.other_operand(state, instruction, 1);
                let kind = match mnemonic {
                    Mnemonic::Test => Mnemonic::And,
                    other => other,
                };
                left.with(&right, |a, b| join_bits(a, b, kind))
            }
        };
        let place = self.kept(state, instruction, 0).filter(|_| same);
        let value = match mnemonic == Mnemonic::Test && same {
            true => whole(state, instruction).unwrap_or(value),
            false => value,
        };
        if mnemonic != Mnemonic::Test {
            self.write(state, instruction, 0, &value);
        }
        state.flags = logical_flags(value, &self.zero, bytes, place);
    }

    fn sum(&mut self, state: &mut State, instruction: &Instruction) {
        let mnemonic = instruction.mnemonic();
        let bytes = size(instruction, 0).min(8);
        let left = self.read(state, instruction, 0);
        let right = match mnemonic {
            Mnemonic::Inc | Mnemonic::Dec => self.oracle.number(1),
            _ => self.other_operand(state, instruction, 1),
        };
        if matches!(mnemonic, Mnemonic::Cmp) {
            let place = self.kept(state, instruction, 0);
            if let (Some(Place::Global(at)), None) = (
                place,
                self.address(state, instruction)
                    .constant()
                    .and_then(|at| state.global(at, bytes).map(|_| at)),
            ) {
                state.set_global(at, bytes, left.clone());
            }
            state.flags = Flags::Compared {
                left: whole(state, instruction).unwrap_or(left),
                right,
                bytes,
                place,
                is_whole: true,
            };
            return;
        }
        let is_add = matches!(mnemonic, Mnemonic::Add | Mnemonic::Inc);
        let is_register = |operand| instruction.op_kind(operand) == OpKind::Register;
        let is_same = instruction.op_count() == 2
            && is_register(0)
            && is_register(1)
            && instruction.op0_register() == instruction.op1_register();
        let value = match (is_same, is_add) {
            // One value, not two that are apart.
            (true, true) => left.map(|kind| with_itself(kind, 0)),
            (true, false) => Value::number(0),
            _ => left.with(&right, |a, b| match is_add {
                true => add(a, b),
                false => subtract(a, b),
            }),
        };
        let value = truncated(&value, bytes);
        // The stack pointer stays one.
        self.write(state, instruction, 0, &value);
        state.flags = match mnemonic {
            Mnemonic::Sub => Flags::Compared {
                left,
                right,
                bytes,
                place: None,
                is_whole: true,
            },
            _ => Flags::Compared {
                left: value,
                right: self.zero.clone(),
                bytes,
                place: None,
                is_whole: false,
            },
        };
    }

    fn shift(&mut self, state: &mut State, instruction: &Instruction) {
        use Mnemonic as M;
        let three = instruction.op_count() == 3;
        let bytes = size(instruction, 0).min(8);
        let left = self.read(state, instruction, u32::from(three));
        let right = self.other_operand(state, instruction, if three { 2 } else { 1 });
        let by = right
            .constant()
            .map(|by| by & if bytes == 8 { 63 } else { 31 });
        let value = match (instruction.mnemonic(), by) {
            (M::Bextr, _) | (_, None) => Value::any(),
            (M::Shl | M::Shlx, Some(by)) => left.map(|kind| shifted(kind, by as u32, true)),
            (M::Sar, Some(by)) => extended(&left, bytes).map(|kind| match kind {
                Kind::Const(number) => Kind::Const((*number as i64 >> by) as u64),
                kind => shifted(kind, by as u32, false),
            }),
            (_, Some(by)) => left.map(|kind| shifted(kind, by as u32, false)),
        };
        let value = truncated(&value, bytes);
        self.write(state, instruction, 0, &value);
        if !matches!(instruction.mnemonic(), M::Shrx | M::Shlx) {
            state.flags = Flags::Compared {
                left: value,
                right: self.zero.clone(),
                bytes,
                place: None,
                is_whole: false,
            };
        }
    }

    fn bit_test(&mut self, state: &mut State, instruction: &Instruction) {
        let number = self.other_operand(state, instruction, 1).constant();
        let is_memory = instruction.op0_kind() == OpKind::Memory;
        let register = instruction.op1_kind() == OpKind::Register;
        let value = match is_memory && register {
            true => Value::any(),
            false => self.read(state, instruction, 0),
        };
        state.flags = Flags::Unknown;
        let Some(number) = number else {
            if instruction.mnemonic() != Mnemonic::Bt {
                self.write(state, instruction, 0, &Value::any());
            }
            return;
        };
        let at = (number % (u64::from(size(instruction, 0)).max(1) * 8)) as u8;
        let one = value.when(Some(at)).unwrap_or(Facts::NONE);
        let inverse = value.map(not);
        let zero = inverse.when(Some(at)).unwrap_or(Facts::NONE);
        state.flags = Flags::Carry(one, zero);
        if instruction.mnemonic() != Mnemonic::Bt {
            let is_set = instruction.mnemonic() == Mnemonic::Bts;
            let mask = if is_set { 1u64 << at } else { !(1u64 << at) };
            let kind = if is_set { Mnemonic::Or } else { Mnemonic::And };
            let value = value.with(&Value::number(mask), |a, b| join_bits(a, b, kind));
            self.write(state, instruction, 0, &value);
        }
    }

    /// Everything else: what it writes is not known any more, unless it only moves it in and
    /// out of vector registers.
    fn other(&mut self, state: &mut State, instruction: &Instruction) {
        if self.vector(state, instruction)
            || self.moves_string(state, instruction)
            || self.fills_string(state, instruction)
        {
            return;
        }
        if state.zero == 0 && state.vectors.is_empty() && stays_in_vectors(instruction) {
            return;
        }
        let mut registers = [4u8; 24];
        let mut count = 0;
        let mut stores = false;
        // What is read is not asked for.
        uses(&mut self.factory, instruction, true, |used| match used {
            Use::Register(register, access) if writes(access) => {
                if let Some(bit) = bit(register)
                    && count < registers.len()
                {
                    registers[count] = bit;
                    count += 1;
                }
            }
            Use::Register(..) => {}
            Use::Memory(access) => stores |= writes(access),
        });
        if stores {
            let address = self.address(state, instruction);
            let bytes = instruction.memory_size().size().min(64) as u64;
            let is_zero = (0..instruction.op_count())
                .filter(|at| instruction.op_kind(*at) == OpKind::Register)
                .filter_map(|at| bit(instruction.op_register(at)))
                .any(|bit| (16..48).contains(&bit) && state.zero >> (bit - 16) & 1 == 1);
            let value = if is_zero {
                Value::number(0)
            } else {
                Value::any()
            };
            self.note_member(state, instruction, &address, &value);
            self.scatter(state, instruction, &value);
            for part in (0..bytes.max(1)).step_by(8) {
                let place = address.plus(part);
                let size = (bytes - part).clamp(1, 8) as u8;
                self.store(state, &place, size, &value, instruction.ip());
            }
        }
        for &register in &registers[..count] {
            if register < 16 {
                state.registers[usize::from(register)] = Value::any();
            } else if register < 48 {
                state.forget_vector(register - 16);
            }
        }
        if instruction.rflags_modified() != 0 {
            state.flags = Flags::Unknown;
        }
    }

    /// The values of arguments at a call, or at a jump out of the routine: that has the
    /// return address on the stack already.
    pub fn arguments(&self, state: &State, is_jump: bool) -> Arguments {
        let convention = self.oracle.program.convention;
        // A call adds the return address, which is not on the stack yet.
        let above = convention.stacked - if is_jump { 0 } else { 8 };
        let stacked = (PASSED - convention.registers.len()) as u8 * 8;
        let first = match state.registers[4].alternatives() {
            // Most calls give none on the stack.
            [(Kind::Stack(at), _)] => Some(at + above).filter(|at| state.slots.has(*at, stacked)),
            _ => None,
        };
        let mut arguments = [const { Value::any() }; PASSED];
        let (given, above) = arguments.split_at_mut(convention.registers.len());
        for (value, register) in given.iter_mut().zip(convention.registers) {
            *value = state.registers[usize::from(*register)].clone();
        }
        if let Some(first) = first {
            for (value, at) in above.iter_mut().zip((first..).step_by(8)) {
                if state.slots.has(at, 8) {
                    let slot = state.slot(at, 8).or_else(|| state.slot(at, 4));
                    *value = slot.unwrap_or_else(Value::any);
                }
            }
        }
        arguments
    }
}

/// The register whose low part is the first operand, where it is told apart by that.
fn whole(state: &State, instruction: &Instruction) -> Option<Value> {
    let register = instruction.op0_register();
    compared(state, register).map(|(_, whole)| whole.clone())
}

fn logical_flags(value: Value, zero: &Value, bytes: u8, place: Option<Place>) -> Flags {
    Flags::Compared {
        left: value,
        right: zero.clone(),
        bytes: bytes.min(8),
        place,
        is_whole: true,
    }
}
