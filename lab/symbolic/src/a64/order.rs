//! Registers that an instruction reads, and those that it writes as a whole: as bits, general
//! ones by the engine's numbers, then those of vectors. Of what is not told apart here more is
//! read, and less written, than is.

use super::{field, place};
use crate::state::REGISTERS;
use karat_flow::a64::decode::{Condition, Control, control};

fn x(number: u32) -> u64 {
    1 << place(number)
}

/// What a register is written as: 31 is zero, or the stack's top, which is always read.
fn written(number: u32) -> u64 {
    if number == 31 { 0 } else { x(number) }
}

fn v(number: u32) -> u64 {
    1 << (REGISTERS + number as usize % REGISTERS)
}

/// Reads and writes.
#[must_use]
pub fn used(word: u32) -> (u64, u64) {
    let (rd, rn, rm, ra) = (
        field(word, 0, 5),
        field(word, 5, 5),
        field(word, 16, 5),
        field(word, 10, 5),
    );
    match control(word, 0) {
        Control::Next => {}
        Control::Branch(_, Condition::Flags(_)) => return (0, 0),
        Control::Branch(_, Condition::Zero(register, ..) | Condition::Clear(register, ..)) => {
            return (x(register as u32), 0);
        }
        Control::CallRegister(register) | Control::JumpRegister(register) => {
            return (x(register as u32), 0);
        }
        _ => return (0, 0),
    }
    match word >> 25 & 15 {
        0b1000 | 0b1001 => match (field(word, 23, 3), field(word, 29, 2)) {
            (0 | 1, _) => (0, written(rd)),
            // MOVK and BFM keep what they do not write.
            (5, 3) | (6, 1) => (x(rd) | x(rn), 0),
            (5, _) => (0, written(rd)),
            (7, _) => (x(rn) | x(rm), written(rd)),
            _ => (x(rn), written(rd)),
        },
        0b0101 | 0b1101 => {
            // A conditional comparison has flags where others have a register.
            let is_comparison = word & 0x1fe0_0000 == 0x1a40_0000;
            let out = if is_comparison { 0 } else { written(rd) };
            let third = if word & 0x1f00_0000 == 0x1b00_0000 {
                x(ra)
            } else {
                0
            };
            (x(rn) | x(rm) | third, out)
        }
        0b0100 | 0b0110 | 0b1100 | 0b1110 => transferred(word),
        0b0111 | 0b1111 => {
            let all = x(rn) | v(rd) | v(rn) | v(rm) | v(ra);
            computed(word, rd).map_or((all, 0), |written| (all & !v(rd) | own(word), written))
        }
        // MRS
        _ if word & 0xfff0_0000 == 0xd530_0000 => (0, written(rd)),
        _ if word & 0xfff0_0000 == 0xd510_0000 => (x(rd), 0),
        // A call of the system.
        _ if word & 0xffe0_001f == 0xd400_0001 => {
            ((0..9).fold(0, |all, number| all | x(number)), 0)
        }
        0b1010 | 0b1011 => (0, 0),
        // SVE and what is not known.
        _ => (u64::MAX, 0),
    }
}

/// Vector registers that are read and have the number of the one that is written.
fn own(word: u32) -> u64 {
    let rd = field(word, 0, 5);
    let others = [field(word, 5, 5), field(word, 16, 5), field(word, 10, 5)];
    if others.contains(&rd) { v(rd) } else { 0 }
}

/// What is written, of instructions on vectors that do not read that too.
fn computed(word: u32, rd: u32) -> Option<u64> {
    // To a general register.
    if word & 0x5f20_fc00 == 0x1e20_0000 {
        let opcode = field(word, 16, 5);
        let is_from = matches!(opcode & 7, 2 | 3 | 7);
        let is_half = field(word, 22, 2) == 2;
        return match (is_from, is_half) {
            (true, false) => Some(v(rd)),
            (false, _) => Some(written(rd)),
            _ => None,
        };
    }
    if word & 0x5e00_0000 == 0x1e00_0000 {
        // Comparisons have flags where others have a register.
        return (word & 0x5f20_fc07 != 0x1e20_2000).then(|| v(rd));
    }
    let is_copy = word & 0xbfe0_8400 == 0x0e00_0400;
    if is_copy {
        return match field(word, 11, 4) {
            0 | 1 => Some(v(rd)),
            5 | 7 => Some(written(rd)),
            _ => None,
        };
    }
    let is_number = word & 0x9ff8_0400 == 0x0f00_0400;
    let keeps = field(word, 12, 4) < 12 && field(word, 12, 1) == 1;
    let is_logic = word & 0x9f20_fc00 == 0x0e20_1c00;
    let is_choice = field(word, 29, 1) == 1 && field(word, 22, 2) != 0;
    let is_moved = word & 0xbf20_8c00 == 0x0e00_0800 || word & 0xbfe0_8400 == 0x2e00_0000;
    let is_sum = word & 0x9f20_fc00 == 0x0e20_8400;
    let is_shift = word & 0x9f80_0400 == 0x0f00_0400
        && !is_number
        && matches!(field(word, 11, 5), 0 | 0b10100 | 0b01010)
        && !(field(word, 29, 1) == 1 && field(word, 11, 5) == 0b01010);
    let is_written =
        is_number && !keeps || is_logic && !is_choice || is_moved || is_sum || is_shift;
    is_written.then(|| v(rd))
}

fn transferred(word: u32) -> (u64, u64) {
    let (rt, rn, rm, rt2) = (
        field(word, 0, 5),
        field(word, 5, 5),
        field(word, 16, 5),
        field(word, 10, 5),
    );
    let is_vector = field(word, 26, 1) == 1;
    let (scale, opc) = (field(word, 30, 2), field(word, 22, 2));
    let register = |number| if is_vector { v(number) } else { x(number) };
    let put = |number| {
        if is_vector {
            v(number)
        } else {
            written(number)
        }
    };
    match word & 0x3b00_0000 {
        0x1800_0000 if is_vector || scale != 3 => (0, put(rt)),
        0x2800_0000 | 0x2900_0000 => match field(word, 22, 1) {
            1 => (x(rn), put(rt) | put(rt2)),
            _ => (x(rn) | register(rt) | register(rt2), 0),
        },
        0x3900_0000 | 0x3800_0000 => {
            let is_number = word & 0x0100_0000 != 0 || field(word, 21, 1) == 0;
            let is_indexed = !is_number && field(word, 10, 2) == 2;
            if !is_number && !is_indexed {
                // Atomic.
                return (x(rn) | x(rm) | x(rt), 0);
            }
            let is_load = match is_vector {
                true => opc & 1 == 1,
                false => opc != 0 && !(opc == 2 && scale == 3),
            };
            let base = x(rn) | if is_indexed { x(rm) } else { 0 };
            match is_load {
                true => (base, put(rt)),
                false => (base | register(rt), 0),
            }
        }
        _ if is_vector => {
            let four = (0..4).fold(0, |all, at| all | v(rt + at));
            (x(rn) | x(rm) | four, 0)
        }
        _ => (x(rt) | x(rn) | x(rm) | x(rt2), 0),
    }
}
