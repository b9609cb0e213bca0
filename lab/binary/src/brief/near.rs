//! Jumps and calls by a distance, which are a fifth of all instructions: what is asked of them
//! stands in their first bytes.
//!
//! Source of the encodings: Intel SDM, volume 2, Jcc, JMP and CALL.

use iced_x86::FlowControl;

/// A direct branch or call without prefixes.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// What it is.
    pub flow: FlowControl,
    /// Bytes.
    pub length: u8,
    /// Where it goes.
    pub to: u64,
}

impl Near {
    /// The instruction that begins with these bytes and lies at an address, if it is such a one.
    #[inline(always)]
    #[must_use]
    pub fn of(word: u64, at: u64) -> Option<Self> {
        let long = (word >> 8) as i32;
        let short = i32::from(long as i8);
        let (flow, length, distance) = match word as u8 {
            0x70..=0x7f => (FlowControl::ConditionalBranch, 2, short),
            0x0f if word & 0xf000 == 0x8000 => {
                (FlowControl::ConditionalBranch, 6, (word >> 16) as i32)
            }
            0xe8 => (FlowControl::Call, 5, long),
            0xe9 => (FlowControl::UnconditionalBranch, 5, long),
            0xeb => (FlowControl::UnconditionalBranch, 2, short),
            _ => return None,
        };
        let next = at.wrapping_add(u64::from(length));
        let to = next.wrapping_add(i64::from(distance) as u64);
        Some(Self { flow, length, to })
    }
}
