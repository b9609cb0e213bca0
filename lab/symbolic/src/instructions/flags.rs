//! The flags: made only where something asks for one.

use crate::bits::{Bit, Fork, Kind, ONE, Word, ZERO, is_masked, mask, not, or, symbol_of, xor};
use iced_x86::ConditionCode;

/// What set them last.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Flags {
    /// `a` less `b`, so many bytes.
    Less(Word, Word, usize),
    /// A result without a carry.
    Logic(Word, usize),
    /// A result, the carry, and the overflow.
    Result(Word, usize, Bit, Bit),
    /// zero, carry, parity, as floating-point comparisons have them.
    Compared(Bit, Bit, Bit),
    /// Carry and overflow, which are one; the others are not known.
    Product(Bit),
    /// The carry only; the others are as they are not known.
    Carry(Bit),
    Unknown(Kind),
}

/// Whether a word is zero.
fn is_zero(word: &Word, size: usize) -> Result<Bit, Fork> {
    if let Word::Known(value) = word {
        return Ok(Bit::from(value & mask(size) == 0));
    }
    let bits = (0..size * 8).map(|at| word.bit(at));
    let mut symbol = None;
    let mut is_many = false;
    let mut unknown = None;
    for bit in bits {
        match bit {
            ZERO => {}
            ONE => return Ok(ZERO),
            _ => match symbol_of(bit) {
                Some(_) => match symbol {
                    None => symbol = Some(bit),
                    Some(other) if other == bit => {}
                    Some(other) if other == not(bit) && !is_masked(bit) => return Ok(ZERO),
                    Some(_) => is_many = true,
                },
                None => unknown = Some(unknown.map_or(bit, |known: Bit| known.min(bit))),
            },
        }
    }
    match (symbol, unknown) {
        (_, Some(bit)) => Ok(bit),
        (None, None) => Ok(ONE),
        (Some(bit), None) if !is_many => Ok(not(bit)),
        (Some(bit), None) => Err(Fork(symbol_of(bit).unwrap_or_default().0)),
    }
}

fn sign(value: u64, size: usize) -> i64 {
    let by = 64 - size.min(8) * 8;
    (value << by) as i64 >> by
}

impl Flags {
    pub fn unknown(kind: Kind) -> Self {
        Self::Unknown(kind)
    }

    /// With each word as it is known now.
    pub fn plain(&self, one: impl Fn(Word) -> Word) -> Self {
        match self {
            Self::Less(a, b, size) => Self::Less(one(a.clone()), one(b.clone()), *size),
            Self::Logic(word, size) => Self::Logic(one(word.clone()), *size),
            Self::Result(word, size, carry, overflow) => {
                Self::Result(one(word.clone()), *size, *carry, *overflow)
            }
            _ => self.clone(),
        }
    }

    pub fn zero(&self) -> Result<Bit, Fork> {
        match self {
            Self::Less(a, b, size) => {
                if let Word::Known(0) = b {
                    return is_zero(a, *size);
                }
                // Bits that differ for certain decide, whatever the others are.
                let mut is_known = false;
                for at in 0..size * 8 {
                    is_known |= matches!((a.bit(at), b.bit(at)), (ZERO, ONE) | (ONE, ZERO));
                }
                match is_known {
                    true => Ok(ZERO),
                    false => is_zero(&a.xor(b)?, *size),
                }
            }
            Self::Logic(word, size) | Self::Result(word, size, ..) => is_zero(word, *size),
            Self::Compared(zero, ..) => Ok(*zero),
            Self::Carry(_) | Self::Product(_) => Ok(Kind::Opaque.bit()),
            Self::Unknown(kind) => Ok(kind.bit()),
        }
    }

    pub fn carry(&self) -> Result<Bit, Fork> {
        match self {
            // What is less than one is zero.
            Self::Less(a, Word::Known(1), size) => is_zero(a, *size),
            Self::Less(_, Word::Known(0), _) | Self::Logic(..) => Ok(ZERO),
            // Zero is less than all else.
            Self::Less(Word::Known(0), b, size) => is_zero(b, *size).map(not),
            Self::Less(a, b, size) => {
                let ((a_least, a_most), (b_least, b_most)) = (a.bounds(), b.bounds());
                match (a_most < b_least, a_least >= b_most) {
                    (true, _) => Ok(ONE),
                    (_, true) => Ok(ZERO),
                    _ => self.ordered(a, b, |a, b| a & mask(*size) < b & mask(*size)),
                }
            }
            Self::Result(_, _, carry, _)
            | Self::Compared(_, carry, _)
            | Self::Product(carry)
            | Self::Carry(carry) => Ok(*carry),
            Self::Unknown(kind) => Ok(kind.bit()),
        }
    }

    fn ordered(&self, a: &Word, b: &Word, by: impl Fn(u64, u64) -> bool) -> Result<Bit, Fork> {
        let kinds = [a.kind(), b.kind()].into_iter().flatten().min();
        if let Some(kind) = kinds {
            return Ok(kind.bit());
        }
        match (a.number()?, b.number()?) {
            (Some(a), Some(b)) => Ok(Bit::from(by(a, b))),
            _ => Ok(Kind::Opaque.bit()),
        }
    }

    fn sign(&self) -> Result<Bit, Fork> {
        match self {
            Self::Less(a, Word::Known(0), size) => Ok(a.bit(size * 8 - 1)),
            Self::Less(a, b, size) => {
                let ((a_least, a_most), (b_least, b_most)) = (a.bounds(), b.bounds());
                let is_small = (a_most | b_most) >> (size * 8 - 1) == 0;
                match (a_most < b_least, a_least >= b_most) {
                    (true, _) if is_small => Ok(ONE),
                    (_, true) if is_small => Ok(ZERO),
                    _ => self.ordered(a, b, |a, b| sign(a.wrapping_sub(b), *size) < 0),
                }
            }
            Self::Logic(word, size) | Self::Result(word, size, ..) => Ok(word.bit(size * 8 - 1)),
            Self::Compared(..) => Ok(ZERO),
            Self::Carry(_) | Self::Product(_) => Ok(Kind::Opaque.bit()),
            Self::Unknown(kind) => Ok(kind.bit()),
        }
    }

    fn overflow(&self) -> Result<Bit, Fork> {
        match self {
            Self::Less(_, Word::Known(0), _) | Self::Logic(..) | Self::Compared(..) => Ok(ZERO),
            Self::Less(a, b, size) if (a.bounds().1 | b.bounds().1) >> (size * 8 - 1) == 0 => {
                Ok(ZERO)
            }
            Self::Less(a, b, size) => self.ordered(a, b, |a, b| {
                let (a, b) = (sign(a, *size), sign(b, *size));
                i128::from(sign(a.wrapping_sub(b) as u64, *size)) != i128::from(a) - i128::from(b)
            }),
            Self::Result(_, _, _, overflow) => Ok(*overflow),
            Self::Product(overflow) => Ok(*overflow),
            Self::Carry(_) => Ok(Kind::Opaque.bit()),
            Self::Unknown(kind) => Ok(kind.bit()),
        }
    }

    fn parity(&self) -> Result<Bit, Fork> {
        let word = match self {
            Self::Compared(_, _, parity) => return Ok(*parity),
            Self::Logic(word, _) | Self::Result(word, ..) => word.clone(),
            Self::Less(Word::Known(a), Word::Known(b), _) => Word::Known(a.wrapping_sub(*b)),
            _ => return Ok(Kind::Opaque.bit()),
        };
        match word.low(1).number()? {
            Some(value) => Ok(Bit::from(value.count_ones() % 2 == 0)),
            None => Ok(word.kind().unwrap_or(Kind::Opaque).bit()),
        }
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: ConditionCode) -> Result<Bit, Fork> {
        use ConditionCode as C;
        Ok(match condition {
            C::e => self.zero()?,
            C::ne => not(self.zero()?),
            C::b => self.carry()?,
            C::ae => not(self.carry()?),
            C::be => or(self.carry()?, self.zero()?)?,
            C::a => not(or(self.carry()?, self.zero()?)?),
            C::s => self.sign()?,
            C::ns => not(self.sign()?),
            C::o => self.overflow()?,
            C::no => not(self.overflow()?),
            C::p => self.parity()?,
            C::np => not(self.parity()?),
            C::l => xor(self.sign()?, self.overflow()?)?,
            C::ge => not(xor(self.sign()?, self.overflow()?)?),
            C::le => or(self.zero()?, xor(self.sign()?, self.overflow()?)?)?,
            C::g => not(or(self.zero()?, xor(self.sign()?, self.overflow()?)?)?),
            C::None => ONE,
        })
    }
}

#[cfg(test)]
#[path = "flags_tests.rs"]
mod tests;
