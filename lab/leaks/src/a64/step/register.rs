//! Instructions that compute with registers.

use super::Memory;
use super::operand::{extended, lose_operands, or_sp, shifted, sum};
use crate::a64::flags::Flags;
use crate::a64::state::State;
use crate::a64::value::{Doubt, Logic, PLAIN, VAGUE, Val};

pub(super) fn register(state: &mut State, memory: &mut impl Memory, word: u32) {
    let (rd, rn, rm) = (
        (word & 31) as usize,
        (word >> 5 & 31) as usize,
        (word >> 16 & 31) as usize,
    );
    let width = if word >> 31 == 1 { 64 } else { 32 };
    let has = state.has;
    // Logical, shifted register.
    if word & 0x1f00_0000 == 0x0a00_0000 {
        let a = state.get(rn);
        let mut b = shifted(&state.get(rm), word, width);
        if word >> 21 & 1 == 1 {
            b = b.logic(&Val::constant(u64::MAX), Logic::Xor).low(width);
        }
        let op = word >> 29 & 3;
        let out = match op {
            // A move.
            1 if rn == 31 && word >> 21 & 1 == 0 => b.clone(),
            1 => a.logic(&b, Logic::Or),
            2 => a.logic(&b, Logic::Xor),
            _ => a.logic(&b, Logic::And),
        };
        lose_operands(memory, &out, [&a, &b], has);
        let out = out.low_or_same(width);
        if op == 3 {
            state.flags = Flags::Test(out.clone(), width);
        }
        state.set(rd, out);
        if op == 1 && rn == 31 && word >> 10 & 0x3f == 0 {
            state.copied(rd, rm);
        }
        return;
    }
    // Add and subtract, shifted or extended register.
    if word & 0x1f00_0000 == 0x0b00_0000 {
        let is_extended = word >> 21 & 1 == 1;
        let a = if is_extended {
            state.get(or_sp(rn as u32))
        } else {
            state.get(rn)
        };
        let b = state.get(rm);
        let b = match is_extended {
            true => extended(&b, word >> 13 & 7).shift((word >> 10 & 7) as i32),
            false => shifted(&b, word, width),
        };
        let (minus, sets) = (word >> 30 & 1 == 1, word >> 29 & 1 == 1);
        let out = sum(&a, &b, minus, width);
        // A comparison leaves no address, nor does what is subtracted.
        let number = Val::constant(0);
        match (minus, rd == 31 && sets) {
            (_, true) => {}
            (true, _) => lose_operands(memory, &out, [&a, &number], has),
            (false, _) => lose_operands(memory, &out, [&a, &b], has),
        }
        if sets {
            state.flags = match minus {
                true => Flags::Sub(a.low_or_same(width), b.low_or_same(width), width),
                false => Flags::Lost {
                    opaque: a.is_opaque() || b.is_opaque() || a.says() || b.says(),
                },
            };
        }
        match is_extended && !sets {
            true => state.set(or_sp(word), out),
            false => state.set(rd, out),
        }
        if sets {
            let is_plain = rd == 31 && minus && !is_extended && word >> 10 & 63 == 0;
            state.compared = None;
            state.pair = is_plain.then_some((rn, rm));
        }
        return;
    }
    // Conditional compare.
    if word & 0x3fe0_0410 == 0x3a40_0000 {
        let a = state.get(rn).low_or_same(width);
        let b = match word >> 11 & 1 {
            1 => Val::constant(u64::from(word >> 16 & 31)),
            _ => state.get(rm).low_or_same(width),
        };
        let then = match (word >> 30 & 1, b.as_constant()) {
            (1, _) => Flags::Sub(a, b, width),
            (_, Some(by)) => Flags::Sub(a, Val::constant(by.wrapping_neg()).low(width), width),
            _ => Flags::Lost {
                opaque: a.is_opaque() || b.is_opaque() || a.says() || b.says(),
            },
        };
        let before = std::mem::replace(&mut state.flags, Flags::Lost { opaque: false });
        state.flags = match depth(&before) {
            0..=6 => Flags::Chain(before.into(), word >> 12 & 15, then.into(), word & 15),
            _ => Flags::Lost { opaque: true },
        };
        return;
    }
    // Conditional select.
    if word & 0x3fe0_0800 == 0x1a80_0000 {
        let cond = word >> 12 & 15;
        let (yes, no) = (state.flags.assume(cond), state.flags.assume(cond ^ 1));
        let a = state.get(rn).low_or_same(width);
        let b = state.get(rm).low_or_same(width);
        // One of the two that were compared, and not two that may be the same.
        let is_first = match state.pair {
            Some(pair) if pair == (rn, rm) => Some(true),
            Some(pair) if pair == (rm, rn) => Some(false),
            _ => None,
        };
        if word & 0x4000_0400 == 0
            && let Some(is_first) = is_first
            && let Some(out) = state.flags.picked(is_first, cond, width)
        {
            state.set(rd, out);
            return;
        }
        let b = match (word >> 30 & 1, word >> 10 & 1) {
            (0, 0) => b,
            (0, _) => sum(&b, &Val::constant(1), false, width),
            (_, 0) => b.logic(&Val::constant(u64::MAX), Logic::Xor).low(width),
            _ => sum(&Val::constant(0), &b, true, width),
        };
        let doubt = yes.doubt.max(no.doubt);
        let opaque = doubt == Doubt::Opaque;
        let out = match (yes.has == u64::MAX, no.has == u64::MAX) {
            (true, _) => b,
            (_, true) => a,
            _ => {
                let (x, y) = (a.under(yes.has, opaque), b.under(no.has, opaque));
                let out = x.join(&y);
                lose_operands(memory, &out, [&x, &y], has);
                match out {
                    // Memory picks one of them.
                    _ if doubt == Doubt::Vague && out.says() => out.under(0, true),
                    _ if doubt == Doubt::Vague && !out.is_opaque() => VAGUE,
                    Val::Top { opaque: before } => Val::Top {
                        opaque: before || opaque || yes.has | no.has != 0,
                    },
                    other => other,
                }
            }
        };
        state.set(rd, out);
        return;
    }
    // Two sources: variable shifts of constants are constants.
    let (a, b) = (state.get(rn), state.get(rm));
    let out = match word & 0x7fe0_fc00 {
        0x1ac0_2000 => match b.as_constant() {
            Some(by) => a
                .low_or_same(width)
                .shift((by & u64::from(width - 1)) as i32)
                .low(width),
            None => a
                .combine(&b, |a, b| a << (b & u64::from(width - 1)))
                .low(width),
        },
        0x1ac0_2400 => match b.as_constant() {
            Some(by) => a
                .low_or_same(width)
                .shift(-((by & u64::from(width - 1)) as i32)),
            None => a
                .combine(&b, |a, b| a >> (b & u64::from(width - 1)))
                .low(width),
        },
        _ => {
            // Three sources read one more.
            let c = match word & 0x1f00_0000 {
                0x1b00_0000 => state.get((word >> 10 & 31) as usize),
                _ => PLAIN,
            };
            let is_one = word & 0x5fe0_0000 == 0x5ac0_0000;
            let all: &[&Val] = if is_one { &[&a] } else { &[&a, &b, &c] };
            Val::Top {
                opaque: all.iter().any(|v| v.is_opaque() || v.says()),
            }
        }
    };
    lose_operands(memory, &out, [&a, &b], has);
    if word & 0x1fe0_0000 == 0x1a00_0000 && (word >> 29 & 1 == 1 || word >> 10 & 0x1f != 0) {
        // With carry, and what sets flags in other ways.
        state.flags = Flags::Lost { opaque: true };
    }
    state.set(rd, out);
}

fn depth(flags: &Flags) -> u32 {
    match flags {
        Flags::Chain(before, ..) => 1 + depth(before),
        _ => 0,
    }
}
