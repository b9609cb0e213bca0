//! Arithmetic with flags (Intel's manual, volume 1, section 3.4.3).

use super::{Flags, Machine};
use anyhow::{Result, bail};
use iced_x86::{ConditionCode, Instruction};

/// All ones in `size` bytes.
pub(super) const fn mask(size: usize) -> u64 {
    if size >= 8 {
        u64::MAX
    } else {
        (1 << (size * 8)) - 1
    }
}

const fn sign(value: u64, size: usize) -> bool {
    value >> (size * 8 - 1) & 1 == 1
}

/// A number of `size` bytes with its sign in the upper bits.
pub(super) const fn extended(value: u64, size: usize) -> u64 {
    let shift = 64 - size as u32 * 8;
    ((value << shift) as i64 >> shift) as u64
}

impl Machine<'_> {
    fn logic_flags(&mut self, result: u64, size: usize) {
        self.flags = Flags {
            zero: result == 0,
            sign: sign(result, size),
            parity: (result as u8).count_ones().is_multiple_of(2),
            ..Flags::default()
        };
    }

    /// Flags of a logical operation, and its result.
    pub(super) fn logic(&mut self, result: u64, size: usize) -> u64 {
        let result = result & mask(size);
        self.logic_flags(result, size);
        result
    }

    /// `a + b + carry` in `size` bytes.
    pub(super) fn add(&mut self, a: u64, b: u64, carry: bool, size: usize) -> u64 {
        let (a, b) = (a & mask(size), b & mask(size));
        let wide = u128::from(a) + u128::from(b) + u128::from(carry);
        let result = wide as u64 & mask(size);
        self.logic_flags(result, size);
        self.flags.carry = wide >> (size * 8) != 0;
        self.flags.overflow = sign(a, size) == sign(b, size) && sign(a, size) != sign(result, size);
        result
    }

    /// `a - b - borrow` in `size` bytes.
    pub(super) fn subtract(&mut self, a: u64, b: u64, borrow: bool, size: usize) -> u64 {
        let (a, b) = (a & mask(size), b & mask(size));
        let result = a.wrapping_sub(b).wrapping_sub(borrow.into()) & mask(size);
        self.logic_flags(result, size);
        self.flags.carry = u128::from(a) < u128::from(b) + u128::from(borrow);
        self.flags.overflow = sign(a, size) != sign(b, size) && sign(a, size) != sign(result, size);
        result
    }

    /// Whether a conditional jump, move or set takes place.
    pub(super) fn holds(&self, code: ConditionCode) -> Result<bool> {
        let f = self.flags;
        Ok(match code {
            ConditionCode::o => f.overflow,
            ConditionCode::no => !f.overflow,
            ConditionCode::b => f.carry,
            ConditionCode::ae => !f.carry,
            ConditionCode::e => f.zero,
            ConditionCode::ne => !f.zero,
            ConditionCode::be => f.carry || f.zero,
            ConditionCode::a => !f.carry && !f.zero,
            ConditionCode::s => f.sign,
            ConditionCode::ns => !f.sign,
            ConditionCode::p => f.parity,
            ConditionCode::np => !f.parity,
            ConditionCode::l => f.sign != f.overflow,
            ConditionCode::ge => f.sign == f.overflow,
            ConditionCode::le => f.zero || f.sign != f.overflow,
            ConditionCode::g => !f.zero && f.sign == f.overflow,
            ConditionCode::None => bail!("no condition"),
        })
    }

    /// Whether a conditional branch is taken.
    pub(super) fn taken(&mut self, instruction: &Instruction) -> Result<bool> {
        use iced_x86::{Mnemonic, Register};
        match instruction.mnemonic() {
            Mnemonic::Jrcxz => Ok(self.register(Register::RCX) == 0),
            Mnemonic::Jecxz => Ok(self.register(Register::ECX) == 0),
            _ => self.holds(instruction.condition_code()),
        }
    }
}
