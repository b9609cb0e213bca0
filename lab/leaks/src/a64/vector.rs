//! Vector registers, as far as answers go through them: compilers fill structures of flags by
//! vectors. Bits that are moved keep what they tell; what is computed otherwise does not.
//!
//! Source: Arm Architecture Reference Manual (DDI 0487), C4.1, "Data processing - Scalar
//! Floating-Point and Advanced SIMD".

use super::features::ALL;
use super::state::State;
use super::value::{Bits, Logic, Val};
use std::rc::Rc;

/// What a vector register holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Vector {
    /// Anything; opaque if it may be an answer of the CPU.
    Top { opaque: bool },
    /// The low and the high half.
    Halves(Rc<[Val; 2]>),
}

pub(super) const ANY: Vector = Vector::Top { opaque: false };

/// Where a bit of a result comes from.
enum From {
    Zero,
    /// A bit of one of the operands.
    Bit(usize, usize),
}

impl Vector {
    pub fn of(low: Val, high: Val) -> Self {
        let is_followed =
            |half: &Val| half.says() || half.as_constant().is_some() || half.is_opaque();
        match is_followed(&low) || is_followed(&high) {
            true => Self::Halves(Rc::new([low, high])),
            false => ANY,
        }
    }

    fn constant(low: u64, high: u64) -> Self {
        Self::Halves(Rc::new([Val::constant(low), Val::constant(high)]))
    }

    pub fn half(&self, number: usize) -> Val {
        match self {
            Self::Top { opaque } => Val::Top { opaque: *opaque },
            Self::Halves(halves) => halves[number & 1].clone(),
        }
    }

    fn is_constant(&self) -> bool {
        (0..2).all(|half| self.half(half).as_constant().is_some())
    }

    fn says(&self) -> bool {
        (0..2).any(|half| self.half(half).says())
    }

    /// Whether it is, or may be, an answer.
    pub fn lost(&self) -> bool {
        (0..2).any(|half| self.half(half).is_opaque()) || self.says()
    }

    /// With what is known on the way to it.
    pub fn under(&self, has: u64) -> Self {
        match self {
            Self::Halves(halves) if has != 0 => Self::Halves(Rc::new([
                halves[0].under(has, false),
                halves[1].under(has, false),
            ])),
            other => other.clone(),
        }
    }

    pub fn join(&self, other: &Self) -> Self {
        match (self, other) {
            _ if self == other => self.clone(),
            (Self::Halves(a), Self::Halves(b)) => Self::of(a[0].join(&b[0]), a[1].join(&b[1])),
            _ => Self::Top {
                opaque: self.lost() || other.lost(),
            },
        }
    }
}

/// What several become of which something is computed.
fn lost(operands: &[&Vector]) -> Vector {
    Vector::Top {
        opaque: operands.iter().any(|one| one.lost()),
    }
}

/// Moves bits.
fn moved(operands: &[&Vector], from: impl Fn(usize) -> From) -> Vector {
    let is_constant = operands.iter().all(|one| one.is_constant());
    if !is_constant && !operands.iter().any(|one| one.says()) {
        return lost(operands);
    }
    let words: Vec<[Bits; 2]> = (operands.iter())
        .map(|one| [one.half(0).bits(), one.half(1).bits()])
        .collect();
    let mut halves = [Bits::any(false), Bits::any(false)];
    for bit in 0..128 {
        let (half, at) = (&mut halves[bit / 64], bit % 64);
        match from(bit) {
            From::Zero => half.set[at] = ALL,
            From::Bit(operand, from) => {
                let word = &words[operand][(from / 64) & 1];
                half.set[at] = word.set[from % 64];
                half.clear[at] = word.clear[from % 64];
                half.opaque |= (word.opaque >> (from % 64) & 1) << at;
            }
        }
    }
    let [low, high] = halves;
    Vector::of(Val::word(low), Val::word(high))
}

fn logic(a: &Vector, b: &Vector, op: Logic) -> Vector {
    let is_constant = a.is_constant() && b.is_constant();
    if !is_constant && !a.says() && !b.says() {
        return lost(&[a, b]);
    }
    let half = |number| a.half(number).logic(&b.half(number), op);
    Vector::of(half(0), half(1))
}

fn not(a: &Vector) -> Vector {
    logic(a, &Vector::constant(u64::MAX, u64::MAX), Logic::Xor)
}

/// The lanes of a constant as signed numbers.
fn lanes(value: &Vector, size: usize) -> Option<Vec<i64>> {
    let halves = [value.half(0).as_constant()?, value.half(1).as_constant()?];
    let lane = |at: usize| {
        let part = halves[at / 64] >> (at % 64) << (64 - size);
        part as i64 >> (64 - size)
    };
    Some((0..128).step_by(size).map(lane).collect())
}

/// Each lane shifted by the number in its lane of the other.
fn shifted(a: &Vector, by: &[i64], size: usize) -> Vector {
    moved(&[a], |bit| {
        // Only the low byte counts.
        let from = (bit % size) as i64 - i64::from(by[bit / size] as i8);
        match usize::try_from(from) {
            Ok(from) if from < size => From::Bit(0, bit / size * size + from),
            _ => From::Zero,
        }
    })
}

/// Whether lanes are zero, or not, as all their bits.
fn is_zero(a: &Vector, size: usize, is: bool) -> Vector {
    if !a.says() {
        return lost(&[a]);
    }
    let mut halves = [Bits::any(false), Bits::any(false)];
    for lane in (0..128).step_by(size) {
        let word = a.half(lane / 64).shift(-((lane % 64) as i32));
        let word = word.low(size as u32);
        let (zero, other) = (word.zero(), word.nonzero());
        let (set, clear) = if is { (zero, other) } else { (other, zero) };
        for bit in lane..lane + size {
            let half = &mut halves[bit / 64];
            (half.set[bit % 64], half.clear[bit % 64]) = (set, clear);
            half.opaque |= u64::from(word.is_opaque()) << (bit % 64);
        }
    }
    let [low, high] = halves;
    Vector::of(Val::word(low), Val::word(high))
}

/// The upper half of the register is cleared by what works on 64 bits.
fn low_half(value: Vector, is_whole: bool) -> Vector {
    match value {
        Vector::Halves(halves) if !is_whole => Vector::of(halves[0].clone(), Val::constant(0)),
        other => other,
    }
}

/// The constant of `movi` and its like (`AdvSIMDExpandImm`), for one half.
fn immediate(word: u32) -> u64 {
    let byte = u64::from(word >> 16 & 7) << 5 | u64::from(word >> 5 & 31);
    let (cmode, op) = (word >> 12 & 15, word >> 29 & 1);
    let twice = |part: u64| part << 32 | part;
    match cmode >> 1 {
        kind @ 0..=3 => twice(byte << (8 * kind)),
        kind @ 4..=5 => (byte << (8 * (kind - 4))) * 0x0001_0001_0001_0001,
        6 => match cmode & 1 {
            0 => twice(byte << 8 | 0xff),
            _ => twice(byte << 16 | 0xffff),
        },
        _ => match (cmode & 1, op) {
            (0, 0) => byte * 0x0101_0101_0101_0101,
            (0, _) => (0..8).fold(0, |out, bit| {
                out | if byte >> bit & 1 == 1 {
                    0xff << (8 * bit)
                } else {
                    0
                }
            }),
            // A floating-point number: no flag.
            _ => byte << 48,
        },
    }
}

/// An instruction of this group that writes a vector or reads one into a general register.
pub(super) fn vector(state: &mut State, word: u32) {
    let (rd, rn, rm) = (
        (word & 31) as usize,
        (word >> 5 & 31) as usize,
        (word >> 16 & 31) as usize,
    );
    // FMOV between the banks.
    match word & 0xffff_fc00 {
        0x1e27_0000 => {
            let low = state.get(rn).low_or_same(32);
            return state.set_vector(rd, Vector::of(low, Val::constant(0)));
        }
        0x9e67_0000 => {
            let low = state.get(rn);
            return state.set_vector(rd, Vector::of(low, Val::constant(0)));
        }
        0x9eaf_0000 => {
            let (low, high) = (state.vector(rd).half(0), state.get(rn));
            return state.set_vector(rd, Vector::of(low, high));
        }
        0x1e26_0000 => return state.set(rd, state.vector(rn).half(0).low(32)),
        0x9e66_0000 => return state.set(rd, state.vector(rn).half(0)),
        0x9eae_0000 => return state.set(rd, state.vector(rn).half(1)),
        _ => {}
    }
    let (q, u) = (word >> 30 & 1 == 1, word >> 29 & 1 == 1);
    let (a, b) = (state.vector(rn), state.vector(rm));
    // Copies of an element.
    if word & 0x9fe0_8400 == 0x0e00_0400 {
        let imm = word >> 16 & 31;
        let kind = imm.trailing_zeros().min(3);
        let size = 8usize << kind;
        let at = (imm >> (kind + 1)) as usize * size;
        let given = || Vector::of(state.get(rn), Val::constant(0));
        let into = |value: &Vector, from: usize, to: usize| {
            moved(&[&state.vector(rd), value], |bit| {
                match bit / size == to / size {
                    true => From::Bit(1, from + bit % size),
                    false => From::Bit(0, bit),
                }
            })
        };
        let out = match (u, word >> 11 & 15) {
            (false, 0) => moved(&[&a], |bit| From::Bit(0, at + bit % size)),
            (false, 1) => moved(&[&given()], |bit| From::Bit(0, bit % size)),
            (false, 3) => into(&given(), 0, at),
            (true, index) => into(&a, (index >> kind) as usize * size, at),
            (false, kind @ (5 | 7)) => {
                let part = a.half(at / 64).shift(-((at % 64) as i32));
                let part = match kind {
                    7 => part.low(size as u32),
                    _ => Val::Top {
                        opaque: part.is_opaque() || part.says(),
                    },
                };
                return state.set(rd, part);
            }
            _ => lost(&[&a]),
        };
        return state.set_vector(rd, low_half(out, q));
    }
    // Constants, and shifts by one.
    if word & 0x9f80_0400 == 0x0f00_0400 {
        let out = match word >> 19 & 15 {
            0 => {
                let imm = Vector::constant(immediate(word), immediate(word));
                let old = state.vector(rd);
                match (word >> 12 & 1 == 1 && word >> 12 & 15 < 12, u) {
                    (true, false) => logic(&old, &imm, Logic::Or),
                    (true, true) => logic(&old, &not(&imm), Logic::And),
                    (false, true) if word >> 12 & 15 < 14 => not(&imm),
                    _ => imm,
                }
            }
            high => {
                let size = 8usize << (31 - high.leading_zeros());
                let imm = (word >> 16 & 127) as usize;
                let (right, left) = (2 * size - imm.min(2 * size), imm.saturating_sub(size));
                let old = state.vector(rd);
                let count = 128 / size;
                match (u, word >> 11 & 31) {
                    (true, 0) => shifted(&a, &vec![-(right as i64); count], size),
                    (false, 0) => moved(&[&a], |bit| {
                        let from = (bit % size + right).min(size - 1);
                        From::Bit(0, bit / size * size + from)
                    }),
                    (false, 10) => shifted(&a, &vec![left as i64; count], size),
                    // SLI, SRI: the rest stays.
                    (true, 10) => moved(&[&a, &old], |bit| match bit % size >= left {
                        true => From::Bit(0, bit - left),
                        false => From::Bit(1, bit),
                    }),
                    (true, 8) => moved(&[&a, &old], |bit| match bit % size + right < size {
                        true => From::Bit(0, bit + right),
                        false => From::Bit(1, bit),
                    }),
                    // SHRN: the size is that of the narrow lanes.
                    (false, 16) => narrow(&a, &old, size, right, q),
                    // USHLL.
                    (true, 20) => moved(&[&a], |bit| {
                        let (lane, at) = (bit / (2 * size), bit % (2 * size));
                        match at.checked_sub(left) {
                            Some(at) if at < size => {
                                From::Bit(0, lane * size + at + if q { 64 } else { 0 })
                            }
                            _ => From::Zero,
                        }
                    }),
                    _ => lost(&[&a, &old]),
                }
            }
        };
        let is_whole = q || word >> 11 & 31 == 20 && word >> 19 & 15 != 0;
        return state.set_vector(rd, low_half(out, is_whole));
    }
    let size = 8usize << (word >> 22 & 3);
    // UZP, TRN, ZIP.
    if word & 0xbf20_8c00 == 0x0e00_0800 {
        let (whole, second) = (if q { 128 } else { 64 }, (word >> 14 & 1) as usize);
        let out = moved(&[&a, &b], |bit| {
            let (lane, at) = (bit / size, bit % size);
            let count = whole / size;
            let lane = match word >> 12 & 3 {
                1 => 2 * lane + second,
                2 => (lane & !1) + second + (lane & 1) * count,
                _ => lane / 2 + second * count / 2 + (lane & 1) * count,
            };
            match (bit < whole, lane < count) {
                (false, _) => From::Zero,
                (_, true) => From::Bit(0, lane * size + at),
                (_, false) => From::Bit(1, (lane - count) * size + at),
            }
        });
        return state.set_vector(rd, low_half(out, q));
    }
    // EXT.
    if word & 0xbfe0_8400 == 0x2e00_0000 {
        let (whole, by) = (if q { 128 } else { 64 }, 8 * (word >> 11 & 15) as usize);
        let out = moved(&[&a, &b], |bit| match bit + by {
            from if from < whole => From::Bit(0, from),
            from => From::Bit(1, from - whole),
        });
        return state.set_vector(rd, low_half(out, q));
    }
    // TBL of one register.
    if word & 0xbfe0_fc00 == 0x0e00_0000
        && let Some(indices) = lanes(&b, 8)
    {
        let out = moved(&[&a], |bit| match indices[bit / 8] {
            at @ 0..=15 => From::Bit(0, 8 * at as usize + bit % 8),
            _ => From::Zero,
        });
        return state.set_vector(rd, low_half(out, q));
    }
    // XTN, NOT, comparisons with zero.
    if word & 0x9f3e_0c00 == 0x0e20_0800 {
        let out = match (u, word >> 12 & 31) {
            (false, 18) => Some(narrow(&a, &state.vector(rd), size, 0, q)),
            (true, 5) if word >> 22 & 3 == 0 => Some(not(&a)),
            (false, 9) => Some(is_zero(&a, size, true)),
            _ => None,
        };
        if let Some(out) = out {
            return state.set_vector(rd, low_half(out, q));
        }
    }
    // Of two of the same kind.
    if word & 0x9f20_0400 == 0x0e20_0400 {
        let out = match (u, word >> 11 & 31, word >> 22 & 3) {
            (false, 3, 0) => Some(logic(&a, &b, Logic::And)),
            (false, 3, 1) => Some(logic(&a, &not(&b), Logic::And)),
            (false, 3, 2) if rn == rm => Some(a.clone()),
            (false, 3, 2) => Some(logic(&a, &b, Logic::Or)),
            (false, 3, 3) => Some(logic(&a, &not(&b), Logic::Or)),
            (true, 3, 0) => Some(logic(&a, &b, Logic::Xor)),
            // USHL; CMTST.
            (true, 8, _) => lanes(&b, size).map(|by| shifted(&a, &by, size)),
            (false, 17, _) => Some(is_zero(&logic(&a, &b, Logic::And), size, false)),
            // CMEQ of zeros.
            (true, 17, _) if b == Vector::constant(0, 0) => Some(is_zero(&a, size, true)),
            _ => None,
        };
        if let Some(out) = out {
            return state.set_vector(rd, low_half(out, q));
        }
    }
    // Scalar moves.
    if matches!(word & 0xffff_fc00, 0x1e20_4000 | 0x1e60_4000) {
        let bits = if word >> 22 & 1 == 1 { 64 } else { 32 };
        return state.set_vector(rd, Vector::of(a.half(0).low(bits), Val::constant(0)));
    }
    let old = state.vector(rd);
    state.set_vector(rd, lost(&[&a, &b, &old]));
}

/// Lanes of twice a size cut to it; the second half of the register is written by what works
/// on all of it, and the first stays.
fn narrow(a: &Vector, old: &Vector, size: usize, by: usize, q: bool) -> Vector {
    moved(&[a, old], |bit| {
        let at = match (q, bit < 64) {
            (true, true) => return From::Bit(1, bit),
            (false, false) => return From::Zero,
            (true, false) => bit - 64,
            (false, true) => bit,
        };
        From::Bit(0, at / size * 2 * size + at % size + by)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::a64::features::{DOTPROD, LSE, Told};
    use crate::a64::value::PLAIN;

    /// The state where x0 holds `AT_HWCAP`, after words as GNU as 2.40 encodes them.
    fn after(words: &[u32]) -> State {
        let mut state = State::entry(&[Val::told(Told::Hwcap), PLAIN], 0);
        for &word in words {
            vector(&mut state, word);
        }
        state
    }

    #[test]
    fn a_flag_that_vectors_move_still_tells() {
        // What is shifted, narrowed and cut to a bit, as Rust's standard library does it.
        let state = after(&[
            0x4e08_0c03, // dup v3.2d, x0
            0x6f6c_0464, // ushr v4.2d, v3.2d, #20
            0x6f78_0465, // ushr v5.2d, v3.2d, #8
            0x4e85_1886, // uzp1 v6.4s, v4.4s, v5.4s
            0x0f00_e427, // movi v7.8b, #1
            0x0e61_28c6, // xtn v6.4h, v6.4s
            0x0e27_1cc6, // and v6.8b, v6.8b, v7.8b
        ]);
        let word = state.vector(6).half(0);
        let byte = |at: i32| word.shift(-8 * at).low(8);
        assert_eq!(byte(0).nonzero() & (DOTPROD | LSE), DOTPROD);
        assert_eq!(byte(4).nonzero() & (DOTPROD | LSE), LSE);
        assert!(!byte(0).is_opaque());
        assert_eq!(state.vector(6).half(1).as_constant(), Some(0));
    }

    #[test]
    fn what_is_computed_of_a_flag_is_not_known() {
        let state = after(&[
            0x4e08_0c03, // dup v3.2d, x0
            0x4ee3_8463, // add v3.2d, v3.2d, v3.2d
        ]);
        assert!(state.vector(3).lost());
        assert!(!state.vector(3).says());
        assert!(!state.vector(4).lost());
    }
}
