//! What single instructions do to what is known: the transfer function of
//! [`reading`](super::reading).

use super::flow::callee;
use super::guard::Gate;
use super::program::{Target, Word, import_asks, import_is_cell};
use super::reading::{Known, Store};
use super::state::{FLAGS, Source, State, Value, bit};
use iced_x86::{
    ConditionCode, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
    Register,
};

/// Registers that a call may change (System V ABI, section 3.2.1).
const CLOBBERED: [u8; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];
/// Argument registers, in order.
const ARGUMENTS: [u8; 6] = [7, 6, 2, 1, 8, 9];
/// Bytes behind a pointer that a detection may have filled.
const FILLED: i64 = 256;
/// What is found on the way.
#[derive(Default)]
pub(super) struct Notes {
    pub gates: Vec<Gate>,
    pub stores: Vec<Store>,
    pub answers: bool,
    pub fills: bool,
    pub chooses: Option<(u64, Source)>,
    pub filled: Vec<u64>,
}

/// What a memory operand names.
enum Place {
    /// A variable, or an element of one.
    Global(u64),
    Stack(i64),
    /// Memory behind a pointer that is an answer itself.
    Answer(Source),
    Other,
}

/// The transfer function over instructions.
pub(super) struct Walk<'k> {
    pub known: Known<'k>,
    pub factory: InstructionInfoFactory,
    /// A gate decides whether this block runs.
    pub decided: bool,
    /// Small enough to be there for the answer alone.
    pub is_accessor: bool,
    /// Set in the last pass only.
    pub notes: Option<Notes>,
}

impl Walk<'_> {
    /// What one instruction does to the state.
    pub fn step(&mut self, state: &mut State, instruction: &Instruction) {
        match instruction.mnemonic() {
            Mnemonic::Cpuid => {
                for register in 0..4 {
                    state.set(register, Some(Source::Cpu));
                    state.values[usize::from(register)] = Value::Unknown;
                }
                return;
            }
            Mnemonic::Xgetbv => {
                for register in [0, 2] {
                    state.set(register, Some(Source::Cpu));
                    state.values[usize::from(register)] = Value::Unknown;
                }
                return;
            }
            // Unchanged where shadow stacks are not known: how libgcc and libc ask.
            Mnemonic::Rdsspd | Mnemonic::Rdsspq => {
                if let Some(bit) = bit(instruction.op0_register()) {
                    state.set(bit, Some(Source::Cpu));
                }
                return;
            }
            Mnemonic::Mov if self.moved(state, instruction) => return,
            Mnemonic::Lea => {
                self.lea(state, instruction);
                return;
            }
            Mnemonic::Push | Mnemonic::Pop if self.stacked(state, instruction) => return,
            Mnemonic::Add | Mnemonic::Sub | Mnemonic::And
                if instruction.op0_register() == Register::RSP =>
            {
                if let (Value::Stack(at), Ok(by)) = (state.values[4], instruction.try_immediate(1))
                {
                    let by = by as i64;
                    state.values[4] = Value::Stack(match instruction.mnemonic() {
                        Mnemonic::Add => at.wrapping_add(by),
                        Mnemonic::Sub => at.wrapping_sub(by),
                        _ => at,
                    });
                } else {
                    state.values[4] = Value::Unknown;
                }
                return;
            }
            Mnemonic::Leave => {
                state.values[4] = match state.values[5] {
                    Value::Stack(at) => Value::Stack(at.wrapping_add(8)),
                    _ => Value::Unknown,
                };
                state.values[5] = Value::Unknown;
                return;
            }
            _ => {}
        }
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => self.call(state, instruction),
            FlowControl::Return => {
                if let Some(notes) = &mut self.notes {
                    notes.answers |= state.strong(0).is_some();
                }
            }
            FlowControl::UnconditionalBranch => self.tail(instruction),
            FlowControl::ConditionalBranch | FlowControl::IndirectBranch => {}
            _ => self.generic(state, instruction),
        }
    }

    /// A jump to a routine that answers answers.
    fn tail(&mut self, instruction: &Instruction) {
        if let (Some(Target::Address(to)), Some(notes)) =
            (callee(self.known.program, instruction), &mut self.notes)
        {
            let routine = self.known.program.routine_at(to);
            notes.answers |= routine.is_some_and(|to| self.known.answers.contains(&to));
        }
    }

    fn place(&self, state: &State, instruction: &Instruction) -> Place {
        if instruction.is_ip_rel_memory_operand() {
            return Place::Global(instruction.ip_rel_memory_address());
        }
        if matches!(instruction.memory_segment(), Register::FS | Register::GS) {
            return Place::Other;
        }
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        // A pointer to a cell, as the global offset table or a routine gives it.
        // Other addresses that depend on an answer lead to all kinds of data.
        if let Some(source @ (Source::Import(_) | Source::Call(_))) =
            bit(base).and_then(|bit| state.strong(bit))
        {
            return Place::Answer(source);
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
            _ => Place::Other,
        }
    }

    /// What a load from the memory operand gives.
    fn load(&self, state: &State, instruction: &Instruction) -> Option<Source> {
        let small = instruction.memory_size().size() <= 4;
        let flag = || small.then_some(Source::Flag);
        match self.place(state, instruction) {
            Place::Global(at) => {
                if self.known.cells.has(at) {
                    return Some(Source::Cell(at));
                }
                match self.known.program.words.get(&at) {
                    Some(Word::Import(name)) if import_is_cell(name) => Some(Source::Import(at)),
                    _ if self.known.program.is_written(at) => flag(),
                    _ => None,
                }
            }
            Place::Stack(at) => state.slot(at),
            Place::Answer(source) => Some(source),
            Place::Other => flag(),
        }
    }

    /// `mov`; false when it is one that needs nothing special.
    fn moved(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        match (instruction.op0_kind(), instruction.op1_kind()) {
            (OpKind::Register, OpKind::Memory) => {
                let Some(bit) = bit(instruction.op0_register()) else {
                    return false;
                };
                let source = self.load(state, instruction);
                let mut value = Value::Unknown;
                if let Place::Global(at) = self.place(state, instruction)
                    && let Some(Word::Address(to)) = self.known.program.slot(at)
                {
                    value = Value::Address(*to);
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

    /// A constant that a gate decided on is an answer, in the result register.
    fn implied(&self, bit: u8) -> Option<Source> {
        (self.decided && self.is_accessor && bit == 0).then_some(Source::Cpu)
    }

    fn store(
        &mut self,
        state: &mut State,
        instruction: &Instruction,
        source: Option<Source>,
        constant: bool,
        pointer: bool,
    ) {
        let strong = source.is_some_and(|source| source != Source::Flag);
        match self.place(state, instruction) {
            Place::Global(address) => {
                if let Some(notes) = &mut self.notes {
                    notes.stores.push(Store {
                        address,
                        size: instruction.memory_size().size() as u64,
                        is_answer: strong || constant && self.decided,
                        is_pointer: pointer && self.decided,
                    });
                }
            }
            Place::Stack(at) => {
                state.set_slot(at, source);
                // Above the frame is the caller's: how Go's assembly returns.
                if let Some(notes) = &mut self.notes {
                    notes.fills |= at > 0 && source == Some(Source::Cpu);
                }
            }
            Place::Answer(_) | Place::Other => {
                let fresh = matches!(source, Some(Source::Cpu | Source::Call(_)));
                if let Some(notes) = &mut self.notes {
                    notes.fills |= fresh || constant && self.decided && self.is_accessor;
                }
            }
        }
    }

    fn lea(&mut self, state: &mut State, instruction: &Instruction) {
        let Some(to) = bit(instruction.op0_register()) else {
            return;
        };
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        let source = [base, index]
            .into_iter()
            .filter_map(bit)
            .find_map(|bit| state.strong(bit));
        let displacement = instruction.memory_displacement64();
        let value = if instruction.is_ip_rel_memory_operand() {
            Value::Address(instruction.ip_rel_memory_address())
        } else if index != Register::None || base == Register::None {
            Value::Unknown
        } else {
            match bit(base).and_then(|bit| state.values.get(usize::from(bit))) {
                Some(Value::Address(at)) => Value::Address(at.wrapping_add(displacement)),
                Some(Value::Stack(at)) => Value::Stack(at.wrapping_add(displacement as i64)),
                _ => Value::Unknown,
            }
        };
        state.set(to, source);
        if let Some(place) = state.values.get_mut(usize::from(to)) {
            *place = value;
        }
    }

    fn stacked(&mut self, state: &mut State, instruction: &Instruction) -> bool {
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
            state.set_slot(at.wrapping_add(by), source);
        } else if let Some(bit) = register {
            state.set(bit, state.slot(at));
            if let Some(place) = state.values.get_mut(usize::from(bit)) {
                *place = Value::Unknown;
            }
        }
        true
    }

    fn call(&mut self, state: &mut State, instruction: &Instruction) {
        let mut result = None;
        match callee(self.known.program, instruction) {
            Some(Target::Import(name)) if import_asks(name) => {
                result = Some(Source::Import(instruction.ip()));
            }
            Some(Target::Address(to)) => {
                if let Some(routine) = self.known.program.routine_at(to) {
                    if self.known.answers.contains(&routine) {
                        result = Some(Source::Call(routine));
                    }
                    if self.known.fills.contains(&routine) {
                        self.fill(state, routine);
                    }
                }
            }
            _ => {}
        }
        for register in CLOBBERED {
            state.set(register, None);
            state.values[usize::from(register)] = Value::Unknown;
        }
        for register in 16..=FLAGS {
            state.set(register, None);
        }
        if result.is_some() {
            // rax, rdx, xmm0
            for register in [0, 2, 16] {
                state.set(register, result);
            }
        }
    }

    /// A routine that writes answers through pointers was given some.
    fn fill(&mut self, state: &mut State, routine: u32) {
        let source = Some(Source::Call(routine));
        for register in ARGUMENTS {
            match state.values[usize::from(register)] {
                Value::Stack(at) => {
                    for slot in (0..FILLED).step_by(8) {
                        state.set_slot(at.wrapping_add(slot), source);
                    }
                }
                Value::Address(at) => {
                    if let Some(notes) = &mut self.notes {
                        notes.filled.push(at);
                    }
                }
                Value::Unknown => {
                    // Handed on to a caller's memory.
                    if let Some(notes) = &mut self.notes {
                        notes.fills |= register == ARGUMENTS[0];
                    }
                }
            }
        }
        // Go's assembly returns on the stack, above what the caller calls with.
        if let Value::Stack(at) = state.values[4] {
            for slot in (0..40).step_by(8) {
                state.set_slot(at.wrapping_add(slot), source);
            }
        }
    }

    /// Everything else: what is written comes from what is read.
    fn generic(&mut self, state: &mut State, instruction: &Instruction) {
        let clears = matches!(
            instruction.mnemonic(),
            Mnemonic::Xor | Mnemonic::Sub | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Vpxor
        ) && instruction.op_count() >= 2
            && instruction.op0_kind() == OpKind::Register
            && instruction.op1_kind() == OpKind::Register
            && instruction.op0_register() == instruction.op1_register();
        if clears {
            if let Some(bit) = bit(instruction.op0_register()) {
                state.set(bit, self.implied(bit));
                if let Some(place) = state.values.get_mut(usize::from(bit)) {
                    *place = Value::Unknown;
                }
            }
            state.set(FLAGS, None);
            return;
        }
        let keeps_weak = keeps_weak(instruction);
        let mut source: Option<Source> = None;
        let mut add = |new: Option<Source>| {
            if let Some(new) = new
                && (new != Source::Flag || keeps_weak)
                && source.is_none_or(|old| old == Source::Flag)
            {
                source = Some(new);
            }
        };
        if instruction.rflags_read() != 0 {
            add(state.strong(FLAGS));
        }
        // Setting a bit under a gate makes an answer.
        if self.decided
            && instruction.mnemonic() == Mnemonic::Or
            && instruction.try_immediate(1).is_ok()
        {
            add(Some(Source::Cpu));
        }
        let info = self.factory.info(instruction);
        let reads = |access| {
            matches!(
                access,
                OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
            )
        };
        let writes = |access| {
            matches!(
                access,
                OpAccess::Write
                    | OpAccess::CondWrite
                    | OpAccess::ReadWrite
                    | OpAccess::ReadCondWrite
            )
        };
        let mut written = [0u8; 8];
        let mut count = 0;
        for used in info.used_registers() {
            let register = used.register();
            let Some(bit) = bit(register) else { continue };
            if reads(used.access()) && bit != 4 {
                let narrow = register.size() <= 4;
                add(state.source(bit).filter(|s| *s != Source::Flag || narrow));
            }
            if writes(used.access()) && count < written.len() {
                written[count] = bit;
                count += 1;
            }
        }
        let mut stores = false;
        let mut loads = false;
        for used in info.used_memory() {
            loads |= reads(used.access());
            stores |= writes(used.access());
        }
        if loads {
            add(self.load(state, instruction));
        }
        let flags = instruction.rflags_modified() != 0;
        if instruction.rflags_read() != 0
            && let Some(source) = state.strong(FLAGS)
            && let Some(notes) = &mut self.notes
            && instruction.mnemonic() != Mnemonic::INVALID
            && instruction.op_count() == 2
        {
            // A conditional move chooses.
            notes.chooses.get_or_insert((instruction.ip(), source));
        }
        for &register in &written[..count] {
            if register == 4 {
                state.values[4] = Value::Unknown;
                continue;
            }
            state.set(register, source);
            if let Some(place) = state.values.get_mut(usize::from(register)) {
                *place = Value::Unknown;
            }
        }
        if flags {
            state.set(FLAGS, source);
        }
        if stores {
            // Setting a bit under a gate.
            let constant = instruction.op_count() == 2 && instruction.try_immediate(1).is_ok();
            self.store(state, instruction, source, constant, false);
        }
    }

    /// What an instruction that ends a block goes by.
    pub fn gate(
        &self,
        state: &State,
        before: &[Instruction],
        instruction: &Instruction,
    ) -> Option<Source> {
        match instruction.flow_control() {
            FlowControl::ConditionalBranch => {
                if instruction.is_jcx_short() || instruction.is_loop() {
                    return state.strong(1);
                }
                let source = state.source(FLAGS)?;
                if source == Source::Flag && !asks_for_a_flag(before, instruction) {
                    return None;
                }
                Some(source)
            }
            FlowControl::IndirectBranch | FlowControl::IndirectCall => {
                match instruction.op0_kind() {
                    OpKind::Register => state.strong(bit(instruction.op0_register())?),
                    OpKind::Memory => {
                        // A table indexed by an answer.
                        let index = bit(instruction.memory_index());
                        let source = index.and_then(|bit| state.strong(bit));
                        let source = source.or_else(|| self.load(state, instruction));
                        source.filter(|source| *source != Source::Flag)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Instructions through which a flag is still a flag.
fn keeps_weak(instruction: &Instruction) -> bool {
    match instruction.mnemonic() {
        Mnemonic::Movzx
        | Mnemonic::Movsx
        | Mnemonic::Movsxd
        | Mnemonic::And
        | Mnemonic::Shr
        | Mnemonic::Bt => true,
        Mnemonic::Test => {
            instruction.op1_kind() != OpKind::Register
                || instruction.op0_kind() == OpKind::Register
                    && instruction.op0_register() == instruction.op1_register()
        }
        Mnemonic::Cmp => {
            instruction.op1_kind() != OpKind::Register && instruction.op1_kind() != OpKind::Memory
        }
        _ => false,
    }
}

/// Whether a branch on a weak value is how a flag is asked for: against zero, or
/// for equality. "More than one" is how numbers are.
fn asks_for_a_flag(before: &[Instruction], branch: &Instruction) -> bool {
    let setter = before.iter().rev().find(|i| i.rflags_modified() != 0);
    let equal = matches!(
        branch.condition_code(),
        ConditionCode::e | ConditionCode::ne
    );
    match setter {
        Some(setter) if setter.mnemonic() == Mnemonic::Cmp => {
            equal || setter.try_immediate(1).is_ok_and(|value| value == 0)
        }
        Some(setter) if setter.mnemonic() == Mnemonic::Bt => true,
        Some(_) => equal,
        None => false,
    }
}
