//! Instructions on general registers that go by one, two or three of them: shifts, quotients,
//! checksums, bits that are turned or counted, products.

use super::{field, width};
use crate::bits::{Kind, ONE, Word, ZERO};
use crate::machine::{Machine, Stop};
use crate::state::State;

/// A checksum with some bytes more, by a polynomial whose bits are turned round.
fn checked(mut sum: u32, value: u64, count: usize, polynomial: u32) -> u32 {
    for byte in &value.to_le_bytes()[..count] {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { polynomial } else { 0 };
        }
    }
    sum
}

impl Machine<'_> {
    pub(super) fn of_two(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let size = width(word);
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let (a, b) = (self.x(state, rn).low(size), self.x(state, rm).low(size));
        let kind = [a.kind(), b.kind()].into_iter().flatten().min();
        let opcode = field(word, 10, 6);
        let value = match opcode {
            8..=11 => match b.number()? {
                Some(by) => {
                    let by = (by % (size as u64 * 8)) as usize;
                    Self::shifted(&a, opcode & 3, by, size)
                }
                None => Word::unknown(size, kind.unwrap_or(Kind::Opaque)),
            },
            2 | 3 => match (kind, opcode) {
                (Some(kind), _) => Word::unknown(size, kind),
                _ => match (a.number()?, b.number()?) {
                    (Some(_), Some(0)) => Word::ZERO,
                    (Some(a), Some(b)) if opcode == 2 => Word::Known(a / b),
                    (Some(a), Some(b)) => {
                        let of =
                            |value| Word::Known(value).signed(size).known().unwrap_or(0) as i64;
                        Word::Known(of(a).wrapping_div(of(b)) as u64).low(size)
                    }
                    _ => Word::unknown(size, Kind::Opaque),
                },
            },
            // CRC32 of a byte up to eight, and of Castagnoli's polynomial.
            16..=23 => match (a.known(), self.x(state, rm).known()) {
                (Some(a), Some(b)) => {
                    let count = 1 << (opcode & 3);
                    let polynomial = if opcode & 4 == 0 {
                        0xedb8_8320
                    } else {
                        0x82f6_3b78
                    };
                    Word::Known(u64::from(checked(a as u32, b, count, polynomial)))
                }
                _ => Word::unknown(4, kind.unwrap_or(Kind::Opaque)),
            },
            _ => return Ok(false),
        };
        self.set_x(state, rd, value);
        Ok(true)
    }

    pub(super) fn of_one(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let size = width(word);
        let bits = size * 8;
        let a = self.x(state, field(word, 5, 5)).low(size);
        // By bytes of a part: the place that a bit comes from.
        let turned = |part: usize| {
            Word::from_bits(std::array::from_fn(|at| match at < bits {
                true => {
                    let (first, within) = (at / part * part, at % part);
                    a.bit(first + (part - 8 - within / 8 * 8) + within % 8)
                }
                false => ZERO,
            }))
        };
        let value = match field(word, 10, 11) {
            0 => Word::from_bits(std::array::from_fn(|at| match at < bits {
                true => a.bit(bits - 1 - at),
                false => ZERO,
            })),
            1 => turned(16),
            2 => turned(32),
            3 => turned(64),
            4 | 5 => {
                // What lies below the highest bit that is set does not count.
                let highest = (0..bits).rev().find(|at| a.bit(*at) != ZERO);
                let known = match highest {
                    None => Some(0),
                    Some(at) if a.bit(at) == ONE => Some(1u64 << at),
                    _ if a.kind().is_some() => None,
                    _ => a.number()?,
                };
                match known {
                    Some(value) if field(word, 10, 1) == 0 => {
                        Word::Known(u64::from(value.leading_zeros()) - (64 - bits as u64))
                    }
                    _ => match a.known() {
                        Some(value) if field(word, 10, 1) == 1 => {
                            let wide = Word::Known(value).signed(size).known().unwrap_or(0);
                            let same = (wide ^ (wide << 1)).leading_zeros().min(63);
                            Word::Known(u64::from(same) - (64 - bits as u64))
                        }
                        _ => Word::unknown(1, a.kind().unwrap_or(Kind::Opaque)),
                    },
                }
            }
            _ => return Ok(false),
        };
        self.set_x(state, field(word, 0, 5), value);
        Ok(true)
    }

    pub(super) fn of_three(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let size = width(word);
        let (rn, rm, ra) = (field(word, 5, 5), field(word, 16, 5), field(word, 10, 5));
        let kind = field(word, 21, 3);
        let (a, b) = (self.x(state, rn), self.x(state, rm));
        // Halves that are multiplied as a whole register, and the higher half of a product.
        let part = |value: &Word| match kind {
            0 => value.low(size),
            1 => value.low(4).signed(4),
            5 => value.low(4),
            _ => value.clone(),
        };
        let (a, b) = (part(&a), part(&b));
        let unknown = [a.kind(), b.kind()].into_iter().flatten().min();
        let product = match (unknown, &a, &b) {
            (_, Word::Known(0), _) | (_, _, Word::Known(0)) => Word::ZERO,
            (_, _, Word::Known(by)) if by.is_power_of_two() && kind == 0 => {
                a.left(by.trailing_zeros() as usize).low(size)
            }
            (_, Word::Known(by), _) if by.is_power_of_two() && kind == 0 => {
                b.left(by.trailing_zeros() as usize).low(size)
            }
            (Some(kind), ..) => Word::unknown(8, kind),
            _ => match (a.number()?, b.number()?) {
                (Some(a), Some(b)) => Word::Known(match kind {
                    2 => ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64,
                    6 => ((u128::from(a) * u128::from(b)) >> 64) as u64,
                    _ => a.wrapping_mul(b),
                }),
                _ => Word::unknown(8, Kind::Opaque),
            },
        };
        let value = match kind {
            2 | 6 => product,
            0 | 1 | 5 => {
                let add = self.x(state, ra).low(size);
                self.total(&add, &product.low(size), field(word, 15, 1) == 1, size)?
            }
            _ => return Ok(false),
        };
        self.set_x(state, field(word, 0, 5), value);
        Ok(true)
    }
}
