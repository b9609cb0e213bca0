//! Instructions that compute with a number of their own.

use super::operand::{or_sp, sign_extended, sum};
use crate::a64::decode::{mask, near, page};
use crate::a64::flags::Flags;
use crate::a64::state::State;
use crate::a64::value::{Logic, OPAQUE, PLAIN, Val};

pub(super) fn immediate(state: &mut State, word: u32, at: u64) {
    let rd = (word & 31) as usize;
    let rn = word >> 5 & 31;
    let width = if word >> 31 == 1 { 64 } else { 32 };
    match word >> 23 & 7 {
        0 | 1 => {
            let value = if word >> 31 == 1 {
                page(word, at)
            } else {
                near(word, at)
            };
            state.set(rd, Val::constant(value));
        }
        // Add and subtract.
        2 | 3 => {
            let by = u64::from(word >> 10 & 0xfff) << if word >> 22 & 1 == 1 { 12 } else { 0 };
            let (minus, sets) = (word >> 30 & 1 == 1, word >> 29 & 1 == 1);
            if word >> 23 & 1 == 1 {
                // With tags: of no matter here.
                state.set(or_sp(word), PLAIN);
                return;
            }
            let a = state.get(or_sp(rn));
            let b = Val::constant(by);
            let out = sum(&a, &b, minus, width);
            if sets {
                state.flags = match minus {
                    true => Flags::Sub(a.low_or_same(width), b, width),
                    false => Flags::Sub(
                        a.low_or_same(width),
                        Val::constant(by.wrapping_neg()).low(width),
                        width,
                    ),
                };
                // A comparison; `subs w8, w8, #0` of unoptimised code is one too.
                let is_same = rd == rn as usize && by == 0;
                if !is_same {
                    state.set(rd, out);
                }
                state.pair = None;
                state.compared = (minus && (rd == 31 || is_same)).then_some(rn as usize);
            } else {
                state.set(or_sp(word), out);
            }
        }
        4 => {
            let Some(mask) = mask(word) else {
                return;
            };
            let b = Val::constant(mask).low(width);
            let a = state.get(rn as usize);
            let op = match word >> 29 & 3 {
                1 => Logic::Or,
                2 => Logic::Xor,
                _ => Logic::And,
            };
            let out = a.logic(&b, op).low(width);
            if word >> 29 & 3 == 3 {
                state.flags = Flags::Test(out.clone(), width);
                state.set(rd, out);
            } else {
                state.set(or_sp(word), out);
            }
        }
        // Move wide.
        5 => {
            let shift = (word >> 21 & 3) * 16;
            let part = u64::from(word >> 5 & 0xffff) << shift;
            let out = match word >> 29 & 3 {
                0 => Val::constant(!part),
                2 => Val::constant(part),
                _ => state.get(rd).map(|old| old & !(0xffff << shift) | part),
            };
            state.set(rd, out.low(width));
        }
        // No instruction: such words are data that something seems to lead to.
        6 if (word >> 16 & 63).max(word >> 10 & 63) >= width => state.set(rd, OPAQUE),
        // Bit fields.
        6 => {
            let (immr, imms) = (word >> 16 & 63, word >> 10 & 63);
            let a = state.get(rn as usize).low(width);
            // To the bottom, or from the bottom up.
            let field = match imms >= immr {
                true => a.shift(-(immr as i32)).low(imms - immr + 1),
                false => a.low(imms + 1).shift((width - immr) as i32),
            };
            let out = match word >> 29 & 3 {
                2 => field,
                // The sign is extended: the same where it is never set.
                0 => {
                    let top = match imms >= immr {
                        true => imms - immr,
                        false => imms + width - immr,
                    };
                    sign_extended(&field, top)
                }
                // Put into what was there.
                _ => {
                    let (count, from) = match imms >= immr {
                        true => (imms - immr + 1, 0),
                        false => (imms + 1, width - immr),
                    };
                    let ones = match count {
                        64 => u64::MAX,
                        count => (1 << count) - 1,
                    };
                    let rest = Val::constant(!(ones << from));
                    state
                        .get(rd)
                        .logic(&rest, Logic::And)
                        .logic(&field, Logic::Or)
                }
            };
            state.set(rd, out.low(width));
        }
        _ => {
            // EXTR; of one register it turns it.
            let (a, b) = (
                state.get(rn as usize),
                state.get((word >> 16 & 31) as usize),
            );
            let shift = word >> 10 & 63;
            let out = a.combine(&b, |a, b| match (width, shift) {
                (_, 0) => b,
                (64, _) => a << (64 - shift) | b >> shift,
                _ => (a << 32 | b & 0xffff_ffff) >> (shift & 31),
            });
            state.set(rd, out.low(width));
        }
    }
}
