//! What an instruction that does not branch makes of what is known.

mod immediate;
mod operand;
mod register;
mod transfer;

use super::features::Told;
use super::flags::Flags;
use super::program::THREAD;
use super::state::State;
use super::value::{OPAQUE, PLAIN, Val};
use super::vector::{ANY, vector};
use immediate::immediate;
use register::register;
use transfer::load_or_store;

pub(super) use transfer::lose_frame;

/// Memory that a routine shares with others, as the whole file sees it.
pub(super) trait Memory {
    /// What is loaded from an address.
    fn load(&mut self, address: u64, size: u32) -> Val;
    /// A value is stored at an address, on a CPU that has so much.
    fn store(&mut self, address: u64, size: u32, value: &Val, has: u64);
    /// Whether code lies at an address.
    fn is_code(&self, address: u64) -> bool;
    /// What is loaded from memory that is not followed.
    fn elsewhere(&mut self) -> Val;
    /// A value is stored in such memory.
    fn escapes(&mut self, value: &Val, has: u64);
    /// A value goes where it is not followed, on a CPU that has so much.
    fn lose(&mut self, value: &Val, has: u64);
}

pub(super) fn step(state: &mut State, memory: &mut impl Memory, word: u32, at: u64) {
    let rd = (word & 31) as usize;
    match word >> 25 & 0xf {
        0b1000 | 0b1001 => immediate(state, word, at),
        0b0101 | 0b1101 => register(state, memory, word),
        0b0100 | 0b1100 | 0b0110 | 0b1110 => load_or_store(state, memory, word, at),
        // System: MRS.
        0b1010 | 0b1011 if word & 0xffff_ffe0 == 0xd53b_d040 => {
            state.set(rd, Val::constant(THREAD));
        }
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
        0b0111 | 0b1111 => {
            // Conversions to general registers; comparisons.
            let is_converted = word & 0x5f20_fc00 == 0x1e20_0000;
            let is_moved = word & 0xffe6_fc00 == 0x1e26_0000
                || word & 0xffe6_fc00 == 0x9e66_0000
                || word & 0xffff_fc00 == 0x9eae_0000
                || word & 0xffff_fc00 == 0x9eaf_0000;
            if word & 0x5f20_0c00 == 0x1e20_0400 || word & 0x5f20_fc00 == 0x1e20_2000 {
                state.flags = Flags::Lost { opaque: false };
            } else if is_converted && !is_moved {
                match word >> 16 & 7 {
                    // SCVTF, UCVTF: to a vector.
                    2 | 3 => state.set_vector(rd, ANY),
                    _ => state.set(rd, PLAIN),
                }
            } else {
                vector(state, word);
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
}
