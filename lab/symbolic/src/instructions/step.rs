//! What instructions on general registers do (Intel SDM, volume 2).

use crate::bits::{Bit, Kind, ONE, Word, ZERO, not};
use crate::instructions::flags::Flags;
use crate::machine::{End, Machine, Stop};
use crate::state::State;
use iced_x86::{ConditionCode, Instruction, Mnemonic, OpKind, Register};

/// Bytes that one instruction moves at most.
const MOVED: u64 = 1 << 16;

impl Machine<'_> {
    /// A condition as a bit.
    pub fn condition(&self, state: &State, instruction: &Instruction) -> Result<Bit, Stop> {
        let flags = state.flags.plain(|word| state.plain(&self.symbols, word));
        let bit = flags.holds(instruction.condition_code())?;
        Ok(state.truth(&self.symbols, bit).unwrap_or(bit))
    }

    /// Bits where one is as given.
    pub fn as_if(&self, known: Bit, is: Bit) -> impl Fn(Bit) -> Bit + use<> {
        move |bit| match bit {
            _ if bit == known => is,
            _ if bit == not(known) => not(is),
            _ => bit,
        }
    }

    /// What a user decides is told apart where it is asked for again.
    pub fn either_way(&mut self, bit: Bit) -> Result<Bit, Stop> {
        match Kind::of(bit) {
            Some(kind @ (Kind::Input | Kind::Environment)) => {
                Ok(crate::bits::symbol(self.symbols.turn(kind), false))
            }
            _ if crate::bits::is_masked(bit) => {
                let (number, _) = crate::bits::symbol_of(bit).unwrap_or_default();
                Err(Stop::Fork(number))
            }
            _ => Ok(bit),
        }
    }

    /// Whether a condition holds: ways are told apart where it may or may not.
    pub fn decides(&self, state: &mut State, instruction: &Instruction) -> Result<bool, Stop> {
        let bit = self.condition(state, instruction)?;
        self.is_set(state, bit)
    }

    pub fn is_set(&self, state: &mut State, bit: Bit) -> Result<bool, Stop> {
        match bit {
            ZERO => Ok(false),
            ONE => Ok(true),
            _ => match crate::bits::symbol_of(bit) {
                Some((number, _)) => Err(Stop::Fork(number)),
                None => match state.turn.take() {
                    Some(turn) => Ok(turn),
                    None => Err(Stop::Turn(Kind::of(bit).unwrap_or(Kind::Opaque))),
                },
            },
        }
    }

    /// One instruction that is neither a jump nor a call; false if it is none of those known.
    pub fn general(&mut self, state: &mut State, it: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        let size = Self::size(it, 0);
        let is_conditional = it.condition_code() != ConditionCode::None;
        match it.mnemonic() {
            M::Nop
            | M::Endbr64
            | M::Mfence
            | M::Lfence
            | M::Sfence
            | M::Prefetcht0
            | M::Prefetcht1
            | M::Prefetcht2
            | M::Prefetchnta
            | M::Prefetchw
            | M::Cld
            | M::Emms
            | M::Wait => {}
            M::Mov => {
                let value = self.operand(state, it, 1)?;
                let value = match size == 8 && it.op1_kind() == OpKind::Immediate32to64 {
                    true => value,
                    false => value.low(size.max(1)),
                };
                self.set_operand(state, it, 0, &value)?;
            }
            M::Movzx => {
                let value = self.operand(state, it, 1)?;
                self.set_operand(state, it, 0, &value)?;
            }
            M::Movsx | M::Movsxd => {
                let value = self.operand(state, it, 1)?.signed(Self::size(it, 1));
                self.set_operand(state, it, 0, &value.low(size))?;
            }
            M::Cbw => self.extend(state, Register::AL, Register::AX),
            M::Cwde => self.extend(state, Register::AX, Register::EAX),
            M::Cdqe => self.extend(state, Register::EAX, Register::RAX),
            M::Cwd | M::Cdq | M::Cqo => {
                let (from, to) = match it.mnemonic() {
                    M::Cwd => (Register::AX, Register::DX),
                    M::Cdq => (Register::EAX, Register::EDX),
                    _ => (Register::RAX, Register::RDX),
                };
                let sign = self.register(state, from).bit(from.size() * 8 - 1);
                let word = Word::from_bits([sign; 64]).low(from.size());
                self.set_register(state, to, &word);
            }
            M::Lea => {
                let value = match self.address(state, it)? {
                    Ok(at) => Word::Known(at),
                    Err(kind) => Word::unknown(8, kind),
                };
                self.set_operand(state, it, 0, &value.low(size))?;
            }
            M::Push => {
                let value = self.operand(state, it, 0)?;
                self.push(state, &value)?;
            }
            M::Pop => {
                let value = self.pop(state)?;
                self.set_operand(state, it, 0, &value)?;
            }
            M::Leave => {
                state.registers[4] = state.registers[5].clone();
                state.registers[5] = self.pop(state)?;
            }
            M::Pushfq => self.push(state, &Word::unknown(8, Kind::Opaque))?,
            M::Popfq => {
                self.pop(state)?;
                state.flags = Flags::unknown(Kind::Opaque);
            }
            M::And | M::Or | M::Xor | M::Test => self.logic(state, it, size)?,
            M::Not => {
                let value = self.operand(state, it, 0)?.not().low(size);
                self.set_operand(state, it, 0, &value)?;
            }
            M::Add | M::Sub | M::Cmp | M::Adc | M::Sbb | M::Inc | M::Dec | M::Neg | M::Xadd => {
                self.sum(state, it, size)?;
            }
            M::Shl | M::Sal | M::Shr | M::Sar | M::Rol | M::Ror | M::Shld | M::Shrd => {
                self.shift(state, it, size)?;
            }
            M::Imul | M::Mul | M::Div | M::Idiv => self.product(state, it)?,
            M::Bsf | M::Bsr | M::Tzcnt | M::Lzcnt | M::Popcnt | M::Bswap => {
                self.count(state, it, size)?;
            }
            M::Andn
            | M::Bextr
            | M::Blsr
            | M::Blsi
            | M::Blsmsk
            | M::Bzhi
            | M::Pdep
            | M::Pext
            | M::Mulx
            | M::Rorx
            | M::Sarx
            | M::Shlx
            | M::Shrx
            | M::Crc32
            | M::Movbe
            | M::Adcx => return self.extension(state, it, size),
            M::Movnti => {
                let value = self.operand(state, it, 1)?;
                self.set_operand(state, it, 0, &value)?;
            }
            M::Bt | M::Bts | M::Btr | M::Btc => self.bit(state, it, size)?,
            M::Xchg => {
                let (a, b) = (self.operand(state, it, 0)?, self.operand(state, it, 1)?);
                self.set_operand(state, it, 0, &b)?;
                self.set_operand(state, it, 1, &a)?;
            }
            M::Cmpxchg => {
                let old = self.operand(state, it, 0)?;
                let full = [Register::AL, Register::AX, Register::EAX, Register::RAX];
                let own = full[size.trailing_zeros() as usize];
                let expected = self.register(state, own);
                let flags = Flags::Less(expected, old.clone(), size);
                let zero = flags.zero()?;
                let zero = state.truth(&self.symbols, zero).unwrap_or(zero);
                match self.is_set(state, zero)? {
                    true => {
                        let value = self.operand(state, it, 1)?;
                        self.set_operand(state, it, 0, &value)?;
                        state.flags = Flags::Compared(ONE, ZERO, ZERO);
                    }
                    false => {
                        self.set_register(state, own, &old);
                        state.flags = Flags::Compared(ZERO, Kind::Opaque.bit(), ZERO);
                    }
                }
            }
            M::Cpuid => {
                self.found.asked(state.at);
                self.cpuid(state)?;
            }
            M::Xgetbv => self.xgetbv(state),
            M::Movsb | M::Movsw | M::Movsd | M::Movsq if it.op0_kind() == OpKind::MemoryESRDI => {
                self.strings(state, it)?;
            }
            M::Stosb | M::Stosw | M::Stosd | M::Stosq => self.strings(state, it)?,
            M::Ud2 | M::Hlt | M::Int3 => return Err(Stop::End(End::Left)),
            _ if is_conditional && it.op_count() == 1 => {
                let bit = self.condition(state, it)?;
                let mut bits = [ZERO; 64];
                bits[0] = self.either_way(bit)?;
                self.set_operand(state, it, 0, &Word::from_bits(bits))?;
            }
            _ if is_conditional && it.op_count() == 2 => {
                let (a, b) = (self.operand(state, it, 0)?, self.operand(state, it, 1)?);
                let known = self.condition(state, it)?;
                let bit = match state.turn {
                    Some(_) => known,
                    None => self.either_way(known)?,
                };
                let (set, not_set) = (self.as_if(bit, ONE), self.as_if(bit, ZERO));
                if crate::bits::symbol_of(bit).is_some()
                    && let Some(value) = b.chosen(&a, Some(bit), &set, &not_set, false)
                {
                    self.set_operand(state, it, 0, &value.low(size))?;
                    return Ok(true);
                }
                let is_place = |word: &Word| word.known().is_some_and(|at| at >= 0x1000);
                let is_plain = state.turn.is_none() && !is_place(&a) && !is_place(&b);
                let value = match Kind::of(known) {
                    Some(_) if a == b => a,
                    Some(Kind::Opaque | Kind::Model) if is_plain => a.joined(&b),
                    _ => match self.is_set(state, known)? {
                        true => b,
                        false => a,
                    },
                };
                self.set_operand(state, it, 0, &value.low(size))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn extend(&self, state: &mut State, from: Register, to: Register) {
        let value = self.register(state, from).signed(from.size());
        self.set_register(state, to, &value.low(to.size()));
    }

    pub fn push(&self, state: &mut State, value: &Word) -> Result<(), Stop> {
        let top = state.registers[4].known().ok_or(Stop::End(End::Lost))?;
        let top = top.wrapping_sub(8);
        state.registers[4] = Word::Known(top);
        state.memory.write(top, value, 8);
        Ok(())
    }

    pub fn pop(&self, state: &mut State) -> Result<Word, Stop> {
        let top = state.registers[4].known().ok_or(Stop::End(End::Lost))?;
        state.registers[4] = Word::Known(top.wrapping_add(8));
        Ok(state.read(&self.image, &self.symbols, top, 8))
    }

    fn strings(&mut self, state: &mut State, it: &Instruction) -> Result<(), Stop> {
        let size = it.memory_size().size() as u64;
        let count = match it.has_rep_prefix() {
            true => self.register(state, Register::RCX).number()?,
            false => Some(1),
        };
        let to = self.register(state, Register::RDI).number()?;
        let is_copy = !matches!(
            it.mnemonic(),
            Mnemonic::Stosb | Mnemonic::Stosw | Mnemonic::Stosd | Mnemonic::Stosq
        );
        let from = match is_copy {
            true => self.register(state, Register::RSI).number()?,
            false => None,
        };
        match (count, to) {
            (Some(count), Some(to)) if count.saturating_mul(size) <= MOVED => {
                let bytes = count * size;
                match (is_copy, from) {
                    (true, Some(from)) => state.memory.copy(&self.image, to, from, bytes),
                    (true, None) => state.memory.forget(to, bytes, Kind::Opaque),
                    (false, _) => {
                        let value = state.registers[0].clone();
                        for at in 0..count {
                            state
                                .memory
                                .write(to.wrapping_add(at * size), &value, size as usize);
                        }
                    }
                }
                state.registers[7] = Word::Known(to.wrapping_add(bytes));
                if is_copy {
                    state.registers[6] = match from {
                        Some(from) => Word::Known(from.wrapping_add(bytes)),
                        None => Word::unknown(8, Kind::Opaque),
                    };
                }
            }
            _ => {
                state.is_unsure = true;
                state.registers[7] = Word::unknown(8, Kind::Opaque);
                if is_copy {
                    state.registers[6] = Word::unknown(8, Kind::Opaque);
                }
            }
        }
        if it.has_rep_prefix() {
            state.registers[1] = Word::ZERO;
        }
        Ok(())
    }
}
