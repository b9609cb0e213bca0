//! Operands: registers and memory as words.

use crate::bits::{Fork, Kind, Word};
use crate::machine::{End, Machine, Stop};
use crate::memory::THREAD;
use crate::state::State;
use iced_x86::{Instruction, OpKind, Register};

/// Where a general register lies in its word: number and first bit.
pub(crate) fn place(register: Register) -> (usize, usize) {
    let is_high = matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    );
    (
        register.full_register().number(),
        if is_high { 8 } else { 0 },
    )
}

/// The number of a vector register, as far as its low bytes are kept.
pub(crate) fn vector(register: Register) -> Option<usize> {
    let is_one = register.is_xmm() || register.is_ymm() || register.is_zmm();
    (is_one && register.number() < 16).then(|| register.number())
}

impl Machine<'_> {
    pub fn register(&self, state: &State, register: Register) -> Word {
        if !register.is_gpr() {
            return Word::unknown(8, Kind::Opaque);
        }
        let (number, first) = place(register);
        let word = match &state.registers[number] {
            Word::Known(value) => {
                return Word::Known(value >> first & crate::bits::mask(register.size()));
            }
            other => other.right(first).low(register.size()),
        };
        state.plain(&self.symbols, word)
    }

    pub fn set_register(&self, state: &mut State, register: Register, value: &Word) {
        if !register.is_gpr() {
            return;
        }
        let (number, first) = place(register);
        let own = &mut state.registers[number];
        *own = match register.size() {
            8 => value.clone(),
            4 => value.low(4),
            size => own.with(value, first, size),
        };
    }

    /// The address that an operand in memory has, if it is known.
    pub fn address(
        &self,
        state: &State,
        instruction: &Instruction,
    ) -> Result<Result<u64, Kind>, Fork> {
        let mut at = instruction.memory_displacement64();
        if instruction.is_ip_rel_memory_operand() {
            return Ok(Ok(instruction.ip_rel_memory_address()));
        }
        let parts = [
            (instruction.memory_base(), 1),
            (
                instruction.memory_index(),
                u64::from(instruction.memory_index_scale()),
            ),
        ];
        let mut size = 8;
        for (register, scale) in parts {
            if register == Register::None {
                continue;
            }
            if !register.is_gpr() {
                return Ok(Err(Kind::Opaque));
            }
            size = register.size();
            let word = self.register(state, register);
            match word.number()? {
                Some(value) => at = at.wrapping_add(value.wrapping_mul(scale)),
                None => return Ok(Err(word.kind().unwrap_or(Kind::Opaque))),
            }
        }
        if size == 4 {
            at &= u64::from(u32::MAX);
        }
        let is_thread = match instruction.segment_prefix() {
            Register::FS => true,
            Register::GS => self.windows.is_some(),
            _ => false,
        };
        if is_thread {
            at = at.wrapping_add(self.thread);
        }
        // Words that the loader fills with the place of a thread's variable have its address.
        if at.wrapping_sub(self.thread) >= THREAD
            && at.wrapping_sub(self.thread) < THREAD + (1 << 20)
        {
            at = at.wrapping_sub(self.thread);
        }
        Ok(Ok(at))
    }

    /// The number of bytes of an operand.
    pub fn size(instruction: &Instruction, operand: u32) -> usize {
        match instruction.op_kind(operand) {
            OpKind::Register => instruction.op_register(operand).size(),
            _ => instruction.memory_size().size(),
        }
    }

    /// Up to eight bytes at an address, which may be unknown.
    pub fn load(&self, state: &State, at: Result<u64, Kind>, size: usize) -> Word {
        match at {
            Ok(at) => state.read(&self.image, &self.symbols, at, size),
            Err(kind) => Word::unknown(size, kind),
        }
    }

    pub fn store(&self, state: &mut State, at: Result<u64, Kind>, value: &Word, size: usize) {
        match at {
            Ok(at) => state.memory.write(at, value, size),
            Err(_) => state.is_unsure = true,
        }
    }

    /// An operand's value.
    pub fn operand(
        &self,
        state: &State,
        instruction: &Instruction,
        operand: u32,
    ) -> Result<Word, Stop> {
        let kind = instruction.op_kind(operand);
        Ok(match kind {
            OpKind::Register => self.register(state, instruction.op_register(operand)),
            OpKind::Memory => {
                let size = instruction.memory_size().size().min(8);
                let at = self.address(state, instruction)?;
                if self.image.is_nowhere(at) {
                    return self.missed(state, size).ok_or(Stop::End(End::Died));
                }
                self.load(state, at, size)
            }
            OpKind::NearBranch64 => Word::Known(instruction.near_branch_target()),
            _ => match instruction.try_immediate(operand) {
                Ok(value) => Word::Known(value),
                Err(_) => Word::unknown(8, Kind::Opaque),
            },
        })
    }

    pub fn set_operand(
        &self,
        state: &mut State,
        instruction: &Instruction,
        operand: u32,
        value: &Word,
    ) -> Result<(), Stop> {
        match instruction.op_kind(operand) {
            OpKind::Register => {
                self.set_register(state, instruction.op_register(operand), value);
            }
            OpKind::Memory => {
                let size = instruction.memory_size().size().min(8);
                let at = self.address(state, instruction)?;
                if self.image.is_nowhere(at) {
                    return Err(Stop::End(End::Died));
                }
                self.store(state, at, value, size);
            }
            _ => {}
        }
        Ok(())
    }
}
