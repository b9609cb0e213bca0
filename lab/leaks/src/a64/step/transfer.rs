//! Loads and stores.

use super::Memory;
use super::operand::{extended, lose_operands, or_sp, sign_extended, sum};
use crate::a64::decode::signed;
use crate::a64::features::WORDS;
use crate::a64::given::HEAP;
use crate::a64::state::State;
use crate::a64::value::{Alt, Doubt, OPAQUE, PLAIN, VAGUE, Val};
use crate::a64::vector::Vector;

/// Bytes of one register that a load or store moves.
fn bytes(word: u32) -> u32 {
    let size = word >> 30;
    match (word >> 26 & 1, word >> 22 & 3) {
        (0, _) => 1 << size,
        (_, 2 | 3) if size == 0 => 16,
        _ => 1 << size,
    }
}

pub(super) fn load_or_store(state: &mut State, memory: &mut impl Memory, word: u32, at: u64) {
    let (rt, rn) = ((word & 31) as usize, or_sp(word >> 5));
    let is_vector = word >> 26 & 1 == 1;
    // Literals.
    if word & 0x3b00_0000 == 0x1800_0000 {
        let from = at.wrapping_add_signed(signed(word, 5, 19) << 2);
        if is_vector {
            let value = load_vector(state, memory, &Val::constant(from), 4 << (word >> 30));
            state.set_vector(rt, value);
        } else {
            let size = if word >> 30 & 1 == 1 { 8 } else { 4 };
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
                (true, true) => {
                    let value = load_vector(state, memory, &place, size);
                    state.set_vector(register, value);
                }
                (true, false) => {
                    let value = load(state, memory, &place, size);
                    let value = match word >> 30 {
                        1 => sign_extended(&value, 31),
                        _ => value,
                    };
                    state.set(register, value);
                }
                (false, true) => store_vector(state, memory, &place, size, register),
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
            (true, 0 | 2) => store_vector(state, memory, &place, size, rt),
            (true, _) => {
                let value = load_vector(state, memory, &place, size);
                state.set_vector(rt, value);
            }
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
            let opaque = (0..4).any(|more| state.vector((rt + more) % 32).lost());
            store(state, memory, &base, 64, &Val::Top { opaque });
        } else {
            for more in 0..4 {
                state.set_vector((rt + more) % 32, Vector::Top { opaque: true });
            }
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
        Val::Stack(region, at) => match state.load((*region, *at), size) {
            VAGUE => memory.elsewhere(),
            value => value,
        },
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
        // Behind what may be an answer is one.
        _ if place.doubt() == Doubt::Opaque || place.says() => OPAQUE,
        _ => memory.elsewhere(),
    }
}

/// What a vector register is loaded with.
fn load_vector(state: &mut State, memory: &mut impl Memory, place: &Val, size: u32) -> Vector {
    let low = load(state, memory, place, size.min(8));
    match size {
        16.. => {
            let place = sum(place, &Val::constant(8), false, 64);
            Vector::of(low, load(state, memory, &place, 8))
        }
        _ => Vector::of(low, Val::constant(0)),
    }
}

fn store_vector(
    state: &mut State,
    memory: &mut impl Memory,
    place: &Val,
    size: u32,
    register: usize,
) {
    let value = state.vector(register);
    let low = value.half(0).low_or_same(size.min(8) * 8);
    store(state, memory, place, size.min(8), &low);
    if size > 8 {
        let place = sum(place, &Val::constant(8), false, 64);
        store(state, memory, &place, 8, &value.half(1));
    }
}

fn store(state: &mut State, memory: &mut impl Memory, place: &Val, size: u32, value: &Val) {
    match place {
        Val::Stack(region, at) => {
            for lost in state.store((*region, *at), size, value.clone()) {
                memory.lose(&lost, state.has);
            }
            if *region == HEAP {
                memory.escapes(value, state.has);
            }
            // What an address there leads to others may write.
            if *region > 0 {
                lose_frame(state, memory, value);
            }
        }
        Val::Alts(list) => {
            state.forget_cells();
            if let Some(address) = place.as_constant() {
                state.set_cell(address, size, value.clone());
            }
            for alt in list.iter() {
                // A user's word on a function holds of pointers that it hands out.
                let is_code = |alt: &Alt| memory.is_code(alt.value);
                let is_all = state.has & WORDS == 0
                    || value.as_alts().is_some_and(|list| list.iter().all(is_code));
                let has = if is_all {
                    state.has
                } else {
                    state.has & !WORDS
                };
                let is_doubted = alt.opaque || state.is_doubted();
                let value = value.under(has | alt.has, is_doubted);
                memory.store(alt.value, size, &value, state.has);
            }
            lose_frame(state, memory, value);
        }
        _ => {
            state.forget_cells();
            state.forget_object();
            memory.lose(value, state.has);
            memory.escapes(value, state.has);
            lose_frame(state, memory, value);
        }
    }
}

/// An address of the frame goes elsewhere.
pub(in crate::a64) fn lose_frame(state: &mut State, memory: &mut impl Memory, value: &Val) {
    if let Val::Stack(region, at) = value {
        for lost in state.share((*region, *at)) {
            memory.lose(&lost, state.has);
            memory.escapes(&lost, 0);
        }
    }
}
