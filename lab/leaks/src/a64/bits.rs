//! A word by its bits: what the CPU has where each is set, and where it is clear.

use super::alts::Alt;
use super::features::{ALL, Set};

/// A word by its bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    /// What the CPU has where a bit is set, and where it is clear.
    pub set: [Set; 64],
    pub clear: [Set; 64],
    /// Bits that something decides which is not understood.
    pub opaque: u64,
}

impl Bits {
    pub fn of(alts: &[Alt]) -> Self {
        let mut out = Self {
            set: [ALL; 64],
            clear: [ALL; 64],
            opaque: 0,
        };
        for alt in alts {
            for bit in 0..64 {
                let side = match alt.value >> bit & 1 {
                    1 => &mut out.set[bit],
                    _ => &mut out.clear[bit],
                };
                *side &= alt.has;
            }
            if alt.opaque {
                out.opaque = u64::MAX;
            }
        }
        out
    }

    /// A word of which nothing is known.
    pub fn any(opaque: bool) -> Self {
        Self {
            set: [0; 64],
            clear: [0; 64],
            opaque: if opaque { u64::MAX } else { 0 },
        }
    }

    pub fn is_never_set(&self) -> bool {
        self.set.iter().all(|has| *has == ALL)
    }

    /// Opaque bits that may be set.
    pub fn opaque(&self) -> bool {
        (0..64).any(|bit| self.opaque >> bit & 1 == 1 && self.set[bit] != ALL)
    }

    /// Bits moved up or down, zeros moved in.
    pub fn shifted(&self, by: i32) -> Self {
        let mut out = Self {
            set: [ALL; 64],
            clear: [0; 64],
            opaque: match by >= 0 {
                true => self.opaque.checked_shl(by.unsigned_abs()).unwrap_or(0),
                false => self.opaque.checked_shr(by.unsigned_abs()).unwrap_or(0),
            },
        };
        for to in 0..64i32 {
            if let Ok(from) = usize::try_from(to - by)
                && from < 64
            {
                out.set[to as usize] = self.set[from];
                out.clear[to as usize] = self.clear[from];
            }
        }
        out
    }
}
