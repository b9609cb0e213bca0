//! Floating-point numbers in vector registers, and what moves between these and general registers
//! (DDI 0487, C4.1.96, *Floating-point*).

use super::integers::compared;
use super::vectors::{Pair, unknown};
use super::{field, lanes};
use crate::bits::{Kind, ONE, Word, ZERO};
use crate::machine::{Machine, Stop};
use crate::state::State;

impl Machine<'_> {
    /// Floating-point numbers.
    pub(super) fn floating(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let kind = field(word, 22, 2);
        let (n, m) = (self.v(state, rn), self.v(state, rm));
        // Between general registers and these.
        if word & 0x5f20_fc00 == 0x1e20_0000 {
            let size = super::width(word);
            match (kind, field(word, 16, 5)) {
                (0 | 1, 0b00110) => self.set_x(state, rd, n[0].low(size)),
                (0 | 1, 0b00111) => {
                    let value = self.x(state, rn).low(size);
                    state.vectors[rd as usize] = [value, Word::ZERO];
                }
                (2, 0b01110) => self.set_x(state, rd, n[1].clone()),
                (2, 0b01111) => {
                    let low = self.v(state, rd)[0].clone();
                    state.vectors[rd as usize] = [low, self.x(state, rn)];
                }
                (0 | 1, 0b00010 | 0b00011) => {
                    let value = self.x(state, rn).low(size);
                    let is_unsigned = field(word, 16, 1) == 1;
                    let word = match value.known() {
                        Some(value) => Word::Known(real_of(value, (kind, size), is_unsigned)),
                        None => Word::unknown(8, value.kind().unwrap_or(Kind::Opaque)),
                    };
                    state.vectors[rd as usize] = [word, Word::ZERO];
                }
                (0 | 1, 0b11000 | 0b11001) => {
                    let is_unsigned = field(word, 16, 1) == 1;
                    let value = real(&n[0], kind).map(|number| whole_of(number, size, is_unsigned));
                    let of = n[0].kind().unwrap_or(Kind::Opaque);
                    let value = value.map_or(Word::unknown(size, of), Word::Known);
                    self.set_x(state, rd, value);
                }
                _ => return Ok(false),
            }
            return Ok(true);
        }
        if kind > 1 {
            return Ok(false);
        }
        let put = |value: Option<f64>, of: &[&Pair]| match (value, kind) {
            (Some(value), 0) => [Word::Known(u64::from((value as f32).to_bits())), Word::ZERO],
            (Some(value), _) => [Word::Known(value.to_bits()), Word::ZERO],
            (None, _) => [unknown(of)[0].clone(), Word::ZERO],
        };
        let (a, b) = (real(&n[0], kind), real(&m[0], kind));
        let value = match word {
            _ if word & 0x5f20_1fe0 == 0x1e20_1000 => {
                let imm8 = u64::from(field(word, 13, 8));
                let value = match kind {
                    0 => u64::from(single(imm8)),
                    _ => double(imm8),
                };
                [Word::Known(value), Word::ZERO]
            }
            _ if word & 0x5f20_fc07 == 0x1e20_2000 => {
                let b = if field(word, 3, 1) == 1 { Some(0.0) } else { b };
                state.flags = match (a, b) {
                    (Some(a), Some(b)) => compared(a, b),
                    _ => {
                        let kinds = [n[0].kind(), m[0].kind()].into_iter().flatten().min();
                        crate::instructions::flags::Flags::unknown(kinds.unwrap_or(Kind::Opaque))
                    }
                };
                return Ok(true);
            }
            _ if word & 0x5f20_7c00 == 0x1e20_4000 => match field(word, 15, 6) {
                0 => [n[0].low(if kind == 0 { 4 } else { 8 }), Word::ZERO],
                1 => put(a.map(f64::abs), &[&n]),
                2 => put(a.map(|a| -a), &[&n]),
                3 => put(a.map(f64::sqrt), &[&n]),
                4 if kind == 1 => match a {
                    Some(a) => [Word::Known(u64::from((a as f32).to_bits())), Word::ZERO],
                    None => [unknown(&[&n])[0].low(4), Word::ZERO],
                },
                5 if kind == 0 => match a {
                    Some(a) => [Word::Known(a.to_bits()), Word::ZERO],
                    None => [unknown(&[&n])[0].clone(), Word::ZERO],
                },
                _ => return Ok(false),
            },
            _ if word & 0x5f20_0c00 == 0x1e20_0800 => {
                let both = a.zip(b);
                let value = match field(word, 12, 4) {
                    0 => both.map(|(a, b)| a * b),
                    1 => both.map(|(a, b)| a / b),
                    2 => both.map(|(a, b)| a + b),
                    3 => both.map(|(a, b)| a - b),
                    6 => both.map(|(a, b)| a.max(b)),
                    7 => both.map(|(a, b)| a.min(b)),
                    8 => both.map(|(a, b)| -(a * b)),
                    _ => return Ok(false),
                };
                put(value, &[&n, &m])
            }
            _ if word & 0x5f20_0c00 == 0x1e20_0c00 => {
                let holds = self.arm_condition(state, field(word, 12, 4))?;
                let value = match holds {
                    ONE => n[0].clone(),
                    ZERO => m[0].clone(),
                    _ => self.picked(state, holds, n[0].clone(), m[0].clone())?,
                };
                [value, Word::ZERO]
            }
            _ if word & 0x5f00_0000 == 0x1f00_0000 && kind == 1 => {
                let c = self.v(state, field(word, 10, 5));
                let all = a.zip(b).zip(real(&c[0], kind));
                let value = all.map(
                    |((a, b), c)| match (field(word, 21, 1), field(word, 15, 1)) {
                        (0, 0) => a.mul_add(b, c),
                        (0, _) => (-a).mul_add(b, c),
                        (_, 0) => (-a).mul_add(b, -c),
                        _ => a.mul_add(b, -c),
                    },
                );
                put(value, &[&n, &m, &c])
            }
            _ => return Ok(false),
        };
        state.vectors[rd as usize] = value;
        Ok(true)
    }
}

/// A whole number of so many bytes as a floating-point number of one of two kinds.
pub(super) fn real_of(value: u64, (kind, size): (u32, usize), is_unsigned: bool) -> u64 {
    let signed = lanes::signed(value, size);
    match (kind, is_unsigned) {
        (0, true) => u64::from((value as f32).to_bits()),
        (0, _) => u64::from((signed as f32).to_bits()),
        (_, true) => (value as f64).to_bits(),
        _ => (signed as f64).to_bits(),
    }
}

/// The other way round, towards zero, and the nearest that there is.
pub(super) fn whole_of(number: f64, size: usize, is_unsigned: bool) -> u64 {
    match (is_unsigned, size) {
        (true, 4) => u64::from(number as u32),
        (true, _) => number as u64,
        (_, 4) => u64::from(number as i32 as u32),
        _ => number as i64 as u64,
    }
}

/// A number of one of two kinds, as one of the wider.
pub(super) fn real(word: &Word, kind: u32) -> Option<f64> {
    match kind {
        0 => Some(f64::from(f32::from_bits(word.low(4).known()? as u32))),
        _ => Some(f64::from_bits(word.known()?)),
    }
}

/// What eight bits of an instruction are as a number (`VFPExpandImm`).
pub(super) fn single(imm8: u64) -> u32 {
    let (sign, not, same) = (imm8 >> 7 & 1, !imm8 >> 6 & 1, imm8 >> 6 & 1);
    (sign << 31 | not << 30 | (same * 0x1f) << 25 | (imm8 & 0x3f) << 19) as u32
}

pub(super) fn double(imm8: u64) -> u64 {
    let (sign, not, same) = (imm8 >> 7 & 1, !imm8 >> 6 & 1, imm8 >> 6 & 1);
    sign << 63 | not << 62 | (same * 0xff) << 54 | (imm8 & 0x3f) << 48
}
