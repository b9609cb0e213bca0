//! What the C library that is linked in keeps of the kernel's words for its own resolvers: its
//! start copies one bit of AT_HWCAP to a byte (`ubfx`, `strb`), and the CPU's number beside it.
//!
//! Source: glibc 2.36, `sysdeps/unix/sysv/linux/aarch64/cpu-features.c` (`init_cpu_features`).

use super::Program;
use crate::a64::decode::{Control, control, page};
use crate::a64::features::Told;
use karat_symbolic::Auxiliary;

/// What a register holds, in one pass over the code.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    Nothing,
    Address(u64),
    Word(Told),
    Bit(Told, u32),
    Model,
}

impl Program<'_> {
    pub(super) fn find_kept(&mut self) {
        if self.auxiliary.is_empty() {
            return;
        }
        let sections = self.sections.clone();
        for (start, bytes) in sections {
            let mut held = [Held::Nothing; 32];
            for (at, four) in (start..).step_by(4).zip(bytes.chunks_exact(4)) {
                let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                self.note_kept(word, at, &mut held);
            }
        }
    }

    fn note_kept(&mut self, word: u32, at: u64, held: &mut [Held; 32]) {
        match control(word, at) {
            Control::Next | Control::Branch(..) => {}
            // What a call leaves of these is not known.
            Control::Call(_) | Control::CallRegister(_) => return held[..19].fill(Held::Nothing),
            _ => return held.fill(Held::Nothing),
        }
        let (rd, rn) = ((word & 31) as usize, (word >> 5 & 31) as usize);
        let by = u64::from(word >> 10 & 0xfff);
        let place = |held: &[Held; 32], offset: u64| match held[rn] {
            Held::Address(base) => Some(base.wrapping_add(offset)),
            _ => None,
        };
        let put = match word {
            _ if word & 0x9f00_0000 == 0x9000_0000 => Held::Address(page(word, at)),
            _ if word & 0xffc0_0000 == 0x9100_0000 => {
                place(held, by).map_or(Held::Nothing, Held::Address)
            }
            _ if word & 0xffc0_0000 == 0xf940_0000 => {
                let told = place(held, 8 * by).and_then(|at| self.auxiliary.get(&at));
                told.map_or(Held::Nothing, |told| Held::Word(*told))
            }
            // UBFX of one bit, of 32 or of 64.
            _ if word & 0x7f80_0000 == 0x5300_0000
                && word >> 16 & 63 == word >> 10 & 63
                && matches!(held[rn], Held::Word(_)) =>
            {
                match held[rn] {
                    Held::Word(told) => Held::Bit(told, word >> 16 & 63),
                    _ => Held::Nothing,
                }
            }
            // MRS of MIDR_EL1.
            _ if word & 0xffff_ffe0 == 0xd538_0000 => Held::Model,
            // STRB and STR.
            _ if word & 0xffc0_0000 == 0x3900_0000 => {
                if let (Held::Bit(told, bit), Some(to)) = (held[rd], place(held, by)) {
                    self.kept_bits.insert(to, (told, bit));
                }
                return;
            }
            _ if word & 0xffc0_0000 == 0xf900_0000 => {
                if let (Held::Model, Some(to)) = (held[rd], place(held, 8 * by)) {
                    self.kept_models.insert(to);
                }
                return;
            }
            // Other stores, branches, and what sets no general register.
            _ if word & 0x3a00_0000 == 0x2800_0000 && word >> 22 & 1 == 0 => return,
            _ if word & 0x3b40_0000 == 0x3800_0000 || word >> 25 & 7 == 7 => return,
            _ if word >> 25 & 0xe == 0b1010 => return,
            _ => Held::Nothing,
        };
        held[rd] = put;
    }

    /// The bit of the kernel's word that a byte holds.
    pub fn kept_bit(&self, address: u64) -> Option<(Told, u32)> {
        self.kept_bits.get(&address).copied()
    }

    /// All places where the C library keeps the kernel's words, and its own `getauxval`.
    pub fn kept(&self) -> Auxiliary {
        let words = self.auxiliary.iter().map(|(at, told)| (*at, *told));
        let bits = self.kept_bits.iter().map(|(at, bit)| (*at, *bit));
        let mut known = Auxiliary {
            words: words.collect(),
            bits: bits.collect(),
            models: self.kept_models.iter().copied().collect(),
            routines: self.auxval.iter().copied().collect(),
        };
        known.words.sort_unstable_by_key(|(at, _)| *at);
        known.bits.sort_unstable_by_key(|(at, _)| *at);
        known.models.sort_unstable();
        known.routines.sort_unstable();
        known
    }
}
