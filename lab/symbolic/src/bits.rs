//! Words whose bits may be symbols: a number, an answer of CPUID, or not known.

use std::rc::Rc;

/// A bit: zero, one, not known (of a [`Kind`]), a symbol or its opposite, or one of these that
/// something unknown may take away ([`masked`]).
pub(crate) type Bit = u32;

pub(crate) const ZERO: Bit = 0;
pub(crate) const ONE: Bit = 1;
/// The first of the bits that are symbols.
const SYMBOLS: Bit = 8;
/// What bits that are masked have set. Their kind follows, the symbol, and whether it is all
/// turned round.
const MASKED: Bit = 1 << 31;
const NUMBER: Bit = (1 << 29) - 1;

/// Why something is not known. What is made of two is as the first here says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// It is not followed.
    Opaque = 2,
    /// It goes by the CPU's family, model or name.
    Model = 3,
    /// It goes by the environment.
    Environment = 4,
    /// It goes by what the program or the function is given.
    Input = 5,
}

impl Kind {
    pub fn bit(self) -> Bit {
        self as Bit
    }

    pub fn of(bit: Bit) -> Option<Self> {
        [Self::Opaque, Self::Model, Self::Environment, Self::Input]
            .into_iter()
            .find(|kind| kind.bit() == bit)
    }
}

/// The symbol of a number, as it is or its opposite.
pub(crate) fn symbol(number: u32, is_opposite: bool) -> Bit {
    SYMBOLS + number * 2 + u32::from(is_opposite)
}

/// A symbol's bit that is zero where something that is not known says so: zero where the symbol's
/// bit is, and not known where that is set. No way has to part until it is asked for.
fn masked(bit: Bit, kind: Kind) -> Bit {
    MASKED | (kind.bit() - Kind::Opaque.bit()) << 29 | (bit - SYMBOLS) << 1
}

pub(crate) fn is_masked(bit: Bit) -> bool {
    bit & MASKED != 0
}

/// What a bit is where its symbol is set, or not.
pub(crate) fn resolved(bit: Bit, is_set: bool) -> Option<Bit> {
    let (_, is_opposite) = symbol_of(bit)?;
    let own = Bit::from(is_set != is_opposite);
    Some(match (is_masked(bit), own) {
        (true, ONE) => (bit >> 29 & 3) + Kind::Opaque.bit(),
        (true, _) => bit & 1,
        (false, own) => own,
    })
}

/// The symbol that a bit goes by, and whether by its opposite.
pub(crate) fn symbol_of(bit: Bit) -> Option<(u32, bool)> {
    let at = match is_masked(bit) {
        true => (bit & NUMBER) >> 1,
        false => bit.checked_sub(SYMBOLS)?,
    };
    Some((at / 2, at % 2 == 1))
}

/// Two ways must be told apart first: one where the symbol is set, one where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fork(pub u32);

pub(crate) fn not(bit: Bit) -> Bit {
    match bit {
        ZERO => ONE,
        ONE => ZERO,
        _ if is_masked(bit) => bit ^ 1,
        _ if bit >= SYMBOLS => SYMBOLS + ((bit - SYMBOLS) ^ 1),
        _ => bit,
    }
}

pub(crate) fn and(a: Bit, b: Bit) -> Result<Bit, Fork> {
    let fork = |bit| Err(Fork(symbol_of(bit).unwrap_or_default().0));
    match (a, b) {
        (ZERO, _) | (_, ZERO) => Ok(ZERO),
        (ONE, other) | (other, ONE) => Ok(other),
        _ if a == b => Ok(a),
        _ if is_masked(a) => fork(a),
        _ if is_masked(b) => fork(b),
        _ if a == not(b) => Ok(ZERO),
        _ => match (Kind::of(a), Kind::of(b)) {
            (None, None) => fork(a),
            (None, Some(kind)) => Ok(masked(a, kind)),
            (Some(kind), None) => Ok(masked(b, kind)),
            (Some(_), Some(_)) => Ok(a.min(b)),
        },
    }
}

pub(crate) fn or(a: Bit, b: Bit) -> Result<Bit, Fork> {
    and(not(a), not(b)).map(not)
}

pub(crate) fn xor(a: Bit, b: Bit) -> Result<Bit, Fork> {
    match (a, b) {
        (ZERO, other) | (other, ZERO) => Ok(other),
        (ONE, other) | (other, ONE) => Ok(not(other)),
        _ => match (symbol_of(a), symbol_of(b)) {
            (Some((number, _)), Some(_)) if is_masked(a) => Err(Fork(number)),
            (Some(_), Some((number, _))) if is_masked(b) => Err(Fork(number)),
            (Some(_), Some(_)) if a == b => Ok(ZERO),
            (Some(_), Some(_)) if a == not(b) => Ok(ONE),
            (Some((number, _)), Some(_)) => Err(Fork(number)),
            // What is not known is not known, whatever the other is.
            (None, _) => Ok(a),
            (_, None) => Ok(b),
        },
    }
}

/// 64 bits.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Word {
    Known(u64),
    /// So many low bits are not known; the others are zero.
    Unknown(u8, Kind),
    Bits(Rc<[Bit; 64]>),
}

/// The low `size` bytes set.
pub(crate) fn mask(size: usize) -> u64 {
    if size >= 8 {
        u64::MAX
    } else {
        (1 << (size * 8)) - 1
    }
}

impl Word {
    pub const ZERO: Self = Self::Known(0);

    /// `size` bytes that are not known.
    pub fn unknown(size: usize, kind: Kind) -> Self {
        Self::Unknown((size * 8).min(64) as u8, kind)
    }

    pub fn known(&self) -> Option<u64> {
        match self {
            Self::Known(value) => Some(*value),
            _ => None,
        }
    }

    pub fn bit(&self, at: usize) -> Bit {
        match self {
            Self::Known(value) => (value >> at & 1) as Bit,
            Self::Unknown(bits, kind) => match at < usize::from(*bits) {
                true => kind.bit(),
                false => ZERO,
            },
            Self::Bits(bits) => bits[at],
        }
    }

    pub fn from_bits(bits: [Bit; 64]) -> Self {
        if bits.iter().all(|bit| *bit <= ONE) {
            let value = (0..64).fold(0, |all, at| all | u64::from(bits[at]) << at);
            return Self::Known(value);
        }
        if let Some(kind) = Kind::of(bits[0]) {
            let same = bits.iter().take_while(|bit| **bit == bits[0]).count();
            if bits[same..].iter().all(|bit| *bit == ZERO) {
                return Self::Unknown(same as u8, kind);
            }
        }
        Self::Bits(Rc::new(bits))
    }

    pub fn each(&self) -> [Bit; 64] {
        match self {
            Self::Bits(bits) => **bits,
            _ => std::array::from_fn(|at| self.bit(at)),
        }
    }

    /// Why it is not known, if some of it is not.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Known(_) => None,
            Self::Unknown(_, kind) => Some(*kind),
            Self::Bits(bits) => bits.iter().filter_map(|bit| Kind::of(*bit)).min(),
        }
    }

    /// The number: none if it is not known.
    ///
    /// # Errors
    /// Where it has symbols: ways must be told apart by one of them first.
    pub fn number(&self) -> Result<Option<u64>, Fork> {
        match self {
            Self::Known(value) => Ok(Some(*value)),
            Self::Unknown(..) => Ok(None),
            Self::Bits(bits) => {
                if bits.iter().any(|bit| Kind::of(*bit).is_some()) {
                    return Ok(None);
                }
                let mut symbols: Vec<u32> = bits
                    .iter()
                    .filter_map(|bit| Some(symbol_of(*bit)?.0))
                    .collect();
                let first = symbols[0];
                symbols.sort_unstable();
                symbols.dedup();
                // A whole register of answers is no number that a program counts with.
                match symbols.len() <= 16 {
                    true => Err(Fork(first)),
                    false => Ok(None),
                }
            }
        }
    }

    /// The least and the most that it may be.
    pub fn bounds(&self) -> (u64, u64) {
        match self {
            Self::Known(value) => (*value, *value),
            _ => (0..64).fold((0, 0), |(least, most), at| {
                let bit = self.bit(at);
                (
                    least | u64::from(bit == ONE) << at,
                    most | u64::from(bit != ZERO) << at,
                )
            }),
        }
    }

    /// Its low `size` bytes.
    pub fn low(&self, size: usize) -> Self {
        match self {
            Self::Known(value) => Self::Known(value & mask(size)),
            Self::Unknown(bits, kind) => {
                Self::Unknown((*bits).min((size * 8).min(64) as u8), *kind)
            }
            Self::Bits(bits) if size < 8 => {
                let mut bits = **bits;
                bits[size * 8..].fill(ZERO);
                Self::from_bits(bits)
            }
            Self::Bits(_) => self.clone(),
        }
    }

    /// With `size` bytes at a bit replaced.
    pub fn with(&self, other: &Self, at: usize, size: usize) -> Self {
        if let (Self::Known(old), Self::Known(new)) = (self, other) {
            return Self::Known(old & !(mask(size) << at) | (new & mask(size)) << at);
        }
        let mut bits = self.each();
        for number in 0..size * 8 {
            bits[at + number] = other.bit(number);
        }
        Self::from_bits(bits)
    }

    /// Shifted to the left; zeros follow.
    pub fn left(&self, by: usize) -> Self {
        match self {
            _ if by >= 64 => Self::ZERO,
            Self::Known(value) => Self::Known(value << by),
            _ => Self::from_bits(std::array::from_fn(|at| match at < by {
                true => ZERO,
                false => self.bit(at - by),
            })),
        }
    }

    /// Shifted to the right; zeros follow.
    pub fn right(&self, by: usize) -> Self {
        match self {
            _ if by >= 64 => Self::ZERO,
            Self::Known(value) => Self::Known(value >> by),
            _ => Self::from_bits(std::array::from_fn(|at| match at + by < 64 {
                true => self.bit(at + by),
                false => ZERO,
            })),
        }
    }

    /// `size` bytes with the sign's bit repeated in all above.
    pub fn signed(&self, size: usize) -> Self {
        if size >= 8 {
            return self.clone();
        }
        match self {
            Self::Known(value) => {
                let by = 64 - size * 8;
                Self::Known(((value << by) as i64 >> by) as u64)
            }
            _ => {
                let sign = self.bit(size * 8 - 1);
                let mut bits = self.each();
                bits[size * 8..].fill(sign);
                Self::from_bits(bits)
            }
        }
    }

    pub fn zip(
        &self,
        other: &Self,
        by: impl Fn(Bit, Bit) -> Result<Bit, Fork>,
    ) -> Result<Self, Fork> {
        let mut bits = [ZERO; 64];
        for (at, bit) in bits.iter_mut().enumerate() {
            *bit = by(self.bit(at), other.bit(at))?;
        }
        Ok(Self::from_bits(bits))
    }

    pub fn and(&self, other: &Self) -> Result<Self, Fork> {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => Ok(Self::Known(a & b)),
            _ => self.zip(other, and),
        }
    }

    pub fn or(&self, other: &Self) -> Result<Self, Fork> {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => Ok(Self::Known(a | b)),
            _ => self.zip(other, or),
        }
    }

    pub fn xor(&self, other: &Self) -> Result<Self, Fork> {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => Ok(Self::Known(a ^ b)),
            _ => self.zip(other, xor),
        }
    }

    pub fn not(&self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            _ => Self::from_bits(std::array::from_fn(|at| not(self.bit(at)))),
        }
    }

    /// What two ways have in common: bits that differ are not known.
    pub fn joined(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        Self::from_bits(std::array::from_fn(|at| {
            match (self.bit(at), other.bit(at)) {
                (a, b) if a == b => a,
                // Which of them it is may go by the CPU.
                _ => Kind::Opaque.bit(),
            }
        }))
    }

    /// One way's word and the other's as one word that is either where it is asked for; none
    /// where no symbol tells which, or with `is_lossy` bits that are not known there. `mine` and
    /// `theirs` say what a bit is on each way, `by` is a symbol that is set on the one way only.
    pub fn chosen(
        &self,
        other: &Self,
        by: Option<Bit>,
        mine: &dyn Fn(Bit) -> Bit,
        theirs: &dyn Fn(Bit) -> Bit,
        is_lossy: bool,
    ) -> Option<Self> {
        if self == other {
            return Some(self.clone());
        }
        let mut bits = [ZERO; 64];
        for (at, bit) in bits.iter_mut().enumerate() {
            let (a, b) = (self.bit(at), other.bit(at));
            *bit = match (a, b) {
                _ if a == b => a,
                _ if Kind::of(a).is_some() || Kind::of(b).is_some() => said(a, b, by)
                    .or_else(|| said(b, a, by.map(not)))
                    .unwrap_or(Kind::Opaque.bit()),
                _ => {
                    let all = [Some(a), Some(b), by, by.map(not)];
                    let (own, their) = (mine(a), theirs(b));
                    let is_both = |bit: &Bit| mine(*bit) == own && theirs(*bit) == their;
                    let lost = is_lossy.then_some(Kind::Opaque.bit());
                    all.into_iter().flatten().find(is_both).or(lost)?
                }
            };
        }
        Some(Self::from_bits(bits))
    }
}

/// A bit that the user says where a symbol's bit is set, and that is known elsewhere.
fn said(a: Bit, b: Bit, by: Option<Bit>) -> Option<Bit> {
    let by = by.filter(|by| symbol_of(*by).is_some() && !is_masked(*by))?;
    match (Kind::of(a)?, b) {
        (kind @ Kind::Environment, ZERO) => Some(masked(by, kind)),
        (kind @ Kind::Environment, ONE) => Some(not(masked(by, kind))),
        _ => None,
    }
}

#[cfg(test)]
#[path = "bits_tests.rs"]
mod tests;
