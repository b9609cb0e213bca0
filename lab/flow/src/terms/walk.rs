//! What instructions do to the values of a routine.

use super::{Key, Places, Term, Terms};
use crate::access::writes;
use crate::convention::Convention;
use crate::graph::branch;
use crate::state::bit;
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpKind, Register};

/// Parts of a sum, at most: with more it is a value of its own.
const PARTS: usize = 4;
/// Slots of the stack that are followed, at most.
const SLOTS: usize = 64;
/// In the place of a register: memory.
const STORED: u8 = 16;

/// The transfer function.
pub(super) struct Walk<'c> {
    pub terms: Terms,
    pub factory: InstructionInfoFactory,
    pub convention: &'c Convention,
    /// Others may write in the frame.
    pub shown: bool,
    pub block: u32,
}

impl Places {
    /// What lies there in part or as a whole is written over.
    fn forget(&mut self, at: i64, bytes: u8) {
        let end = |at: i64, bytes: u8| at.saturating_add(i64::from(bytes));
        (self.slots).retain(|(from, size), _| end(at, bytes) <= *from || end(*from, *size) <= at);
    }
}

impl Walk<'_> {
    /// Notes the address of a load.
    pub fn note(&mut self, state: &Places, instruction: &Instruction) {
        let has_memory = (0..instruction.op_count())
            .any(|operand| instruction.op_kind(operand) == OpKind::Memory);
        if has_memory
            && let Some(address) = self.address(state, instruction)
            && !address.parts.is_empty()
            && address.frame().is_none()
        {
            let bytes = instruction.memory_size().size().min(64) as u8;
            self.terms.loads.insert(instruction.ip(), (address, bytes));
        }
    }

    /// Notes what an instruction does with values.
    pub fn note_uses(&mut self, state: &Places, instruction: &Instruction) {
        let at = instruction.ip();
        let is_memory = instruction.op0_kind() == OpKind::Memory;
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall | FlowControl::IndirectBranch => {
                let target = match instruction.op0_kind() {
                    OpKind::Register => self.read(state, instruction, 0),
                    // A word of the frame, or what is loaded here.
                    OpKind::Memory => self.read(state, instruction, 0).or_else(|| {
                        let id = self.terms.id(Key::Made(at, STORED), self.block);
                        Some(Term::of(id))
                    }),
                    _ => branch(instruction).map(Term::number),
                };
                self.note_call(state, at, target);
            }
            FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch => {
                self.note_call(state, at, branch(instruction).map(Term::number));
            }
            FlowControl::Return => self.terms.uses.results.push(state.registers[0].clone()),
            _ => {}
        }
        let is_load = self.address(state, instruction).filter(|address| {
            let has_memory = (0..instruction.op_count())
                .any(|operand| instruction.op_kind(operand) == OpKind::Memory);
            has_memory && address.parts.is_empty() && instruction.mnemonic() != Mnemonic::Lea
        });
        if let Some(address) = is_load {
            let bytes = instruction.memory_size().size().min(64) as u8;
            self.terms.loads.insert(at, (address, bytes));
        }
        let info = self.factory.info(instruction);
        let stores = (info.used_memory().iter()).any(|used| writes(used.access()));
        if stores
            && let Some(address) = self.address(state, instruction)
            && address.frame().is_none()
            && instruction.stack_pointer_increment() == 0
        {
            let is_mov = is_memory && instruction.mnemonic() == Mnemonic::Mov;
            let value = is_mov.then(|| self.read(state, instruction, 1)).flatten();
            self.terms.uses.stores.insert(at, (address, value));
        }
    }

    fn note_call(&mut self, state: &Places, at: u64, target: Option<Term>) {
        let registers = self.convention.registers.iter();
        let given = registers.map(|at| state.registers[usize::from(*at)].clone());
        let given = given.collect();
        self.terms.uses.calls.insert(at, (target, given));
    }

    fn register(&self, state: &Places, register: Register) -> Option<Term> {
        let at = bit(register).filter(|at| *at < 16 && register.is_gpr64())?;
        Some(state.registers[usize::from(at)].clone())
    }

    fn address(&self, state: &Places, instruction: &Instruction) -> Option<Term> {
        if instruction.is_ip_rel_memory_operand() {
            return Some(Term::number(instruction.ip_rel_memory_address()));
        }
        if matches!(instruction.memory_segment(), Register::FS | Register::GS) {
            return None;
        }
        let mut out = Term::number(instruction.memory_displacement64());
        if instruction.memory_base() != Register::None {
            out = out.plus(&self.register(state, instruction.memory_base())?);
        }
        if instruction.memory_index() != Register::None {
            let index = self.register(state, instruction.memory_index())?;
            out = out.plus(&index.times(u64::from(instruction.memory_index_scale())));
        }
        (out.parts.len() <= PARTS).then_some(out)
    }

    /// Four bytes of a value.
    fn low(&mut self, term: &Term, is_signed: bool) -> Term {
        let is_low = |id: u32| {
            let keys = self.terms.keys.iter();
            keys.into_iter()
                .any(|(key, known)| *known == id && matches!(key, Key::Low(_, false)))
        };
        match term.parts[..] {
            [] if !is_signed => Term::number(u64::from(term.by as u32)),
            [] => Term::number(term.by as u32 as i32 as u64),
            [(id, 1)] if term.by == 0 && !is_signed && is_low(id) => term.clone(),
            _ => Term::of(self.terms.id(Key::Low(term.clone(), is_signed), self.block)),
        }
    }

    /// What is read of an operand of four or eight bytes.
    fn read(&mut self, state: &Places, instruction: &Instruction, operand: u32) -> Option<Term> {
        match instruction.op_kind(operand) {
            OpKind::Register => {
                let register = instruction.op_register(operand);
                let whole = self.register(state, register.full_register())?;
                match register.size() {
                    8 => Some(whole),
                    4 => Some(self.low(&whole, false)),
                    _ => None,
                }
            }
            OpKind::Memory => {
                let bytes = instruction.memory_size().size() as u8;
                let at = self.address(state, instruction)?.frame()?;
                state.slots.get(&(at, bytes)).cloned()
            }
            _ => instruction.try_immediate(operand).ok().map(Term::number),
        }
    }

    /// What one instruction does.
    pub fn step(&mut self, state: &mut Places, instruction: &Instruction) {
        let value = self.value(state, instruction);
        match instruction.mnemonic() {
            Mnemonic::Push | Mnemonic::Pop | Mnemonic::Leave => {
                return self.stack(state, instruction);
            }
            _ => {}
        }
        if matches!(
            instruction.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        ) {
            if self.shown {
                state.slots.clear();
            }
            for &register in self.convention.clobbered {
                self.made(state, instruction, register);
            }
            return;
        }
        let info = self.factory.info(instruction);
        let stores = (info.used_memory().iter()).any(|used| writes(used.access()));
        let written: Vec<u8> = (info.used_registers().iter())
            .filter(|used| writes(used.access()))
            .filter_map(|used| bit(used.register()).filter(|at| *at < 16))
            .collect();
        if stores {
            let frame = self.address(state, instruction).map(|at| at.frame());
            let bytes = instruction.memory_size().size() as u8;
            match frame {
                Some(Some(at)) => {
                    state.forget(at, bytes);
                    if matches!(bytes, 4 | 8) && state.slots.len() < SLOTS {
                        let own = Key::Made(instruction.ip(), STORED);
                        let value = value.clone();
                        let value =
                            value.unwrap_or_else(|| Term::of(self.terms.id(own, self.block)));
                        state.slots.insert((at, bytes), value);
                    }
                }
                // By a pointer, which may be of the frame only where an address of that is made.
                _ if self.shown => state.slots.clear(),
                _ => {}
            }
        }
        for register in written {
            let is_first = instruction.op0_kind() == OpKind::Register
                && bit(instruction.op0_register()) == Some(register);
            match &value {
                Some(value) if is_first => state.registers[usize::from(register)] = value.clone(),
                _ => self.made(state, instruction, register),
            }
        }
    }

    fn made(&mut self, state: &mut Places, instruction: &Instruction, register: u8) {
        let id = self
            .terms
            .id(Key::Made(instruction.ip(), register), self.block);
        state.registers[usize::from(register)] = Term::of(id);
    }

    /// What an instruction makes of its operands, in the first one.
    fn value(&mut self, state: &Places, instruction: &Instruction) -> Option<Term> {
        use Mnemonic as M;
        let bytes = match instruction.op0_kind() {
            OpKind::Register => instruction.op0_register().size(),
            _ => instruction.memory_size().size(),
        };
        let wide = |term: Option<Term>| term.filter(|_| bytes == 8);
        let sum = |mine: Option<Term>, other: Option<Term>| Some(mine?.plus(&other?));
        match instruction.mnemonic() {
            M::Mov if bytes >= 4 => self.read(state, instruction, 1),
            M::Movsxd => {
                let from = self.read(state, instruction, 1)?;
                Some(self.low(&from, true))
            }
            M::Cdqe => {
                let low = state.registers[0].clone();
                let low = self.low(&low, false);
                Some(self.low(&low, true))
            }
            M::Lea => wide(self.address(state, instruction)),
            M::Add => {
                let (mine, other) = (
                    self.read(state, instruction, 0),
                    self.read(state, instruction, 1),
                );
                wide(sum(mine, other))
            }
            M::Sub => {
                let other = self.read(state, instruction, 1)?.times(u64::MAX);
                wide(sum(self.read(state, instruction, 0), Some(other)))
            }
            M::Inc => wide(sum(self.read(state, instruction, 0), Some(Term::number(1)))),
            M::Shl => {
                let by = instruction.try_immediate(1).ok().filter(|by| *by < 32)?;
                let mine = self.read(state, instruction, 0)?;
                wide(Some(mine.times(1 << by)))
            }
            M::Imul if instruction.op_count() == 3 => {
                let by = instruction.try_immediate(2).ok()?;
                wide(Some(self.read(state, instruction, 1)?.times(by)))
            }
            M::Xor
                if instruction.op1_kind() == OpKind::Register
                    && instruction.op0_register() == instruction.op1_register()
                    && bytes >= 4 =>
            {
                Some(Term::number(0))
            }
            _ => None,
        }
        .filter(|term| term.parts.len() <= PARTS)
    }

    fn stack(&mut self, state: &mut Places, instruction: &Instruction) {
        let by = i64::from(instruction.stack_pointer_increment()) as u64;
        let top = state.registers[4].clone();
        match instruction.mnemonic() {
            Mnemonic::Push => {
                let value = self.read(state, instruction, 0);
                state.registers[4] = top.plus(&Term::number(by));
                if let Some(at) = state.registers[4].frame() {
                    state.forget(at, 8);
                    if let Some(value) = value {
                        state.slots.insert((at, 8), value);
                    }
                }
            }
            Mnemonic::Pop => {
                let value = top
                    .frame()
                    .and_then(|at| state.slots.get(&(at, 8)).cloned());
                state.registers[4] = top.plus(&Term::number(by));
                if let Some(at) = bit(instruction.op0_register()).filter(|at| *at < 16) {
                    match value {
                        Some(value) => state.registers[usize::from(at)] = value,
                        None => self.made(state, instruction, at),
                    }
                }
            }
            _ => {
                let frame = state.registers[5].clone();
                let value = (frame.frame()).and_then(|at| state.slots.get(&(at, 8)).cloned());
                state.registers[4] = frame.plus(&Term::number(8));
                match value {
                    Some(value) => state.registers[5] = value,
                    None => self.made(state, instruction, 5),
                }
            }
        }
    }
}
