//! What single instructions do to values.

use super::features::{Facts, Register as Answer, cpuid_bit, xcr0_bit};
use super::oracle::Oracle;
use super::routine::Notes;
use super::state::{Decided, Flags, Place, State, extended, truncated};
use super::value::{Kind, Value, bits, constant_bit};
use crate::program::Word as Content;
use crate::state::{ARGUMENTS, bit};
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};
use std::rc::Rc;

/// The transfer function.
pub struct Step<'o, 'p> {
    pub oracle: &'o Oracle<'p>,
    pub factory: InstructionInfoFactory,
    /// Constants in arguments, where the routine is looked at for one call.
    pub notes: Option<Notes>,
}

impl Step<'_, '_> {
    pub fn run(&mut self, state: &mut State, instruction: &Instruction) {
        use Mnemonic as M;
        match instruction.mnemonic() {
            M::Nop | M::Endbr64 | M::Cmp | M::Test | M::Bt => {}
            M::Cpuid => return cpuid(state),
            M::Xgetbv => {
                state.registers[0] = Value::word(|bit| match bit {
                    0..32 => (xcr0_bit(bit), Facts::NONE),
                    _ => constant_bit(false),
                });
                state.registers[2] = Value::any();
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
                let value = self.address(state, instruction);
                self.write(state, instruction, 0, &value);
            }
            M::Xchg
                if instruction.op0_kind() == OpKind::Register
                    && instruction.op1_kind() == OpKind::Register =>
            {
                let first = self.read(state, instruction, 0);
                let second = self.read(state, instruction, 1);
                self.write(state, instruction, 0, &second);
                self.write(state, instruction, 1, &first);
            }
            M::And | M::Or | M::Xor | M::Test => self.logical(state, instruction),
            M::Andn => {
                let left = self.read(state, instruction, 1).map(not);
                let right = self.read(state, instruction, 2);
                let value = left.with(&right, |a, b| join_bits(a, b, M::And));
                self.write(state, instruction, 0, &value);
                state.flags = logical_flags(value, size(instruction, 0), None);
            }
            M::Add | M::Sub | M::Cmp | M::Inc | M::Dec => self.sum(state, instruction),
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
                        let carry = state.decide(iced_x86::ConditionCode::b);
                        Value::from_alternatives(vec![
                            (Kind::Const(u64::MAX), carry.yes),
                            (Kind::Const(0), carry.no),
                        ])
                    }
                    // Adds or takes one more where the carry is set.
                    false => {
                        let carry = state.decide(iced_x86::ConditionCode::b);
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
                let value = Value::from_alternatives(vec![
                    (Kind::Const(1), decided.yes),
                    (Kind::Const(0), decided.no),
                ]);
                self.write(state, instruction, 0, &value);
            }
            _ if instruction.op_count() == 2
                && instruction.condition_code() != iced_x86::ConditionCode::None =>
            {
                // cmovcc
                let decided = self.decided(state, instruction);
                let bytes = size(instruction, 0);
                let new = self.read(state, instruction, 1).under(decided.yes);
                let old = truncated(&self.read(state, instruction, 0), bytes).under(decided.no);
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
            notes.branch(instruction.ip(), &decided);
        }
        decided
    }

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
                self.load(state, &address, bytes)
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
                self.store(state, &address, bytes, value, instruction.ip());
            }
            _ => {}
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

    fn moved(&mut self, state: &mut State, instruction: &Instruction) {
        let from = instruction.op1_kind();
        let is_vector = |operand| {
            instruction.op_kind(operand) == OpKind::Register
                && instruction.op_register(operand).is_vector_register()
        };
        if is_vector(0) || is_vector(1) {
            return self.other(state, instruction);
        }
        let mut value = self.read(state, instruction, 1);
        // A slot of the global offset table, or of constants.
        if from == OpKind::Memory
            && let Some(address) = self.address(state, instruction).constant()
            && let Some(Content::Import(name)) = self.oracle.program.words.get(&address)
        {
            value = self.oracle.import(name);
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
                let right = self.read(state, instruction, 1);
                let kind = match mnemonic {
                    Mnemonic::Test => Mnemonic::And,
                    other => other,
                };
                left.with(&right, |a, b| join_bits(a, b, kind))
            }
        };
        let place = self.kept(state, instruction, 0).filter(|_| same);
        if mnemonic != Mnemonic::Test {
            self.write(state, instruction, 0, &value);
        }
        state.flags = logical_flags(value, bytes, place);
    }

    fn sum(&mut self, state: &mut State, instruction: &Instruction) {
        let mnemonic = instruction.mnemonic();
        let bytes = size(instruction, 0).min(8);
        let left = self.read(state, instruction, 0);
        let right = match mnemonic {
            Mnemonic::Inc | Mnemonic::Dec => Value::number(1),
            _ => self.read(state, instruction, 1),
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
                left,
                right,
                bytes,
                place,
                is_whole: true,
            };
            return;
        }
        let is_add = matches!(mnemonic, Mnemonic::Add | Mnemonic::Inc);
        let value = left.with(&right, |a, b| match is_add {
            true => add(a, b),
            false => subtract(a, b),
        });
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
                right: Value::number(0),
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
        let right = self.read(state, instruction, if three { 2 } else { 1 });
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
                right: Value::number(0),
                bytes,
                place: None,
                is_whole: false,
            };
        }
    }

    fn bit_test(&mut self, state: &mut State, instruction: &Instruction) {
        let number = self.read(state, instruction, 1).constant();
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

    fn stack(&mut self, state: &mut State, instruction: &Instruction) {
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

    /// Everything else: what it writes is not known any more.
    fn other(&mut self, state: &mut State, instruction: &Instruction) {
        let mut registers = [4u8; 24];
        let mut count = 0;
        let mut stores = false;
        let info = self.factory.info(instruction);
        let writes = |access| {
            matches!(
                access,
                OpAccess::Write
                    | OpAccess::CondWrite
                    | OpAccess::ReadWrite
                    | OpAccess::ReadCondWrite
            )
        };
        for used in info.used_registers() {
            if writes(used.access())
                && let Some(bit) = bit(used.register())
                && count < registers.len()
            {
                registers[count] = bit;
                count += 1;
            }
        }
        for used in info.used_memory() {
            stores |= writes(used.access());
        }
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
            for part in (0..bytes.max(1)).step_by(8) {
                let place = address.with(&Value::number(part), add);
                let size = (bytes - part).clamp(1, 8) as u8;
                self.store(state, &place, size, &value, instruction.ip());
            }
        }
        for &register in &registers[..count] {
            if register < 16 {
                state.registers[usize::from(register)] = Value::any();
            } else if register < 48 {
                state.zero &= !(1 << (register - 16));
            }
        }
        if instruction.rflags_modified() != 0 {
            state.flags = Flags::Unknown;
        }
    }

    /// Where the compared operand is kept; of a variable, what was read there is noted.
    fn kept(&self, state: &mut State, instruction: &Instruction, operand: u32) -> Option<Place> {
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

    /// The values of arguments.
    pub fn arguments(state: &State) -> [Value; 6] {
        ARGUMENTS.map(|register| state.registers[usize::from(register)].clone())
    }
}

fn cpuid(state: &mut State) {
    let leaves: Vec<(u32, Facts)> = (state.registers[0].alternatives().iter())
        .filter_map(|(kind, facts)| match kind {
            Kind::Const(number) => Some((*number as u32, *facts)),
            _ => None,
        })
        .collect();
    let is_known = leaves.len() == state.registers[0].alternatives().len();
    let subleaf = state.registers[1].constant().map(|number| number as u32);
    for (register, answer) in [
        (0, Answer::A),
        (3, Answer::B),
        (1, Answer::C),
        (2, Answer::D),
    ] {
        let words = leaves.iter().map(|(leaf, facts)| {
            let sub = match leaf {
                7 | 0xd => subleaf,
                _ => Some(0),
            };
            let word = Value::word(|bit| match (bit, sub) {
                (0..32, Some(sub)) => cpuid_bit(*leaf, sub, answer, bit),
                (0..32, None) => (Facts::NONE, Facts::NONE),
                _ => constant_bit(false),
            });
            word.under(*facts)
        });
        let word = words.reduce(|all, one| all.or(&one)).filter(|_| is_known);
        state.registers[register] = word.unwrap_or_else(Value::any);
    }
    state.flags = Flags::Unknown;
}

/// Bytes of an operand.
pub fn size(instruction: &Instruction, operand: u32) -> u8 {
    match instruction.op_kind(operand) {
        OpKind::Register => instruction.op_register(operand).size() as u8,
        OpKind::Memory => instruction.memory_size().size().min(64) as u8,
        _ => match instruction.op_kind(0) {
            OpKind::Register => instruction.op0_register().size() as u8,
            OpKind::Memory => instruction.memory_size().size().min(64) as u8,
            _ => 8,
        },
    }
}

fn is_high(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    )
}

fn read_register(state: &State, register: Register) -> Value {
    let Some(at) = bit(register).filter(|at| *at < 16) else {
        return Value::any();
    };
    let whole = &state.registers[usize::from(at)];
    if is_high(register) {
        return truncated(&whole.map(|kind| shifted(kind, 8, false)), 1);
    }
    truncated(whole, register.size() as u8)
}

fn write_register(state: &mut State, register: Register, value: &Value) {
    let Some(at) = bit(register) else { return };
    if at >= 16 {
        if at < 48 {
            state.zero &= !(1 << (at - 16));
        }
        return;
    }
    let place = &mut state.registers[usize::from(at)];
    *place = match register.size() {
        8 => value.clone(),
        4 => truncated(value, 4),
        _ if is_high(register) => Value::any(),
        bytes => {
            let bits = bytes * 8;
            let low = truncated(value, bytes as u8);
            place.with(&low, |old, new| {
                let nothing = || Rc::new([(Facts::NONE, Facts::NONE); 64]);
                let old = self::bits(old).unwrap_or_else(nothing);
                let new = self::bits(new).unwrap_or_else(nothing);
                let part = |at: usize| if at < bits { new[at] } else { old[at] };
                Kind::Word(Rc::new(std::array::from_fn(part)))
            })
        }
    };
}

fn logical_flags(value: Value, bytes: u8, place: Option<Place>) -> Flags {
    Flags::Compared {
        left: value,
        right: Value::number(0),
        bytes: bytes.min(8),
        place,
        is_whole: true,
    }
}

pub fn add(a: &Kind, b: &Kind) -> Kind {
    match (a, b) {
        (Kind::Const(a), Kind::Const(b)) => Kind::Const(a.wrapping_add(*b)),
        (Kind::Stack(at), Kind::Const(by)) | (Kind::Const(by), Kind::Stack(at)) => {
            Kind::Stack(at.wrapping_add(*by as i64))
        }
        (Kind::Argument(number, at), Kind::Const(by))
        | (Kind::Const(by), Kind::Argument(number, at)) => {
            Kind::Argument(*number, at.wrapping_add(*by as i64))
        }
        (Kind::Const(0), other) | (other, Kind::Const(0)) => other.clone(),
        _ => Kind::Any,
    }
}

fn subtract(a: &Kind, b: &Kind) -> Kind {
    match b {
        Kind::Const(by) => add(a, &Kind::Const(by.wrapping_neg())),
        _ => Kind::Any,
    }
}

fn not(kind: &Kind) -> Kind {
    match kind {
        Kind::Const(number) => Kind::Const(!number),
        Kind::Word(word) => Kind::Word(Rc::new(std::array::from_fn(|at| (word[at].1, word[at].0)))),
        _ => Kind::Any,
    }
}

/// `and`, `or`, `xor` bit by bit.
fn join_bits(a: &Kind, b: &Kind, mnemonic: Mnemonic) -> Kind {
    if let (Kind::Const(a), Kind::Const(b)) = (a, b) {
        return Kind::Const(match mnemonic {
            Mnemonic::And => a & b,
            Mnemonic::Or => a | b,
            _ => a ^ b,
        });
    }
    // Alignment of the stack.
    if let (Kind::Stack(at), Kind::Const(_)) = (a, b)
        && mnemonic == Mnemonic::And
    {
        return Kind::Stack(*at);
    }
    let unknown = || Rc::new([(Facts::NONE, Facts::NONE); 64]);
    let is_open = |kind: &Kind| bits(kind).is_none();
    if is_open(a) && is_open(b) {
        return Kind::Any;
    }
    let (a, b) = (
        bits(a).unwrap_or_else(unknown),
        bits(b).unwrap_or_else(unknown),
    );
    Kind::Word(Rc::new(std::array::from_fn(|at| {
        let (a, b) = (a[at], b[at]);
        match mnemonic {
            Mnemonic::And => (a.0 | b.0, a.1 & b.1),
            Mnemonic::Or => (a.0 & b.0, a.1 | b.1),
            _ => ((a.0 | b.1) & (a.1 | b.0), (a.0 | b.0) & (a.1 | b.1)),
        }
    })))
}

pub fn shifted(kind: &Kind, by: u32, left: bool) -> Kind {
    match kind {
        Kind::Const(number) if left => Kind::Const(number.wrapping_shl(by)),
        Kind::Const(number) => Kind::Const(number.wrapping_shr(by)),
        _ => match bits(kind) {
            Some(word) => Kind::Word(Rc::new(std::array::from_fn(|at| {
                let from = match left {
                    true => at.checked_sub(by as usize),
                    false => Some(at + by as usize).filter(|at| *at < 64),
                };
                from.map_or(constant_bit(false), |from| word[from])
            }))),
            None => Kind::Any,
        },
    }
}
