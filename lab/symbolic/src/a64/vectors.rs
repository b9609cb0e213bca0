//! Instructions on vector registers (DDI 0487, C4.1.96): what moves bits keeps symbols, what
//! computes with elements or floating-point numbers is carried out where all is known.

use super::floats::{double, real, real_of, single, whole_of};
use super::{field, lanes};
use crate::bits::{Kind, Word, ZERO, mask};
use crate::machine::{Machine, Stop};
use crate::state::State;

pub(super) type Pair = [Word; 2];

pub(super) fn pair(value: u128) -> Pair {
    [Word::Known(value as u64), Word::Known((value >> 64) as u64)]
}

pub(super) fn known(value: &Pair) -> Option<u128> {
    let [low, high] = [value[0].known()?, value[1].known()?];
    Some(u128::from(low) | u128::from(high) << 64)
}

pub(super) fn unknown(of: &[&Pair]) -> Pair {
    let kinds = of
        .iter()
        .flat_map(|pair| pair.iter().filter_map(Word::kind));
    let kind = kinds.min().unwrap_or(Kind::Opaque);
    [Word::Unknown(64, kind), Word::Unknown(64, kind)]
}

/// Bytes of an element, by the lowest bit that is set of `imm5`, and which it is.
fn element(imm5: u32) -> Option<(usize, usize)> {
    let scale = imm5.trailing_zeros();
    (scale < 4).then(|| (1 << scale, (imm5 >> (scale + 1)) as usize))
}

/// An element of a register.
pub(super) fn part(value: &Pair, each: usize, number: usize) -> Word {
    let bit = number * each * 8;
    value[bit / 64 % 2].right(bit % 64).low(each)
}

/// Elements put together.
pub(super) fn together(parts: impl Iterator<Item = Word>, each: usize) -> Pair {
    let mut out = [Word::ZERO, Word::ZERO];
    for (at, word) in parts.enumerate() {
        let bit = at * each * 8;
        if bit < 128 {
            out[bit / 64] = out[bit / 64].with(&word, bit % 64, each);
        }
    }
    out
}

impl Machine<'_> {
    pub(super) fn v(&self, state: &State, number: u32) -> Pair {
        let own = state.vectors[number as usize].clone();
        own.map(|word| state.plain(&self.symbols, word))
    }

    /// One element in all places of a word.
    pub(super) fn repeated(one: &Word, each: usize) -> Word {
        let mut all = Word::ZERO;
        for at in 0..8 / each {
            all = all.with(one, at * each * 8, each);
        }
        all
    }

    /// One instruction; false if it is none of those known.
    pub(super) fn vector(&mut self, state: &mut State, word: u32) -> Result<bool, Stop> {
        if word & 0x5e00_0000 == 0x1e00_0000 {
            return self.floating(state, word);
        }
        let (rd, rn, rm) = (field(word, 0, 5), field(word, 5, 5), field(word, 16, 5));
        let is_whole = field(word, 30, 1) == 1;
        let bytes = if is_whole { 16 } else { 8 };
        let (n, m) = (self.v(state, rn), self.v(state, rm));
        let cut = |value: Pair| match is_whole {
            true => value,
            false => [value[0].clone(), Word::ZERO],
        };
        let u = field(word, 29, 1) == 1;
        let each = 1usize << field(word, 22, 2);
        let opcode = field(word, 11, 5);
        let value = match word {
            // Dot products, products of matrices, and SHA-3's logic.
            _ if let Some(value) = self.products(state, word) => value,
            _ if let Some(value) = self.taken_apart(state, word) => value,
            // Copies.
            _ if word & 0x9fe0_8400 == 0x0e00_0400 => {
                let imm4 = field(word, 11, 4);
                let Some((each, number)) = element(field(word, 16, 5)) else {
                    return Ok(false);
                };
                match (u, imm4) {
                    (false, 0) => {
                        let all = Self::repeated(&part(&n, each, number), each);
                        cut([all.clone(), all])
                    }
                    (false, 1) => {
                        let all = Self::repeated(&self.x(state, rn), each);
                        cut([all.clone(), all])
                    }
                    (false, 5 | 7) => {
                        let one = part(&n, each, number);
                        let to = if is_whole { 8 } else { 4 };
                        let one = if imm4 == 5 {
                            one.signed(each).low(to)
                        } else {
                            one
                        };
                        self.set_x(state, rd, one);
                        return Ok(true);
                    }
                    (false, 3) => {
                        let mut own = self.v(state, rd);
                        let bit = number * each * 8;
                        let one = self.x(state, rn);
                        own[bit / 64] = own[bit / 64].with(&one, bit % 64, each);
                        own
                    }
                    (true, from) => {
                        let mut own = self.v(state, rd);
                        let bit = number * each * 8;
                        let one = part(&n, each, from as usize / each);
                        own[bit / 64] = own[bit / 64].with(&one, bit % 64, each);
                        own
                    }
                    _ => return Ok(false),
                }
            }
            // One element as a scalar.
            _ if word & 0xffe0_fc00 == 0x5e00_0400 => match element(field(word, 16, 5)) {
                Some((each, number)) => [part(&n, each, number), Word::ZERO],
                None => return Ok(false),
            },
            // SCVTF, UCVTF, FCVTZS and FCVTZU of one element.
            _ if word & 0xdfbf_fc00 == 0x5e21_d800 || word & 0xdfbf_fc00 == 0x5ea1_b800 => {
                let kind = field(word, 22, 1);
                let size = if kind == 0 { 4 } else { 8 };
                let one = n[0].low(size);
                let value = match (one.known(), word & 0x0080_0000 == 0) {
                    (Some(value), true) => real_of(value, (kind, size), u),
                    (Some(_), false) => real(&one, kind).map_or(0, |it| whole_of(it, size, u)),
                    (None, _) => {
                        state.vectors[rd as usize] = unknown(&[&n]);
                        return Ok(true);
                    }
                };
                [Word::Known(value), Word::ZERO]
            }
            // ADDP of two elements.
            _ if word & 0xffff_fc00 == 0x5ef1_b800 => {
                [self.total(&n[0], &n[1], false, 8)?, Word::ZERO]
            }
            // A number in the instruction, or shifts by one.
            _ if word & 0x9ff8_0400 == 0x0f00_0400 => return self.modified(state, word),
            _ if word & 0x9f80_0400 == 0x0f00_0400 => match self.shifts(state, word) {
                Some(value) => value,
                None => return Ok(false),
            },
            _ if word & 0xdf80_0400 == 0x5f00_0400 && field(word, 22, 1) == 1 => {
                let by = field(word, 16, 7) as usize;
                match (u, opcode) {
                    (false, 0b01010) => [n[0].left(by - 64), Word::ZERO],
                    (_, 0) => {
                        let kind = if u { 1 } else { 2 };
                        [
                            Self::shifted(&n[0], kind, (128 - by).min(63), 8),
                            Word::ZERO,
                        ]
                    }
                    _ => return Ok(false),
                }
            }
            // Bitwise.
            _ if word & 0x9f20_fc00 == 0x0e20_1c00 => {
                let own = self.v(state, rd);
                let mut out = [Word::ZERO, Word::ZERO];
                for (at, out) in out.iter_mut().enumerate().take(bytes / 8) {
                    let (a, b, d) = (&n[at], &m[at], &own[at]);
                    *out = match (u, field(word, 22, 2)) {
                        (false, 0) => a.and(b)?,
                        (false, 1) => a.and(&b.not())?,
                        (false, 2) if rn == rm => a.clone(),
                        (false, 2) => a.or(b)?,
                        (false, _) => a.or(&b.not())?,
                        (true, 0) if rn == rm => Word::ZERO,
                        (true, 0) => a.xor(b)?,
                        // BSL, BIT, BIF
                        (true, 1) => d.and(a)?.or(&d.not().and(b)?)?,
                        (true, 2) => b.and(a)?.or(&b.not().and(d)?)?,
                        (true, _) => b.not().and(a)?.or(&b.and(d)?)?,
                    };
                }
                out
            }
            // Permutations.
            _ if word & 0xbf20_8c00 == 0x0e00_0800 => {
                let count = bytes / each;
                let kind = field(word, 12, 3);
                let second = (kind >> 2) as usize;
                let from = |at: usize| {
                    let (is_m, number) = match kind & 3 {
                        1 => (at >= count / 2, at % (count / 2) * 2 + second),
                        2 => (at % 2 == 1, at / 2 * 2 + second),
                        _ => (at % 2 == 1, at / 2 + second * count / 2),
                    };
                    part(if is_m { &m } else { &n }, each, number)
                };
                if kind & 3 == 0 || count < 2 {
                    return Ok(false);
                }
                together((0..count).map(from), each)
            }
            // EXT
            _ if word & 0xbfe0_8400 == 0x2e00_0000 => {
                let first = field(word, 11, 4) as usize;
                let from = |at: usize| match at + first {
                    at if at < bytes => part(&n, 1, at),
                    at => part(&m, 1, at - bytes),
                };
                together((0..bytes).map(from), 1)
            }
            // Three registers of one width: additions with zero and the like need no numbers.
            _ if word & 0x9f20_0400 == 0x0e20_0400 => {
                let own = self.v(state, rd);
                match (known(&n), known(&m), known(&own)) {
                    (Some(a), Some(b), old) => {
                        let old = old.or((opcode != 0b10010).then_some(0));
                        match old.and_then(|old| Self::same(word, (a, b, old))) {
                            Some(value) => pair(value),
                            None => return Ok(false),
                        }
                    }
                    _ => unknown(&[&n, &m]),
                }
            }
            // Of other widths than what they give.
            _ if word & 0x9f20_0c00 == 0x0e20_0000 => {
                let own = self.v(state, rd);
                match (known(&n), known(&m), known(&own)) {
                    (Some(a), Some(b), Some(old)) => match Self::different(word, (a, b, old)) {
                        Some(value) => pair(value),
                        None => return Ok(false),
                    },
                    _ => unknown(&[&n, &m, &own]),
                }
            }
            _ if word & 0x9f3e_0c00 == 0x0e20_0800 => match self.of_one_vector(state, word) {
                Some(value) => value,
                None => return Ok(false),
            },
            // Across a register.
            _ if word & 0x9f3e_0c00 == 0x0e30_0800 => {
                let Some(value) = known(&n) else {
                    state.vectors[rd as usize] = unknown(&[&n]);
                    return Ok(true);
                };
                let all = lanes::split(value, each, bytes);
                let signed = || all.iter().map(|one| lanes::signed(*one, each));
                let one = match (u, field(word, 12, 5)) {
                    (false, 0b11011) => all.iter().fold(0, |sum: u64, one| sum.wrapping_add(*one)),
                    (true, 0b00011) => all.iter().sum(),
                    (false, 0b00011) => {
                        let sum = signed().sum::<i64>() as u64 & mask(each * 2);
                        state.vectors[rd as usize] = [Word::Known(sum), Word::ZERO];
                        return Ok(true);
                    }
                    (true, 0b01010) => all.iter().copied().max().unwrap_or(0),
                    (true, 0b11010) => all.iter().copied().min().unwrap_or(0),
                    (false, 0b01010) => signed().max().unwrap_or(0) as u64,
                    (false, 0b11010) => signed().min().unwrap_or(0) as u64,
                    _ => return Ok(false),
                };
                let size = if field(word, 12, 5) == 0b00011 {
                    each * 2
                } else {
                    each
                };
                [Word::Known(one & mask(size)), Word::ZERO]
            }
            _ => return Ok(false),
        };
        state.vectors[rd as usize] = value;
        Ok(true)
    }

    /// *Three same*, of elements one by one or of pairs beside each other.
    fn same(word: u32, (a, b, old): (u128, u128, u128)) -> Option<u128> {
        let bytes = if field(word, 30, 1) == 1 { 16 } else { 8 };
        let each = 1usize << field(word, 22, 2);
        let (u, opcode) = (field(word, 29, 1) == 1, field(word, 11, 5));
        let [a, b, old] = [a, b, old].map(|value| lanes::split(value, each, bytes));
        // ADDP, and the greatest or the least of pairs.
        let of_pairs = match opcode {
            0b10111 => Some((false, 0b10000)),
            0b10100 => Some((u, 0b01100)),
            0b10101 => Some((u, 0b01101)),
            _ => None,
        };
        let out: Option<Vec<u64>> = match of_pairs {
            Some(kind) => {
                let both = [a, b].concat();
                let pairs = both.chunks_exact(2);
                pairs
                    .map(|two| lanes::three_same(kind, each, (two[0], two[1], 0)))
                    .collect()
            }
            None => {
                let all = a.iter().zip(&b).zip(&old);
                all.map(|((a, b), old)| lanes::three_same((u, opcode), each, (*a, *b, *old)))
                    .collect()
            }
        };
        Some(lanes::join(&out?, each))
    }

    fn different(word: u32, (a, b, old): (u128, u128, u128)) -> Option<u128> {
        let each = 1usize << field(word, 22, 2);
        let (u, opcode) = (field(word, 29, 1) == 1, field(word, 12, 4));
        if each == 8 {
            return None;
        }
        let half = |value: u128| value >> (64 * field(word, 30, 1));
        let wide = |one: u64| match u {
            true => one,
            false => lanes::signed(one, each) as u64,
        };
        let narrow = |value| lanes::split(half(value), each, 8).into_iter().map(wide);
        let old = lanes::split(old, each * 2, 16);
        let first: Vec<u64> = match opcode {
            1 | 3 => lanes::split(a, each * 2, 16),
            _ => narrow(a).collect(),
        };
        let all = first.iter().zip(narrow(b)).zip(old);
        let out: Option<Vec<u64>> = all
            .map(|((a, b), old)| {
                Some(match opcode {
                    0 | 1 => a.wrapping_add(b),
                    2 | 3 => a.wrapping_sub(b),
                    8 => old.wrapping_add(a.wrapping_mul(b)),
                    10 => old.wrapping_sub(a.wrapping_mul(b)),
                    12 => a.wrapping_mul(b),
                    7 => (*a as i64).abs_diff(b as i64),
                    5 => old.wrapping_add((*a as i64).abs_diff(b as i64)),
                    _ => return None,
                })
            })
            .collect();
        Some(lanes::join(&out?, each * 2))
    }

    /// MOVI and its like, ORR and BIC with a number.
    fn modified(&self, state: &mut State, word: u32) -> Result<bool, Stop> {
        let imm8 = u64::from(field(word, 16, 3) << 5 | field(word, 5, 5));
        let (op, cmode) = (field(word, 29, 1), field(word, 12, 4));
        let rd = field(word, 0, 5);
        let twice = |value: u64| value | value << 32;
        let four = |value: u64| twice(value | value << 16);
        let value = match (op, cmode) {
            (_, 0..8) => twice(imm8 << (8 * (cmode >> 1))),
            (_, 8..12) => four(imm8 << (8 * (cmode >> 1 & 1))),
            (_, 12) => twice(imm8 << 8 | 0xff),
            (_, 13) => twice(imm8 << 16 | 0xffff),
            (0, 14) => imm8 * 0x0101_0101_0101_0101,
            (_, 14) => (0..8).fold(0, |all, at| all | ((imm8 >> at & 1) * 0xff) << (at * 8)),
            (0, _) => twice(u64::from(single(imm8))),
            _ => double(imm8),
        };
        let own = self.v(state, rd);
        let is_changed = cmode < 12 && cmode & 1 == 1;
        let one = |old: &Word| {
            Ok::<Word, Stop>(match (is_changed, op) {
                (true, 0) => old.or(&Word::Known(value))?,
                (true, _) => old.and(&Word::Known(!value))?,
                (false, 1) if cmode < 14 => Word::Known(!value),
                _ => Word::Known(value),
            })
        };
        let low = one(&own[0])?;
        let high = match field(word, 30, 1) {
            1 => one(&own[1])?,
            _ => Word::ZERO,
        };
        state.vectors[rd as usize] = [low, high];
        Ok(true)
    }

    /// Shifts by a number: bits are moved.
    fn shifts(&self, state: &State, word: u32) -> Option<Pair> {
        let (u, opcode) = (field(word, 29, 1) == 1, field(word, 11, 5));
        let number = field(word, 16, 7) as usize;
        let each = 1usize << (31 - field(word, 19, 4).leading_zeros());
        let bits = each * 8;
        let n = self.v(state, field(word, 5, 5));
        let is_whole = field(word, 30, 1) == 1;
        let bytes = if is_whole { 16 } else { 8 };
        Some(match (u, opcode) {
            (false, 0b01010) => {
                let by = number - bits;
                let all = (0..bytes / each).map(|at| part(&n, each, at).left(by).low(each));
                together(all, each)
            }
            (_, 0b00000) => {
                let by = 2 * bits - number;
                let all = (0..bytes / each).map(|at| {
                    let one = part(&n, each, at);
                    match u {
                        true => one.right(by),
                        false => Word::from_bits(std::array::from_fn(|bit| match bit {
                            _ if bit >= bits => ZERO,
                            _ => one.bit((bit + by).min(bits - 1)),
                        })),
                    }
                });
                together(all, each)
            }
            // USHLL, SSHLL
            (_, 0b10100) if each < 8 => {
                let by = number - bits;
                let first = if is_whole { 8 / each } else { 0 };
                let all = (0..8 / each).map(|at| {
                    let one = part(&n, each, first + at);
                    let one = if u { one } else { one.signed(each) };
                    one.left(by).low(each * 2)
                });
                together(all, each * 2)
            }
            // SHRN
            (false, 0b10000) if each < 8 => {
                let by = 2 * bits - number;
                let all = (0..8 / each).map(|at| part(&n, each * 2, at).right(by).low(each));
                let [low, _] = together(all, each);
                match is_whole {
                    true => [self.v(state, field(word, 0, 5))[0].clone(), low],
                    false => [low, Word::ZERO],
                }
            }
            _ => return None,
        })
    }

    /// *Two-register miscellaneous*.
    fn of_one_vector(&self, state: &State, word: u32) -> Option<Pair> {
        let n = self.v(state, field(word, 5, 5));
        let (u, opcode) = (field(word, 29, 1) == 1, field(word, 12, 5));
        let is_whole = field(word, 30, 1) == 1;
        let bytes = if is_whole { 16 } else { 8 };
        let each = 1usize << field(word, 22, 2);
        // XTN
        if (u, opcode) == (false, 0b10010) && each < 8 {
            let all = (0..8 / each).map(|at| part(&n, each * 2, at).low(each));
            let [low, _] = together(all, each);
            return Some(match is_whole {
                true => [self.v(state, field(word, 0, 5))[0].clone(), low],
                false => [low, Word::ZERO],
            });
        }
        // REV64, REV32, REV16: elements change places within a part.
        let within = match (u, opcode) {
            (false, 0) => 8,
            (true, 0) => 4,
            (false, 1) => 2,
            _ => 0,
        };
        if within > each {
            let count = within / each;
            let from = |at: usize| part(&n, each, at / count * count + count - 1 - at % count);
            return Some(together((0..bytes / each).map(from), each));
        }
        // NOT
        if (u, opcode, each) == (true, 0b00101, 1) {
            let high = if is_whole { n[1].not() } else { Word::ZERO };
            return Some([n[0].not(), high]);
        }
        let Some(value) = known(&n) else {
            return Some(unknown(&[&n]));
        };
        let all = lanes::split(value, each, bytes);
        // UADDLP, SADDLP
        if opcode == 0b00010 && each < 8 {
            let wide = |one: u64| match u {
                true => one,
                false => lanes::signed(one, each) as u64,
            };
            let pairs = all.chunks_exact(2);
            let sums: Vec<u64> = pairs
                .map(|two| wide(two[0]).wrapping_add(wide(two[1])))
                .collect();
            return Some(pair(lanes::join(&sums, each * 2)));
        }
        let out: Option<Vec<u64>> = all
            .iter()
            .map(|one| lanes::miscellaneous((u, opcode), each, *one))
            .collect();
        Some(pair(lanes::join(&out?, each)))
    }
}
