//! `getauxval` of a C library that is linked in, and where it keeps the kernel's two words, by
//! their shape: without symbols these programs have no other sign of who asks.
//!
//! glibc's compares its argument with AT_HWCAP (16) and AT_HWCAP2 (26), and loads a variable for
//! each. Source: glibc 2.36, `misc/getauxval.c`.

use super::Program;
use crate::a64::decode::{page, signed};
use crate::a64::features::Told;

/// `cmp x0, #16` and `cmp x0, #26`.
const HWCAP: u32 = 0xf100_401f;
const HWCAP2: u32 = 0xf100_681f;
/// Instructions before the first comparison, between both and at each of their targets, at most.
const NEAR: u64 = 4;

/// Where a variable is loaded, and whether that is then what the routine returns.
struct Loaded {
    from: u64,
    is_result: bool,
}

impl Program<'_> {
    pub(super) fn find_auxval(&mut self) {
        let sections = self.sections.clone();
        for (start, bytes) in sections {
            for (number, four) in bytes.chunks_exact(4).enumerate() {
                if u32::from_le_bytes([four[0], four[1], four[2], four[3]]) == HWCAP {
                    self.note_auxval(start + 4 * number as u64);
                }
            }
        }
    }

    /// Where the branch behind a comparison leads if that found them equal.
    fn equal(&self, comparison: u64) -> Option<u64> {
        let at = comparison + 4;
        let word = self.word(at)?;
        (word & 0xff00_001f == 0x5400_0000)
            .then(|| at.wrapping_add_signed(signed(word, 5, 19) << 2))
    }

    fn note_auxval(&mut self, at: u64) {
        let begin = self.range(at).map_or(at, |range| range.start);
        let begin = begin.max(at.saturating_sub(4 * NEAR));
        let second = (at + 8..at + 8 + 4 * NEAR)
            .step_by(4)
            .find(|at| self.word(*at) == Some(HWCAP2));
        let (Some(first), Some(second)) = (self.equal(at), second.and_then(|at| self.equal(at)))
        else {
            return;
        };
        let (Some(one), Some(two)) = (
            self.loaded(begin, at, first),
            self.loaded(begin, at, second),
        ) else {
            return;
        };
        self.auxiliary.insert(one.from, Told::Hwcap);
        self.auxiliary.insert(two.from, Told::Hwcap2);
        if one.is_result && two.is_result && self.is_begin(begin) {
            self.auxval.insert(begin);
        }
    }

    fn is_begin(&self, address: u64) -> bool {
        self.is_start(address) || self.range(address).is_some_and(|r| r.start == address)
    }

    /// The variable that is loaded at `target`, with what was put in registers before.
    fn loaded(&self, begin: u64, end: u64, target: u64) -> Option<Loaded> {
        let mut known: [Option<u64>; 32] = [None; 32];
        let before = (begin..end).step_by(4);
        for at in before.chain((target..target + 4 * NEAR).step_by(4)) {
            let word = self.word(at)?;
            let (rd, rn) = ((word & 31) as usize, (word >> 5 & 31) as usize);
            let offset = u64::from(word >> 10 & 0xfff);
            known[rd] = match word {
                _ if word & 0x9f00_0000 == 0x9000_0000 => Some(page(word, at)),
                _ if word & 0xffc0_0000 == 0x9100_0000 => known[rn].map(|base| base + offset),
                _ if word & 0xffc0_0000 == 0xf940_0000 => {
                    let from = known[rn]? + 8 * offset;
                    if self.is_writable(from) {
                        return Some(Loaded {
                            from,
                            is_result: rd == 0 && self.word(at + 4) == Some(0xd65f_03c0),
                        });
                    }
                    self.initial(from, 8)
                }
                _ => None,
            };
        }
        None
    }
}
