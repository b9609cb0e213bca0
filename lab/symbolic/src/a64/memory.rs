//! Loads and stores (DDI 0487, C4.1.94), of general registers and of vectors.

use super::{field, place};
use crate::bits::{Fork, Kind, Word};
use crate::machine::{End, Machine, Stop};
use crate::memory::THREAD;
use crate::state::State;
use karat_flow::a64::decode::signed;

/// Where memory is asked for, if that is known.
pub(super) type At = Result<u64, Kind>;

/// What an instruction does behind its access.
struct Moved {
    at: At,
    /// The base register, and what it is then.
    base: Option<(u32, Word)>,
}

impl Machine<'_> {
    /// An address as a place in memory.
    pub(super) fn placed(&self, address: &Word) -> Result<At, Fork> {
        Ok(match address.number()? {
            Some(at) => {
                // Words that the loader fills with the place of a thread's variable have its
                // address.
                let within = at.wrapping_sub(self.thread);
                match within.wrapping_sub(THREAD) < 1 << 20 {
                    true => Ok(within),
                    false => Ok(at),
                }
            }
            None => Err(address.kind().unwrap_or(Kind::Opaque)),
        })
    }

    /// Up to sixteen bytes as two words.
    pub(super) fn loaded(&self, state: &State, at: At, size: usize) -> Result<[Word; 2], Stop> {
        if self.image.is_nowhere(at) {
            let missed = self
                .missed(state, size.min(8))
                .ok_or(Stop::End(End::Died))?;
            return Ok([missed, Word::ZERO]);
        }
        let low = self.load(state, at, size.min(8));
        let high = match size > 8 {
            true => self.load(state, at.map(|at| at.wrapping_add(8)), size - 8),
            false => Word::ZERO,
        };
        Ok([low, high])
    }

    pub(super) fn stored(
        &self,
        state: &mut State,
        at: At,
        value: &[Word; 2],
        size: usize,
    ) -> Result<(), Stop> {
        if self.image.is_nowhere(at) {
            return Err(Stop::End(End::Died));
        }
        self.store(state, at, &value[0], size.min(8));
        if size > 8 {
            let high = at.map(|at| at.wrapping_add(8));
            self.store(state, high, &value[1], size - 8);
        }
        Ok(())
    }

    fn vector_word(&self, state: &State, number: u32) -> [Word; 2] {
        let pair = state.vectors[number as usize].clone();
        pair.map(|word| state.plain(&self.symbols, word))
    }

    /// One register to or from memory. `is_signed`: so many bytes of it take the sign.
    fn moves(
        &self,
        state: &mut State,
        word: u32,
        moved: Moved,
        (size, is_load): (usize, bool),
        is_signed: Option<usize>,
    ) -> Result<(), Stop> {
        let rt = field(word, 0, 5);
        let is_vector = field(word, 26, 1) == 1;
        match (is_load, is_vector) {
            (true, true) => state.vectors[rt as usize] = self.loaded(state, moved.at, size)?,
            (true, false) => {
                let [value, _] = self.loaded(state, moved.at, size)?;
                let value = match is_signed {
                    Some(to) => value.signed(size).low(to),
                    None => value,
                };
                self.set_x(state, rt, value);
            }
            (false, true) => {
                let value = self.vector_word(state, rt);
                self.stored(state, moved.at, &value, size)?;
            }
            (false, false) => {
                let value = [self.x(state, rt), Word::ZERO];
                self.stored(state, moved.at, &value, size)?;
            }
        }
        if let Some((base, value)) = moved.base {
            state.registers[place(base)] = value;
        }
        Ok(())
    }

    /// Where an access with a number from a register goes; `index` as bits 10 and 11 have it: 1
    /// behind it, 3 before it, else the register stays.
    fn based(&self, state: &State, rn: u32, by: i64, index: u32) -> Result<Moved, Stop> {
        let base = self.x_or_sp(state, rn);
        let to = match by {
            0 => base.clone(),
            _ => self.total(&base, &Word::Known(by as u64), false, 8)?,
        };
        let at = self.placed(if index == 1 { &base } else { &to })?;
        let base = matches!(index, 1 | 3).then_some((rn, to));
        Ok(Moved { at, base })
    }

    /// A load or a store; false if it is none of those known.
    pub(super) fn transfer(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let (rt, rn) = (field(word, 0, 5), field(word, 5, 5));
        let is_vector = field(word, 26, 1) == 1;
        let (scale, opc) = (field(word, 30, 2), field(word, 22, 2));
        match word & 0x3b00_0000 {
            // Exclusive, ordered, and compare-and-swap.
            0x0800_0000 if !is_vector => return self.exclusive(state, word),
            // From a place near the instruction.
            0x1800_0000 => {
                let at = state.at.wrapping_add_signed(signed(word, 5, 19) << 2);
                let moved = Moved {
                    at: Ok(at),
                    base: None,
                };
                let (size, sign) = match (is_vector, scale) {
                    (true, scale) => (4usize << scale, None),
                    (false, 0) => (4, None),
                    (false, 1) => (8, None),
                    (false, 2) => (4, Some(8)),
                    // PRFM
                    _ => return Ok(true),
                };
                self.moves(state, word, moved, (size, true), sign)?;
                return Ok(true);
            }
            // Of pairs.
            0x2800_0000 | 0x2900_0000 => {
                let is_load = field(word, 22, 1) == 1;
                let size = match is_vector {
                    true => 4usize << scale,
                    false => 4usize << (scale >> 1),
                };
                let by = signed(word, 15, 7) * size as i64;
                let index = match field(word, 23, 2) {
                    1 => 1,
                    3 => 3,
                    _ => 0,
                };
                let rt2 = field(word, 10, 5);
                let Moved { at, base } = self.based(state, rn, by, index)?;
                let second = at.map(|at| at.wrapping_add(size as u64));
                if is_load {
                    let one = self.loaded(state, at, size)?;
                    let other = self.loaded(state, second, size)?;
                    for (register, value) in [(rt, one), (rt2, other)] {
                        if is_vector {
                            state.vectors[register as usize] = value;
                            continue;
                        }
                        let [value, _] = value;
                        let value = if scale == 1 { value.signed(4) } else { value };
                        self.set_x(state, register, value);
                    }
                } else {
                    let value = |register: u32| match is_vector {
                        true => self.vector_word(state, register),
                        false => [self.x(state, register), Word::ZERO],
                    };
                    let (one, other) = (value(rt), value(rt2));
                    self.stored(state, at, &one, size)?;
                    self.stored(state, second, &other, size)?;
                }
                if let Some((base, value)) = base {
                    state.registers[place(base)] = value;
                }
                return Ok(true);
            }
            0x3800_0000 | 0x3900_0000 => {}
            _ if is_vector && word & 0xbf00_0000 == 0x0c00_0000
                || word & 0xbf00_0000 == 0x0d00_0000 =>
            {
                return self.structures(state, word);
            }
            // LDAPR and STLR with a number.
            _ if word & 0x3f20_0c00 == 0x1900_0000 => {
                let moved = self.based(state, rn, signed(word, 12, 9), 0)?;
                let sign = [None, None, Some(8), Some(4)][opc as usize];
                let kind = (1usize << scale, opc != 0);
                self.moves(state, word, moved, kind, sign)?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        let (size, is_load, sign) = match is_vector {
            true => match (opc, scale) {
                (0 | 1, _) => (1usize << scale, opc == 1, None),
                (_, 0) => (16, opc == 3, None),
                _ => return Ok(false),
            },
            false => match opc {
                0 | 1 => (1usize << scale, opc == 1, None),
                // PRFM
                2 if scale == 3 => return Ok(true),
                2 => (1 << scale, true, Some(8)),
                _ => (1 << scale, true, Some(4)),
            },
        };
        let moved = if word & 0x0100_0000 != 0 {
            let by = i64::from(field(word, 10, 12)) * size as i64;
            self.based(state, rn, by, 0)?
        } else if field(word, 21, 1) == 0 {
            self.based(state, rn, signed(word, 12, 9), field(word, 10, 2))?
        } else if field(word, 10, 2) == 2 {
            let by = match field(word, 12, 1) {
                1 => size.trailing_zeros() as usize,
                _ => 0,
            };
            let index = self.x(state, field(word, 16, 5));
            let index = Self::extended(&index, field(word, 13, 3), by);
            let to = self.total(&self.x_or_sp(state, rn), &index, false, 8)?;
            Moved {
                at: self.placed(&to)?,
                base: None,
            }
        } else if field(word, 10, 2) == 0 && !is_vector {
            return self.atomic(state, word);
        } else {
            return Ok(false);
        };
        self.moves(state, word, moved, (size, is_load), sign)?;
        Ok(true)
    }

    /// Exclusive loads and stores, of which those of one thread always succeed, ordered ones, and
    /// compare-and-swap.
    fn exclusive(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let size = 1usize << field(word, 30, 2);
        let (rt, rn, rs) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let rt2 = field(word, 10, 5);
        let at = self.placed(&self.x_or_sp(state, rn))?;
        let (o2, is_load, o1) = (
            field(word, 23, 1),
            field(word, 22, 1) == 1,
            field(word, 21, 1),
        );
        let behind = at.map(|at| at.wrapping_add(size as u64));
        match (o2, o1) {
            // LDXR, STXR; of pairs.
            (0, _) if size >= 4 || o1 == 0 => {
                if is_load {
                    let [one, _] = self.loaded(state, at, size)?;
                    self.set_x(state, rt, one);
                    if o1 == 1 {
                        let [other, _] = self.loaded(state, behind, size)?;
                        self.set_x(state, rt2, other);
                    }
                } else {
                    self.stored(state, at, &[self.x(state, rt), Word::ZERO], size)?;
                    if o1 == 1 {
                        self.stored(state, behind, &[self.x(state, rt2), Word::ZERO], size)?;
                    }
                    self.set_x(state, rs, Word::ZERO);
                }
            }
            // LDAR, STLR.
            (1, 0) => match is_load {
                true => {
                    let [one, _] = self.loaded(state, at, size)?;
                    self.set_x(state, rt, one);
                }
                false => self.stored(state, at, &[self.x(state, rt), Word::ZERO], size)?,
            },
            // CAS.
            (1, _) => {
                let [old, _] = self.loaded(state, at, size)?;
                let wanted = self.x(state, rs).low(size);
                let flags = crate::instructions::flags::Flags::Less(wanted, old.clone(), size);
                let same = flags.zero()?;
                let same = state.truth(&self.symbols, same).unwrap_or(same);
                if self.is_set(state, same)? {
                    self.stored(state, at, &[self.x(state, rt), Word::ZERO], size)?;
                }
                self.set_x(state, rs, old);
            }
            _ => {
                state.is_unsure = true;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Atomic operations on memory.
    fn atomic(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let size = 1usize << field(word, 30, 2);
        let (rt, rn, rs) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let at = self.placed(&self.x_or_sp(state, rn))?;
        let [old, _] = self.loaded(state, at, size)?;
        let by = self.x(state, rs).low(size);
        let opaque = || Word::unknown(size, Kind::Opaque);
        let new = match (field(word, 15, 1), field(word, 12, 3)) {
            // LDAPR
            (1, 4) => {
                self.set_x(state, rt, old);
                return Ok(true);
            }
            (1, 0) => by,
            (1, _) => opaque(),
            (_, 0) => self.total(&old, &by, false, size)?,
            (_, 1) => old.and(&by.not())?,
            (_, 2) => old.xor(&by)?,
            (_, 3) => old.or(&by)?,
            _ => opaque(),
        };
        self.stored(state, at, &[new, Word::ZERO], size)?;
        self.set_x(state, rt, old);
        Ok(true)
    }

    /// LD1, ST1 and those of several registers. Elements of several registers one after the other
    /// are not followed.
    fn structures(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let (rt, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let is_load = field(word, 22, 1) == 1;
        let is_behind = field(word, 23, 1) == 1;
        let is_single = field(word, 24, 1) == 1;
        let bytes = if field(word, 30, 1) == 1 { 16 } else { 8 };
        let base = self.x_or_sp(state, rn);
        let at = self.placed(&base)?;
        let opaque = || [const { Word::Unknown(64, Kind::Opaque) }; 2];
        let opcode = field(word, 12, 4);
        let size = match is_single {
            // One element to all lanes, or of one lane.
            true => {
                let (scale, s) = (field(word, 10, 2), field(word, 12, 1));
                let opcode = field(word, 13, 3);
                let is_one = opcode & 1 == 0 && field(word, 21, 1) == 0;
                let (each, lane) = match opcode >> 1 {
                    3 => (1usize << scale, 0),
                    0 => (1, field(word, 30, 1) << 3 | s << 2 | scale),
                    1 => (2, field(word, 30, 1) << 2 | s << 1 | scale >> 1),
                    _ if scale & 1 == 1 => (8, field(word, 30, 1)),
                    _ => (4, field(word, 30, 1) << 1 | s),
                };
                let count = 1 + (opcode & 1) * 2 + field(word, 21, 1);
                match (is_load, is_one) {
                    (true, true) if opcode == 6 => {
                        let [one, _] = self.loaded(state, at, each)?;
                        let all = Self::repeated(&one, each);
                        let high = if bytes == 16 { all.clone() } else { Word::ZERO };
                        state.vectors[rt as usize] = [all, high];
                    }
                    (true, true) => {
                        let [one, _] = self.loaded(state, at, each)?;
                        let mut own = self.vector_word(state, rt);
                        let bit = lane as usize * each * 8;
                        own[bit / 64] = own[bit / 64].with(&one, bit % 64, each);
                        state.vectors[rt as usize] = own;
                    }
                    (false, true) => {
                        let own = self.vector_word(state, rt);
                        let bit = lane as usize * each * 8;
                        let one = own[bit / 64].right(bit % 64).low(each);
                        self.stored(state, at, &[one, Word::ZERO], each)?;
                    }
                    (true, false) => {
                        for number in 0..count {
                            state.vectors[(rt + number) as usize % 32] = opaque();
                        }
                    }
                    (false, false) => state.is_unsure = true,
                }
                each * count as usize
            }
            false => {
                let (count, is_plain) = match opcode {
                    0b0111 => (1, true),
                    0b1010 => (2, true),
                    0b0110 => (3, true),
                    0b0010 => (4, true),
                    0b1000 => (2, false),
                    0b0100 => (3, false),
                    _ => (4, false),
                };
                for number in 0..count {
                    let register = (rt + number) as usize % 32;
                    let place = at.map(|at| at.wrapping_add(u64::from(number) * bytes as u64));
                    match (is_load, is_plain) {
                        (true, true) => {
                            state.vectors[register] = self.loaded(state, place, bytes)?;
                        }
                        (true, false) => state.vectors[register] = opaque(),
                        (false, true) => {
                            let value = self.vector_word(state, register as u32);
                            self.stored(state, place, &value, bytes)?;
                        }
                        (false, false) => match place {
                            Ok(place) => state.memory.forget(place, bytes as u64, Kind::Opaque),
                            Err(_) => state.is_unsure = true,
                        },
                    }
                }
                bytes * count as usize
            }
        };
        if is_behind {
            let by = match rm {
                31 => Word::Known(size as u64),
                _ => self.x(state, rm),
            };
            state.registers[place(rn)] = self.total(&base, &by, false, 8)?;
        }
        Ok(true)
    }
}
