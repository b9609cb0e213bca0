//! Instructions on general registers: with a number in them, and with registers only.

use super::{field, width};
use crate::bits::{Bit, Kind, ONE, Word, ZERO, mask};
use crate::instructions::flags::Flags;
use crate::machine::{Machine, Stop};
use crate::state::State;
use karat_flow::a64::decode::{mask as pattern, near, page};

/// Flags as an instruction has them in four bits: negative, zero, carry, overflow.
fn flags_of(nzcv: u32) -> Flags {
    let result = match (nzcv >> 3 & 1, nzcv >> 2 & 1) {
        (0, 0) => 1,
        (1, 0) => 1 << 63,
        (0, 1) => 0,
        // No result is both.
        _ => return Flags::unknown(Kind::Opaque),
    };
    Flags::Result(
        Word::Known(result),
        8,
        Bit::from(nzcv >> 1 & 1 == 0),
        Bit::from(nzcv & 1 == 1),
    )
}

/// What floating-point numbers compare as.
pub(super) fn compared(a: f64, b: f64) -> Flags {
    flags_of(match a.partial_cmp(&b) {
        Some(std::cmp::Ordering::Equal) => 0b0110,
        Some(std::cmp::Ordering::Less) => 0b1000,
        Some(std::cmp::Ordering::Greater) => 0b0010,
        None => 0b0011,
    })
}

impl Machine<'_> {
    /// A sum or a difference.
    pub(super) fn total(
        &self,
        a: &Word,
        b: &Word,
        is_less: bool,
        size: usize,
    ) -> Result<Word, Stop> {
        let is_apart = !is_less && (0..64).all(|at| a.bit(at) == ZERO || b.bit(at) == ZERO);
        let value = match (a, b) {
            (Word::Known(a), Word::Known(b)) if is_less => Word::Known(a.wrapping_sub(*b)),
            (Word::Known(a), Word::Known(b)) => Word::Known(a.wrapping_add(*b)),
            (_, Word::Known(0)) => a.clone(),
            _ if is_apart => a.or(b)?,
            _ => match [a.kind(), b.kind()].into_iter().flatten().min() {
                Some(kind) => Word::unknown(size, kind),
                None => match (a.number()?, b.number()?) {
                    (Some(a), Some(b)) if is_less => Word::Known(a.wrapping_sub(b)),
                    (Some(a), Some(b)) => Word::Known(a.wrapping_add(b)),
                    _ => Word::unknown(size, Kind::Opaque),
                },
            },
        };
        Ok(value.low(size))
    }

    /// The flags of a sum or a difference.
    fn flags_after(a: &Word, b: &Word, value: &Word, is_less: bool, size: usize) -> Flags {
        if is_less {
            return Flags::Less(a.low(size), b.low(size), size);
        }
        match (a.known(), b.known(), value.known()) {
            (Some(a), Some(b), Some(known)) => {
                let m = u128::from(mask(size));
                let sign = 1u64 << (size * 8 - 1);
                let carried = (u128::from(a) & m) + (u128::from(b) & m) > m;
                let differs = (a ^ known) & (b ^ known);
                let overflow = Bit::from(differs & sign != 0);
                Flags::Result(value.clone(), size, Bit::from(!carried), overflow)
            }
            _ => {
                let kinds = [a.kind(), b.kind(), value.kind()];
                let bit = kinds.into_iter().flatten().min();
                let bit = bit.unwrap_or(Kind::Opaque).bit();
                Flags::Result(value.clone(), size, bit, bit)
            }
        }
    }

    /// Data processing with a number.
    pub(super) fn immediate(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let (rd, rn) = (field(word, 0, 5), field(word, 5, 5));
        let size = width(word);
        let value = match field(word, 23, 3) {
            0 | 1 => Word::Known(match word >> 31 {
                1 => page(word, state.at),
                _ => near(word, state.at),
            }),
            2 => {
                let by = u64::from(field(word, 10, 12)) << (12 * field(word, 22, 1));
                let (a, b) = (self.x_or_sp(state, rn).low(size), Word::Known(by));
                let is_less = field(word, 30, 1) == 1;
                let value = self.total(&a, &b, is_less, size)?;
                if field(word, 29, 1) == 1 {
                    state.flags = Self::flags_after(&a, &b, &value, is_less, size);
                    self.set_x(state, rd, value);
                } else {
                    state.registers[super::place(rd)] = value;
                }
                return Ok(true);
            }
            4 => {
                let Some(by) = pattern(word) else {
                    return Ok(false);
                };
                let (a, b) = (self.x(state, rn), Word::Known(by));
                let kind = field(word, 29, 2);
                let value = match kind {
                    1 => a.or(&b)?,
                    2 => a.xor(&b)?,
                    _ => a.and(&b)?,
                }
                .low(size);
                if kind == 3 {
                    state.flags = Flags::Result(value.clone(), size, ONE, ZERO);
                    self.set_x(state, rd, value);
                } else {
                    state.registers[super::place(rd)] = value;
                }
                return Ok(true);
            }
            5 => {
                let by = 16 * field(word, 21, 2) as usize;
                let number = u64::from(field(word, 5, 16)) << by;
                match field(word, 29, 2) {
                    0 => Word::Known(!number).low(size),
                    2 => Word::Known(number),
                    3 => (self.x(state, rd))
                        .with(&Word::Known(number >> by), by, 2)
                        .low(size),
                    _ => return Ok(false),
                }
            }
            6 => {
                let (from, to) = (field(word, 16, 6) as usize, field(word, 10, 6) as usize);
                let bits = size * 8;
                let source = self.x(state, rn).low(size);
                let kind = field(word, 29, 2);
                if from >= bits || to >= bits {
                    return Ok(false);
                }
                // So many bits, from one place to another.
                let (count, first, low) = match to >= from {
                    true => (to - from + 1, from, 0),
                    false => (to + 1, 0, bits - from),
                };
                let old = match kind {
                    1 => self.x(state, rd).low(size),
                    _ => Word::ZERO,
                };
                let sign = source.bit(first + count - 1);
                Word::from_bits(std::array::from_fn(|at| match at {
                    _ if at >= bits => ZERO,
                    _ if at < low => old.bit(at),
                    _ if at < low + count => source.bit(first + at - low),
                    _ if kind == 0 => sign,
                    _ => old.bit(at),
                }))
            }
            7 => {
                let by = field(word, 10, 6) as usize;
                let (high, low) = (self.x(state, rn), self.x(state, field(word, 16, 5)));
                let bits = size * 8;
                Word::from_bits(std::array::from_fn(|at| match at {
                    _ if at >= bits => ZERO,
                    _ if at + by < bits => low.bit(at + by),
                    _ => high.bit(at + by - bits),
                }))
            }
            _ => return Ok(false),
        };
        self.set_x(state, rd, value);
        Ok(true)
    }

    /// A register that is shifted: to the left, to the right, with its sign, or turned.
    pub(super) fn shifted(value: &Word, kind: u32, by: usize, size: usize) -> Word {
        let bits = size * 8;
        let value = value.low(size);
        if by == 0 {
            return value;
        }
        match kind {
            0 => value.left(by).low(size),
            1 => value.right(by),
            2 => {
                let sign = value.bit(bits - 1);
                Word::from_bits(std::array::from_fn(|at| match at {
                    _ if at >= bits => ZERO,
                    _ if at + by < bits => value.bit(at + by),
                    _ => sign,
                }))
            }
            _ => Word::from_bits(std::array::from_fn(|at| match at < bits {
                true => value.bit((at + by) % bits),
                false => ZERO,
            })),
        }
    }

    /// A register that is extended, then shifted.
    pub(super) fn extended(value: &Word, option: u32, by: usize) -> Word {
        let size = 1usize << (option & 3);
        let low = value.low(size);
        let wide = if option & 4 == 0 {
            low
        } else {
            low.signed(size)
        };
        wide.left(by)
    }

    /// Data processing with registers.
    pub(super) fn by_registers(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let size = width(word);
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        if word & 0x1f00_0000 == 0x0a00_0000 {
            let by = field(word, 10, 6) as usize;
            let b = Self::shifted(&self.x(state, rm), field(word, 22, 2), by, size);
            let b = if field(word, 21, 1) == 1 {
                b.not().low(size)
            } else {
                b
            };
            let a = self.x(state, rn).low(size);
            let kind = field(word, 29, 2);
            let is_same = rn == rm && by == 0 && field(word, 21, 1) == 0;
            let value = match kind {
                1 => a.or(&b)?,
                2 if is_same => Word::ZERO,
                2 => a.xor(&b)?,
                _ => a.and(&b)?,
            };
            if kind == 3 {
                state.flags = Flags::Result(value.clone(), size, ONE, ZERO);
            }
            self.set_x(state, rd, value);
            return Ok(true);
        }
        if word & 0x1f00_0000 == 0x0b00_0000 {
            let is_extended = field(word, 21, 1) == 1;
            let (a, b) = match is_extended {
                true => {
                    let by = field(word, 10, 3) as usize;
                    let b = Self::extended(&self.x(state, rm), field(word, 13, 3), by);
                    (self.x_or_sp(state, rn).low(size), b.low(size))
                }
                false => {
                    let by = field(word, 10, 6) as usize;
                    let b = Self::shifted(&self.x(state, rm), field(word, 22, 2), by, size);
                    (self.x(state, rn).low(size), b)
                }
            };
            let is_less = field(word, 30, 1) == 1;
            let sets = field(word, 29, 1) == 1;
            // A comparison only: nothing has to be known of the difference.
            if sets && is_less && rd == 31 {
                state.flags = Flags::Less(a, b, size);
                return Ok(true);
            }
            let is_none = is_less && !is_extended && rn == rm && a == b;
            let value = match is_none {
                true => Word::ZERO,
                false => self.total(&a, &b, is_less, size)?,
            };
            if sets {
                state.flags = Self::flags_after(&a, &b, &value, is_less, size);
            }
            match is_extended && !sets {
                true => state.registers[super::place(rd)] = value,
                false => self.set_x(state, rd, value),
            }
            return Ok(true);
        }
        match word & 0x1fe0_0000 {
            // With the carry.
            0x1a00_0000 => {
                let flags = state.flags.plain(|word| state.plain(&self.symbols, word));
                let less = flags.carry()?;
                let less = state.truth(&self.symbols, less).unwrap_or(less);
                let (a, b) = (self.x(state, rn).low(size), self.x(state, rm).low(size));
                let is_less = field(word, 30, 1) == 1;
                let value = match (a.known(), b.known(), less) {
                    (Some(a), Some(b), ZERO | ONE) => {
                        let b = if is_less { !b } else { b };
                        let sum = a.wrapping_add(b).wrapping_add(u64::from(less == ZERO));
                        Word::Known(sum & mask(size))
                    }
                    _ => Word::unknown(size, Kind::Opaque),
                };
                if field(word, 29, 1) == 1 {
                    state.flags = Flags::unknown(Kind::Opaque);
                }
                self.set_x(state, rd, value);
            }
            // Conditional comparison.
            0x1a40_0000 => {
                let holds = self.arm_condition(state, field(word, 12, 4))?;
                if !self.is_set(state, holds)? {
                    state.flags = flags_of(field(word, 0, 4));
                    return Ok(true);
                }
                let a = self.x(state, rn).low(size);
                let b = match field(word, 11, 1) {
                    1 => Word::Known(u64::from(rm)),
                    _ => self.x(state, rm).low(size),
                };
                let is_less = field(word, 30, 1) == 1;
                let value = match is_less {
                    true => Word::ZERO,
                    false => self.total(&a, &b, false, size)?,
                };
                state.flags = Self::flags_after(&a, &b, &value, is_less, size);
            }
            // Conditional selection.
            0x1a80_0000 => {
                let holds = self.arm_condition(state, field(word, 12, 4))?;
                let (a, b) = (self.x(state, rn).low(size), self.x(state, rm).low(size));
                let b = match (field(word, 30, 1), field(word, 10, 2)) {
                    (0, 0) => b,
                    (0, 1) => self.total(&b, &Word::Known(1), false, size)?,
                    (1, 0) => b.not().low(size),
                    (1, 1) => self.total(&Word::ZERO, &b, true, size)?,
                    _ => return Ok(false),
                };
                let value = match holds {
                    ONE => a,
                    ZERO => b,
                    _ => self.picked(state, holds, a, b)?,
                };
                self.set_x(state, rd, value.low(size));
            }
            // Of two sources, or of one.
            0x1ac0_0000 if field(word, 30, 1) == 0 && field(word, 29, 1) == 0 => {
                return self.of_two(state, word);
            }
            0x1ac0_0000 if field(word, 30, 1) == 1 && field(word, 29, 1) == 0 => {
                return self.of_one(state, word);
            }
            _ if word & 0x1f00_0000 == 0x1b00_0000 => return self.of_three(state, word),
            _ => return Ok(false),
        }
        Ok(true)
    }
}
