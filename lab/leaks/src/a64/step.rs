//! What an instruction that does not branch makes of what is known.

use super::decode::{mask, near, page, signed};
use super::features::Told;
use super::flags::Flags;
use super::state::{SP, State};
use super::value::{Logic, OPAQUE, PLAIN, Val};

/// Memory that a routine shares with others, as the whole file sees it.
pub(super) trait Memory {
    /// What is loaded from an address.
    fn load(&mut self, address: u64, size: u32) -> Val;
    /// A value is stored at an address.
    fn store(&mut self, address: u64, size: u32, value: &Val);
    /// A value goes where it is not followed, on a CPU that has so much.
    fn lose(&mut self, value: &Val, has: u64);
}

/// The general register that a number names where 31 is the stack pointer.
fn or_sp(number: u32) -> usize {
    match number & 31 {
        31 => SP,
        other => other as usize,
    }
}

pub(super) fn step(state: &mut State, memory: &mut impl Memory, word: u32, at: u64) {
    let rd = (word & 31) as usize;
    let width = if word >> 31 == 1 { 64 } else { 32 };
    match word >> 25 & 0xf {
        0b1000 | 0b1001 => immediate(state, memory, word, at),
        0b0101 | 0b1101 => register(state, memory, word),
        0b0100 | 0b1100 | 0b0110 | 0b1110 => load_or_store(state, memory, word, at),
        // System: MRS.
        0b1010 | 0b1011 if word & 0xfff0_0000 == 0xd530_0000 => {
            let told = match word >> 5 & 0x7fff {
                0x4030 => Some(Told::Isar0),
                0x4031 => Some(Told::Isar1),
                0x4020 => Some(Told::Pfr0),
                0x4024 => Some(Told::Zfr0),
                _ => None,
            };
            // Other ID registers tell of the CPU too.
            let is_id = word >> 12 & 0x7f == 0x00 && word >> 19 & 1 == 0;
            let value = match told {
                Some(told) => Val::told(told),
                None if is_id => OPAQUE,
                None => PLAIN,
            };
            state.set(rd, value);
        }
        0b1010 | 0b1011 => {}
        // Vectors to general registers: UMOV, SMOV; conversions and FMOV; comparisons.
        0b0111 | 0b1111 => {
            let is_moved = word & 0x9fe0_ec00 == 0x0e00_2c00;
            let is_converted = word & 0x5f20_fc00 == 0x1e20_0000;
            if is_moved || is_converted {
                state.set(rd, PLAIN);
            }
            if word & 0x5f20_0c00 == 0x1e20_0400 || word & 0x5f20_fc00 == 0x1e20_2000 {
                state.flags = Flags::Lost { opaque: false };
            }
        }
        // SVE may write general registers, and the flags.
        _ => {
            if rd != 31 {
                memory.lose(&state.get(rd), state.has);
            }
            state.set(rd, PLAIN);
            state.flags = Flags::Lost { opaque: false };
        }
    }
    let _ = width;
}

fn sum(a: &Val, b: &Val, minus: bool, width: u32) -> Val {
    let out = match (a, b.as_constant()) {
        (Val::Stack(at), Some(by)) => {
            let by = if minus { by.wrapping_neg() } else { by };
            return Val::Stack(at.wrapping_add(by as i64));
        }
        (other, Some(0)) => other.clone(),
        _ => {
            let out = a.combine(b, |a, b| match minus {
                true => a.wrapping_sub(b),
                false => a.wrapping_add(b),
            });
            match out {
                // Nothing is carried.
                Val::Top { .. } if !minus && a.open() & b.open() == 0 => a.logic(b, Logic::Or),
                other => other,
            }
        }
    };
    out.low(width)
}

/// Where an address of code is not followed any more since something was added to it.
fn lose_operands(memory: &mut impl Memory, out: &Val, operands: [&Val; 2], has: u64) {
    if out.as_alts().is_none() {
        for operand in operands {
            memory.lose(operand, has);
        }
    }
}

fn immediate(state: &mut State, memory: &mut impl Memory, word: u32, at: u64) {
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
    let _ = memory;
}

fn sign_extended(value: &Val, top: u32) -> Val {
    match value {
        Val::Alts(_) => value.map(|v| match v >> top & 1 {
            1 => v | (u64::MAX << top),
            _ => v,
        }),
        Val::Bits(bits) if bits.set[top as usize & 63] == super::features::ALL => value.clone(),
        _ => Val::Top {
            opaque: value.is_opaque() || value.says(),
        },
    }
}

/// An operand that is shifted by a number.
fn shifted(value: &Val, word: u32, width: u32) -> Val {
    let by = (word >> 10 & 63) as i32;
    let value = value.low_or_same(width);
    match (word >> 22 & 3, by) {
        (_, 0) => value,
        (0, by) => value.shift(by).low(width),
        (1, by) => value.shift(-by),
        (2, by) => value.map(|v| match width {
            64 => ((v as i64) >> by) as u64,
            _ => u64::from(((v as u32 as i32) >> (by & 31)) as u32),
        }),
        _ => value.map(|v| match width {
            64 => v.rotate_right(by as u32),
            _ => u64::from((v as u32).rotate_right(by as u32)),
        }),
    }
}

fn register(state: &mut State, memory: &mut impl Memory, word: u32) {
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
        lose_operands(memory, &out, [&a, &b], has);
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
        let b = match (word >> 30 & 1, word >> 10 & 1) {
            (0, 0) => b,
            (0, _) => sum(&b, &Val::constant(1), false, width),
            (_, 0) => b.logic(&Val::constant(u64::MAX), Logic::Xor).low(width),
            _ => sum(&Val::constant(0), &b, true, width),
        };
        let opaque = yes.opaque || no.opaque;
        let out = match (yes.has == u64::MAX, no.has == u64::MAX) {
            (true, _) => b,
            (_, true) => a,
            _ => {
                let (x, y) = (a.under(yes.has, opaque), b.under(no.has, opaque));
                let out = x.join(&y);
                lose_operands(memory, &out, [&x, &y], has);
                match out {
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
    if word & 0x1fe0_0000 == 0x1a00_0000 && word >> 29 & 1 == 1
        || word & 0x1fe0_0000 == 0x1a00_0000 && word >> 10 & 0x1f != 0
    {
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

fn extended(value: &Val, option: u32) -> Val {
    let bits = 8 << (option & 3);
    match option >> 2 {
        0 => value.low(bits),
        _ if bits == 64 => value.clone(),
        _ => sign_extended(&value.low(bits), bits - 1),
    }
}

/// Bytes of one register that a load or store moves.
fn bytes(word: u32) -> u32 {
    let size = word >> 30;
    match (word >> 26 & 1, word >> 22 & 3) {
        (0, _) => 1 << size,
        (_, 2 | 3) if size == 0 => 16,
        _ => 1 << size,
    }
}

fn load_or_store(state: &mut State, memory: &mut impl Memory, word: u32, at: u64) {
    let (rt, rn) = ((word & 31) as usize, or_sp(word >> 5));
    let is_vector = word >> 26 & 1 == 1;
    // Literals.
    if word & 0x3b00_0000 == 0x1800_0000 {
        if !is_vector {
            let size = if word >> 30 & 1 == 1 { 8 } else { 4 };
            let from = at.wrapping_add_signed(signed(word, 5, 19) << 2);
            let value = match word >> 30 {
                3 => return,
                2 => sign_extended(&memory.load(from, 4), 31),
                _ => memory.load(from, size),
            };
            state.set(rt, value);
        }
        return;
    }
    let base = state.get(rn);
    // Pairs.
    if word & 0x3a00_0000 == 0x2800_0000 {
        let size = match (is_vector, word >> 30) {
            (true, opc) => 4 << opc,
            (_, 2) => 8,
            _ => 4,
        };
        let offset = signed(word, 15, 7) * i64::from(size);
        let mode = word >> 23 & 3;
        let moved = sum(&base, &Val::constant(offset as u64), false, 64);
        let place = if mode == 1 {
            base.clone()
        } else {
            moved.clone()
        };
        let second = sum(&place, &Val::constant(u64::from(size)), false, 64);
        let rt2 = (word >> 10 & 31) as usize;
        let is_load = word >> 22 & 1 == 1;
        if mode == 1 || mode == 3 {
            state.set(rn, moved);
        }
        for (register, place) in [(rt, place), (rt2, second)] {
            match (is_load, is_vector) {
                (true, true) => {}
                (true, false) => {
                    let value = load(state, memory, &place, size);
                    let value = match word >> 30 {
                        1 => sign_extended(&value, 31),
                        _ => value,
                    };
                    state.set(register, value);
                }
                (false, true) => store(state, memory, &place, size, &OPAQUE),
                (false, false) => {
                    let value = state.get(register).low_or_same(size * 8);
                    store(state, memory, &place, size, &value);
                }
            }
        }
        return;
    }
    // One register.
    if word & 0x3a00_0000 == 0x3800_0000
        && (word >> 24 & 1 == 1 || word >> 21 & 1 == 0 || word >> 10 & 3 == 2)
    {
        let size = bytes(word);
        let (place, moved) = if word >> 24 & 1 == 1 {
            let offset = u64::from(word >> 10 & 0xfff) * u64::from(size);
            (sum(&base, &Val::constant(offset), false, 64), None)
        } else if word >> 21 & 1 == 1 {
            let index = extended(&state.get((word >> 16 & 31) as usize), word >> 13 & 7);
            let index = match word >> 12 & 1 {
                1 => index.shift(size.trailing_zeros() as i32),
                _ => index,
            };
            let place = sum(&base, &index, false, 64);
            lose_operands(memory, &place, [&base, &index], state.has);
            (place, None)
        } else {
            let moved = sum(&base, &Val::constant(signed(word, 12, 9) as u64), false, 64);
            match word >> 10 & 3 {
                1 => (base.clone(), Some(moved)),
                3 => (moved.clone(), Some(moved)),
                _ => (moved, None),
            }
        };
        if let Some(moved) = moved {
            state.set(rn, moved);
        }
        let opc = word >> 22 & 3;
        match (is_vector, opc) {
            (true, 0 | 2) => store(state, memory, &place, size, &OPAQUE),
            (true, _) => {}
            (_, 0) => {
                let value = state.get(rt).low_or_same(size * 8);
                store(state, memory, &place, size, &value);
                state.came_from(rt, &place, size);
            }
            // A prefetch.
            (_, 2) if size == 8 => {}
            (_, opc) => {
                if opc == 1 {
                    load_to(state, memory, &place, size, rt);
                    return;
                }
                let value = load(state, memory, &place, size);
                let value = match opc {
                    2 => sign_extended(&value, size * 8 - 1),
                    _ => sign_extended(&value, size * 8 - 1).low(32),
                };
                state.set(rt, value);
            }
        }
        return;
    }
    // Load-acquire, store-release; exclusives.
    if word & 0x3f00_0000 == 0x0800_0000 {
        let size = 1 << (word >> 30);
        let rs = (word >> 16 & 31) as usize;
        let (is_load, is_exclusive) = (word >> 22 & 1 == 1, word >> 23 & 1 == 0);
        let is_pair = word >> 21 & 1 == 1;
        if is_pair {
            // Also compare and swap.
            for register in [rt, rs, (word >> 10 & 31) as usize] {
                state.set(register, OPAQUE);
            }
            store(state, memory, &base, 16, &OPAQUE);
        } else if is_load {
            let value = load(state, memory, &base, size);
            state.set(rt, value);
        } else {
            let value = state.get(rt).low_or_same(size * 8);
            store(state, memory, &base, size, &value);
            if is_exclusive {
                state.set(rs, PLAIN);
            }
        }
        return;
    }
    // Vectors in structures.
    if is_vector {
        if word >> 22 & 1 == 0 {
            store(state, memory, &base, 64, &OPAQUE);
        }
        if word >> 23 & 1 == 1 {
            state.set(rn, PLAIN);
        }
        return;
    }
    // LDAPR loads, LDAPUR and STLUR load and store, the others are atomic.
    let size = 1 << (word >> 30);
    if word & 0x3fff_fc00 == 0x38bf_c000 {
        let value = load(state, memory, &base, size);
        state.set(rt, value);
        return;
    }
    state.set(rt, OPAQUE);
    state.set((word >> 16 & 31) as usize, OPAQUE);
    store(state, memory, &base, size, &OPAQUE);
}

/// Loads into a register, which is then known to hold what the place does.
fn load_to(state: &mut State, memory: &mut impl Memory, place: &Val, size: u32, register: usize) {
    let value = load(state, memory, place, size);
    state.set(register, value);
    state.came_from(register, place, size);
}

fn load(state: &mut State, memory: &mut impl Memory, place: &Val, size: u32) -> Val {
    if let Some(address) = place.as_constant() {
        if let Some(value) = state.cell(address, size) {
            return value;
        }
        let value = memory.load(address, size);
        state.set_cell(address, size, value.clone());
        return value;
    }
    match place {
        Val::Stack(at) => state.load(*at, size),
        Val::Alts(list) => {
            let mut out: Option<Val> = None;
            for alt in list.iter() {
                let value = memory.load(alt.value, size).under(alt.has, alt.opaque);
                out = Some(match out {
                    Some(known) => {
                        let joined = known.join(&value);
                        if joined.as_alts().is_none() {
                            memory.lose(&known, state.has);
                            memory.lose(&value, state.has);
                        }
                        joined
                    }
                    None => value,
                });
            }
            out.unwrap_or(OPAQUE)
        }
        _ => OPAQUE,
    }
}

fn store(state: &mut State, memory: &mut impl Memory, place: &Val, size: u32, value: &Val) {
    match place {
        Val::Stack(at) => {
            for lost in state.store(*at, size, value.clone()) {
                memory.lose(&lost, state.has);
            }
        }
        Val::Alts(list) => {
            state.forget_cells();
            if let Some(address) = place.as_constant() {
                state.set_cell(address, size, value.clone());
            }
            for alt in list.iter() {
                let value = value.under(state.has | alt.has, alt.opaque);
                memory.store(alt.value, size, &value);
            }
            lose_frame(state, memory, value);
        }
        _ => {
            state.forget_cells();
            memory.lose(value, state.has);
            lose_frame(state, memory, value);
        }
    }
}

/// An address of the frame goes elsewhere.
pub(super) fn lose_frame(state: &mut State, memory: &mut impl Memory, value: &Val) {
    if let Val::Stack(at) = value {
        for lost in state.share(*at) {
            memory.lose(&lost, state.has);
        }
    }
}
