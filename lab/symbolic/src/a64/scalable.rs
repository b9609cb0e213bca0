//! SVE, where registers have 128 bits, the least that the architecture has (DDI 0487, C4.1.2): a
//! system may set any length, and a program has to do with each. What moves bits and counts is
//! carried out where predicates are known.

use super::{field, place};
use crate::bits::{Bit, Kind, Word, ZERO};
use crate::instructions::flags::Flags;
use crate::machine::{Machine, Stop};
use crate::state::State;

/// Bytes of a register.
const BYTES: u64 = 16;

/// Predicates, a bit for each byte of a register; none is known at first.
pub(crate) type Predicates = [Option<u16>; 16];

/// Bits of elements of so many bytes, for all that are there.
fn ones(each: u64) -> u16 {
    (0..BYTES)
        .step_by(each as usize)
        .fold(0, |all, at| all | 1 << at)
}

impl Machine<'_> {
    /// How many elements a pattern names, of elements of so many bytes.
    fn counted_elements(pattern: u32, each: u64) -> u64 {
        let all = BYTES / each;
        let up_to = |count: u64| if count <= all { count } else { 0 };
        match pattern {
            0 => 1 << (63 - all.leading_zeros()),
            1..=8 => up_to(u64::from(pattern)),
            9..=13 => up_to(16 << (pattern - 9)),
            29 => all / 4 * 4,
            30 => all / 3 * 3,
            31 => all,
            _ => 0,
        }
    }

    /// Flags of a predicate: whether the first is set, none is, and the last is not.
    fn predicated(value: Option<u16>, each: u64) -> Flags {
        let Some(value) = value else {
            return Flags::unknown(Kind::Opaque);
        };
        let value = value & ones(each);
        let is_first = value & 1 == 1;
        let is_none = value == 0;
        let is_last = value >> (BYTES - each) & 1 == 1;
        let result = match (is_first, is_none) {
            (true, _) => 1 << 63,
            (_, true) => 0,
            _ => 1,
        };
        // The carry, turned round, says that the last is set.
        Flags::Result(Word::Known(result), 8, Bit::from(is_last), ZERO)
    }

    /// One instruction of SVE; false if it is none of those known.
    pub(super) fn scalable(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let each = 1u64 << field(word, 22, 2);
        match word {
            // CNTB, CNTH, CNTW, CNTD
            _ if word & 0xff30_fc00 == 0x0420_e000 => {
                let count = Self::counted_elements(rn, each) * u64::from(field(word, 16, 4) + 1);
                self.set_x(state, rd, Word::Known(count));
            }
            // INCB, DECB and so on.
            _ if word & 0xff30_f800 == 0x0430_e000 => {
                let by = Self::counted_elements(rn, each) * u64::from(field(word, 16, 4) + 1);
                let old = self.x(state, rd);
                let is_less = field(word, 10, 1) == 1;
                let value = self.total(&old, &Word::Known(by), is_less, 8)?;
                self.set_x(state, rd, value);
            }
            // RDVL, ADDVL
            _ if word & 0xffff_f800 == 0x04bf_5000 || word & 0xffe0_f800 == 0x0420_5000 => {
                let by = karat_flow::a64::decode::signed(word, 5, 6) * BYTES as i64;
                let by = Word::Known(by as u64);
                if word & 0xffff_f800 == 0x04bf_5000 {
                    self.set_x(state, rd, by);
                    return Ok(true);
                }
                let value = self.total(&self.x_or_sp(state, rm), &by, false, 8)?;
                state.registers[place(rd)] = value;
            }
            // PTRUE, PTRUES
            _ if word & 0xff3e_fc10 == 0x2518_e000 => {
                let count = Self::counted_elements(rn, each);
                let value = (0..count).fold(0, |all, at| all | 1 << (at * each));
                state.predicates[field(word, 0, 4) as usize] = Some(value);
                if field(word, 16, 1) == 1 {
                    state.flags = Self::predicated(Some(value), each);
                }
            }
            // PFALSE
            _ if word & 0xffff_fff0 == 0x2518_e400 => {
                state.predicates[field(word, 0, 4) as usize] = Some(0);
            }
            // WHILELT, WHILELE, WHILELO, WHILELS
            _ if word & 0xff20_e400 == 0x2520_0400 => {
                let size = if field(word, 12, 1) == 1 { 8 } else { 4 };
                let (a, b) = (self.x(state, rn).low(size), self.x(state, rm).low(size));
                let (is_unsigned, is_equal) = (field(word, 11, 1) == 1, field(word, 4, 1) == 1);
                let value = match (a.number()?, b.number()?) {
                    (Some(a), Some(b)) => {
                        let wide = |value: u64| match (is_unsigned, size) {
                            (true, _) => i128::from(value),
                            (_, 4) => i128::from(value as u32 as i32),
                            _ => i128::from(value as i64),
                        };
                        let is_in = |at: u64| match wide(a) + i128::from(at) {
                            value if is_equal => value <= wide(b),
                            value => value < wide(b),
                        };
                        let all = (0..BYTES / each).take_while(|at| is_in(*at));
                        Some(all.fold(0, |all, at| all | 1 << (at * each)))
                    }
                    _ => None,
                };
                state.predicates[field(word, 0, 4) as usize] = value;
                state.flags = Self::predicated(value, each);
            }
            // PTEST
            _ if word & 0xffff_c210 == 0x2550_c000 => {
                let of = |number: u32| state.predicates[number as usize];
                let both = of(field(word, 10, 4)).zip(of(field(word, 5, 4)));
                state.flags = match both {
                    Some((by, value)) => Self::tested(by, value),
                    None => Flags::unknown(Kind::Opaque),
                };
            }
            // DUP of a register, and of a number.
            _ if word & 0xff3f_fc00 == 0x0520_3800 => {
                let value = self.x_or_sp(state, rn);
                let all = Self::repeated(&value, each as usize);
                state.vectors[rd as usize] = [all.clone(), all];
            }
            _ if word & 0xff3f_c000 == 0x2538_c000 => {
                let value = karat_flow::a64::decode::signed(word, 5, 8) << (8 * field(word, 13, 1));
                let all = Self::repeated(&Word::Known(value as u64), each as usize);
                state.vectors[rd as usize] = [all.clone(), all];
            }
            // MOVPRFX without a predicate.
            _ if word & 0xffff_fc00 == 0x0420_bc00 => {
                state.vectors[rd as usize] = state.vectors[rn as usize].clone();
            }
            // ADD and SUB without a predicate.
            _ if word & 0xff20_fc00 == 0x0420_0000 || word & 0xff20_fc00 == 0x0420_0400 => {
                let is_less = field(word, 10, 1) == 1;
                let (a, b) = (
                    state.vectors[rn as usize].clone(),
                    state.vectors[rm as usize].clone(),
                );
                state.vectors[rd as usize] = self.summed(&a, &b, each as usize, is_less);
            }
            // LD1 and ST1 of as many bytes in memory as in registers, LDR and STR.
            _ if word & 0xfe00_0000 == 0xa400_0000 || word & 0xfe00_0000 == 0xe400_0000 => {
                return self.contiguous(state, word);
            }
            _ if word & 0xffc0_e000 == 0x8580_4000 || word & 0xffc0_e000 == 0xe580_4000 => {
                let by = (field(word, 16, 6) << 3 | field(word, 10, 3)) << 23;
                let by = i64::from(by as i32 >> 23) * BYTES as i64;
                let to = self.total(&self.x_or_sp(state, rn), &Word::Known(by as u64), false, 8)?;
                let at = self.placed(&to)?;
                match word >> 29 {
                    0b111 => {
                        let value = state.vectors[rd as usize].clone();
                        self.stored(state, at, &value, BYTES as usize)?;
                    }
                    _ => state.vectors[rd as usize] = self.loaded(state, at, BYTES as usize)?,
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Flags of one predicate's elements that another has.
    fn tested(by: u16, value: u16) -> Flags {
        let first = if by == 0 { 0 } else { by.trailing_zeros() };
        let last = if by == 0 { 0 } else { 15 - by.leading_zeros() };
        let is_first = by != 0 && value >> first & 1 == 1;
        let is_none = by & value == 0;
        let is_last = by != 0 && value >> last & 1 == 1;
        let result = match (is_first, is_none) {
            (true, _) => 1 << 63,
            (_, true) => 0,
            _ => 1,
        };
        Flags::Result(Word::Known(result), 8, Bit::from(is_last), ZERO)
    }

    fn summed(&self, a: &[Word; 2], b: &[Word; 2], each: usize, is_less: bool) -> [Word; 2] {
        let one = |a: &Word, b: &Word| match (a.known(), b.known()) {
            (Some(a), Some(b)) => {
                let (a, b) = (u128::from(a), u128::from(b));
                let (a, b) = (
                    super::lanes::split(a, each, 8),
                    super::lanes::split(b, each, 8),
                );
                let all = a.iter().zip(&b).map(|(a, b)| match is_less {
                    true => a.wrapping_sub(*b),
                    false => a.wrapping_add(*b),
                });
                Word::Known(super::lanes::join(&all.collect::<Vec<u64>>(), each) as u64)
            }
            _ => Word::unknown(8, a.kind().or(b.kind()).unwrap_or(Kind::Opaque)),
        };
        [one(&a[0], &b[0]), one(&a[1], &b[1])]
    }

    /// Contiguous loads and stores, of which elements are that a predicate has.
    fn contiguous(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let is_load = word >> 29 == 0b101;
        let kind = field(word, 21, 4);
        // As many bytes in memory as in registers.
        let each = match kind {
            0b0000 => 1,
            0b0101 => 2,
            0b1010 => 4,
            0b1111 => 8u64,
            _ => return self.no_transfer(state, rd, is_load),
        };
        let scale = each.trailing_zeros() as usize;
        let by = match (is_load, field(word, 13, 3)) {
            // By a register.
            (true, 0b010) | (false, 0b010) => self.x(state, rm).left(scale),
            // By a number of registers.
            (true, 0b101) if field(word, 20, 1) == 0 => {
                let by = karat_flow::a64::decode::signed(word, 16, 4) * BYTES as i64;
                Word::Known(by as u64)
            }
            (false, 0b111) if field(word, 20, 1) == 0 => {
                let by = karat_flow::a64::decode::signed(word, 16, 4) * BYTES as i64;
                Word::Known(by as u64)
            }
            _ => return self.no_transfer(state, rd, is_load),
        };
        let to = self.total(&self.x_or_sp(state, rn), &by, false, 8)?;
        let at = self.placed(&to)?;
        let predicate = state.predicates[field(word, 10, 3) as usize];
        let Some(predicate) = predicate else {
            return self.no_transfer(state, rd, is_load);
        };
        let has = |element: u64| predicate >> (element * each) & 1 == 1;
        let old = state.vectors[rd as usize].clone();
        let mut value = [Word::ZERO, Word::ZERO];
        for element in (0..BYTES / each).filter(|element| has(*element)) {
            let bit = (element * each * 8) as usize;
            let place = at.map(|at| at.wrapping_add(element * each));
            if is_load {
                let [one, _] = self.loaded(state, place, each as usize)?;
                value[bit / 64] = value[bit / 64].with(&one, bit % 64, each as usize);
            } else {
                let one = old[bit / 64].right(bit % 64).low(each as usize);
                self.stored(state, place, &[one, Word::ZERO], each as usize)?;
            }
        }
        if is_load {
            state.vectors[rd as usize] = value;
        }
        Ok(true)
    }

    fn no_transfer(&self, state: &mut State, rd: u32, is_load: bool) -> Result<bool, Stop> {
        match is_load {
            true => {
                state.vectors[rd as usize] = [const { Word::Unknown(64, Kind::Opaque) }; 2];
            }
            false => state.is_unsure = true,
        }
        Ok(true)
    }
}
