//! The front end for AArch64: what instructions do, and where execution goes from them (Arm
//! Architecture Reference Manual for A-profile, DDI 0487, C4.1 and C6).
//!
//! What a program is, its ways, memory and library are those of x86-64. Registers have the
//! numbers of [`place`], so that the stack's top and both results are where they are there.

pub(crate) mod cpu;
mod floats;
mod integers;
mod lanes;
mod memory;
mod moved;
pub(crate) mod order;
mod products;
pub(crate) mod scalable;
pub(crate) mod sold;
mod sources;
pub(crate) mod stubs;
pub(crate) mod system;
mod vectors;

use crate::bits::{Bit, Kind, ONE, Word};
use crate::convention::Convention;
use crate::facts::Facts;
use crate::instructions::flags::Flags;
use crate::library::stubs as code;
use crate::machine::{End, Machine, Stop};
use crate::memory::STUBS;
use crate::state::State;
use iced_x86::ConditionCode;
use karat_binary::a64::{NAMES, classify};
use karat_flow::a64::decode::{Condition, Control, control};
use karat_flow::a64::features::needed;

/// The engine's number of a register: `x0`, `x1` and the stack's top change places with others,
/// so that they are where results and the stack's top of x86-64 are.
pub(crate) const fn place(number: u32) -> usize {
    match number {
        1 => 2,
        2 => 1,
        4 => 31,
        31 => 4,
        other => other as usize,
    }
}

/// Where arguments are, in order.
pub(crate) const ARGUMENTS: [usize; 8] = [0, 2, 1, 3, 31, 5, 6, 7];
/// The link register.
pub(crate) const LINK: usize = 30;
/// `x8`, `x2` to `x7` and `x9` to `x17`.
const CHANGED: [usize; 16] = [1, 3, 31, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];
/// `x19` to `x29`.
const SAVED: [usize; 11] = [19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29];
const SAVED_BITS: u64 = 0x7ff << 19;

/// *Procedure Call Standard for the Arm 64-bit Architecture*, 6. GCC knows which registers a
/// routine leaves alone (-fipa-ra), but for those that linkage stubs use.
pub(crate) const PCS: Convention = Convention {
    given: 1 << 31 | 0x1ef | 0xff << 32,
    returned: 1 << 0 | 1 << 2 | 1 << 4 | SAVED_BITS | 0xffff << 32,
    written: 1 << 16 | 1 << 17 | 1 << LINK,
    arguments: &ARGUMENTS,
    changed: &CHANGED,
    vectors: (16, 32),
    halves: 8..16,
    registers: 32,
    pushed: 0,
    saved: &SAVED,
    is_known_to_callers: true,
};

/// A condition as x86-64 has it, where flags are those of a comparison: the carry there says that
/// the first is less.
fn condition(code: u32) -> ConditionCode {
    use ConditionCode as C;
    match code & 15 {
        0 => C::e,
        1 => C::ne,
        2 => C::ae,
        3 => C::b,
        4 => C::s,
        5 => C::ns,
        6 => C::o,
        7 => C::no,
        8 => C::a,
        9 => C::be,
        10 => C::ge,
        11 => C::l,
        12 => C::g,
        13 => C::le,
        _ => C::None,
    }
}

/// Bytes of a register by bit 31 of an instruction.
fn width(word: u32) -> usize {
    if word >> 31 == 1 { 8 } else { 4 }
}

fn field(word: u32, low: u32, count: u32) -> u32 {
    word >> low & ((1 << count) - 1)
}

impl Machine<'_> {
    /// The instruction at an address.
    fn arm_word(&self, at: u64) -> Option<u32> {
        let bytes = match (STUBS..STUBS + code::SIZE).contains(&at) {
            true => code::bytes(at - STUBS).get(..4)?,
            false => self.image.program.bytes(at, at.checked_add(4)?)?,
        };
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// A register; 31 is zero.
    fn x(&self, state: &State, number: u32) -> Word {
        match number {
            31 => Word::ZERO,
            _ => self.x_or_sp(state, number),
        }
    }

    /// A register; 31 is the stack's top.
    fn x_or_sp(&self, state: &State, number: u32) -> Word {
        state.plain(&self.symbols, state.registers[place(number)].clone())
    }

    fn set_x(&self, state: &mut State, number: u32, value: Word) {
        if number != 31 {
            state.registers[place(number)] = value;
        }
    }

    fn arm_condition(&self, state: &State, code: u32) -> Result<Bit, Stop> {
        let flags = state.flags.plain(|word| state.plain(&self.symbols, word));
        let bit = flags.holds(condition(code))?;
        Ok(state.truth(&self.symbols, bit).unwrap_or(bit))
    }

    /// One instruction; true if it was a jump or a call.
    pub fn step_arm(&mut self, state: &mut State) -> Result<bool, Stop> {
        let at = state.at;
        let word = self.arm_word(at).ok_or(Stop::End(End::Lost))?;
        if self.is_above(word)
            && let Some((_, set)) = classify(word)
            && !self.above_arm(state, needed(word, NAMES[usize::from(set)]))
            && self.sold.is_some()
        {
            self.illegal(state)?;
            return Ok(true);
        }
        let next = at + 4;
        match control(word, at) {
            Control::Next => {
                if word & 0xffe0_001f == 0xd400_0001 {
                    return self.arm_call_of_system(state, next);
                }
                // YIELD
                if word == 0xd503_203f {
                    self.pauses(state, next)?;
                }
                self.arm_instruction(state, word)?;
                state.at = next;
                Ok(false)
            }
            Control::Branch(to, condition) => {
                let bit = match condition {
                    Condition::Flags(code) => self.arm_condition(state, code)?,
                    Condition::Zero(register, bits, is_zero) => {
                        let value = self.x(state, register as u32);
                        let zero = Flags::Logic(value, bits as usize / 8).zero()?;
                        if is_zero {
                            zero
                        } else {
                            crate::bits::not(zero)
                        }
                    }
                    Condition::Clear(register, bit, is_clear) => {
                        let set = self.x(state, register as u32).bit(bit as usize);
                        if is_clear { crate::bits::not(set) } else { set }
                    }
                };
                let bit = state.truth(&self.symbols, bit).unwrap_or(bit);
                let is_taken = self.is_set(state, bit)?;
                self.branches(state, is_taken, to, next)?;
                Ok(true)
            }
            Control::Jump(to) => {
                self.jump(state, to, false)?;
                Ok(true)
            }
            Control::JumpRegister(register) => match self.x(state, register as u32).number()? {
                Some(to) => {
                    self.leaves(state);
                    self.jump(state, to, true)?;
                    Ok(true)
                }
                None => Err(self.ways(at)),
            },
            Control::Call(to) => {
                self.arm_calls(state, to, false)?;
                Ok(true)
            }
            Control::CallRegister(register) => {
                match self.x(state, register as u32).number()? {
                    Some(to) => self.arm_calls(state, to, true)?,
                    None => {
                        self.lost(at, state);
                        state.is_unsure = true;
                        self.after_call(state, None);
                        state.at = next;
                    }
                }
                Ok(true)
            }
            Control::Return => {
                self.back(state)?;
                Ok(true)
            }
            Control::Stop => Err(Stop::End(End::Left)),
        }
    }

    fn arm_calls(&mut self, state: &mut State, to: u64, is_loaded: bool) -> Result<(), Stop> {
        let at = state.at;
        self.call(state, (at, at + 4), to, is_loaded)
    }

    /// Whether an instruction needs more than the baseline has.
    fn is_above(&self, word: u32) -> bool {
        let set = classify(word).map_or(0, |(_, set)| usize::from(set));
        set != 0 && !self.classes.baseline().has(NAMES[set])
    }

    /// Notes that something above the baseline is come to; false if a CPU lacks it.
    fn above_arm(&mut self, state: &State, need: u64) -> bool {
        let Some(routine) = self.image.program.routine_at(state.at) else {
            return true;
        };
        let need = Facts::of_arm(need);
        self.found
            .above((routine, false), state, need, &self.symbols, false)
    }

    fn arm_instruction(&mut self, state: &mut State, word: u32) -> Result<(), Stop> {
        let is_known = match word >> 25 & 15 {
            0b1000 | 0b1001 => self.immediate(state, word)?,
            0b0101 | 0b1101 => self.by_registers(state, word)?,
            0b0100 | 0b0110 | 0b1100 | 0b1110 => self.transfer(state, word)?,
            0b0111 | 0b1111 => self.vector(state, word)?,
            0b1010 | 0b1011 => self.system_register(state, word)?,
            0b0010 => self.scalable(state, word)?,
            _ => false,
        };
        if !is_known {
            self.forget_arm(state, word);
        }
        Ok(())
    }

    /// What an instruction may write that is not carried out is not known.
    fn forget_arm(&self, state: &mut State, word: u32) {
        let rd = field(word, 0, 5);
        let is_sve = matches!(word >> 25 & 15, 0b0010 | 0b0000);
        let is_data = matches!(word >> 25 & 15, 0b0111 | 0b1111);
        // It may store, and write more than one register.
        state.is_unsure |= matches!(word >> 25 & 15, 0b0100 | 0b0110 | 0b1100 | 0b1110);
        if is_data && self.sold.is_some() && self.is_above(word) {
            // What a kernel computes seldom decides anything, but how its program prints it: a number
            // is as good as any other, and a CPU that dies behind it proves nothing.
            state.vectors[rd as usize] = [Word::ZERO, Word::ZERO];
            state.conditions.lose(Kind::Opaque);
        } else if is_sve || is_data {
            state.vectors[rd as usize] = [const { Word::Unknown(64, Kind::Opaque) }; 2];
        }
        // Conversions to general registers, and copies to them.
        let is_moved = word & 0x5f20_fc00 == 0x1e20_0000 || word & 0x9fe0_d400 == 0x0e00_1400;
        if is_sve || !is_data || is_moved {
            self.set_x(state, rd, Word::unknown(8, Kind::Opaque));
        }
        if is_sve {
            state.predicates[field(word, 0, 4) as usize] = None;
            state.flags = Flags::unknown(Kind::Opaque);
            // Stores, and those of pairs of registers.
            state.is_unsure |= matches!(word >> 25, 0b111_0010);
        }
    }

    /// A conditional branch is taken or not.
    fn branches(
        &mut self,
        state: &mut State,
        is_taken: bool,
        to: u64,
        next: u64,
    ) -> Result<(), Stop> {
        if is_taken && to <= state.at {
            // A loop that runs long is made general.
            let rounds = self.rounds();
            let (one, _) = self
                .widened(std::mem::replace(state, State::nowhere()), rounds)
                .ok_or(Stop::End(End::Left))?;
            *state = one;
        }
        state.at = if is_taken { to } else { next };
        Ok(())
    }

    /// One of two words, by a condition: the first where it holds.
    fn picked(&mut self, state: &mut State, known: Bit, b: Word, a: Word) -> Result<Word, Stop> {
        let bit = match state.turn {
            Some(_) => known,
            None => self.either_way(known)?,
        };
        let (set, not_set) = (self.as_if(bit, ONE), self.as_if(bit, crate::bits::ZERO));
        if crate::bits::symbol_of(bit).is_some()
            && let Some(value) = b.chosen(&a, Some(bit), &set, &not_set, false)
        {
            return Ok(value);
        }
        let is_place = |word: &Word| word.known().is_some_and(|at| at >= 0x1000);
        let is_plain = state.turn.is_none() && !is_place(&a) && !is_place(&b);
        Ok(match Kind::of(known) {
            Some(_) if a == b => a,
            Some(Kind::Opaque | Kind::Model) if is_plain => a.joined(&b),
            _ => match self.is_set(state, known)? {
                true => b,
                false => a,
            },
        })
    }
}
