//! Numbers with a sign.

mod divide;
mod operators;

use crate::{TooLarge, Uint};
use core::cmp::Ordering;
use core::fmt;

/// A number of at most `64 N` bits and a sign. As [`Uint`], it does not allocate, takes no
/// constant time, and panics when a result does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Int<const N: usize> {
    magnitude: Uint<N>,
    /// Zero is not negative.
    negative: bool,
}

impl<const N: usize> Int<N> {
    /// Zero.
    pub const ZERO: Self = Self {
        magnitude: Uint::ZERO,
        negative: false,
    };
    /// One.
    pub const ONE: Self = Self {
        magnitude: Uint::ONE,
        negative: false,
    };

    /// The number with this sign and magnitude. Zero is never negative.
    #[inline]
    #[must_use]
    pub const fn new(negative: bool, magnitude: Uint<N>) -> Self {
        Self {
            negative: negative && !magnitude.is_zero(),
            magnitude,
        }
    }

    /// A small number.
    #[inline]
    #[must_use]
    pub const fn from_i64(value: i64) -> Self {
        Self::new(value < 0, Uint::from_u64(value.unsigned_abs()))
    }

    /// The number with this sign and these limbs, the least significant first.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn from_limbs(negative: bool, limbs: &[u64]) -> Result<Self, TooLarge> {
        Uint::from_limbs(limbs).map(|magnitude| Self::new(negative, magnitude))
    }

    /// The number without its sign.
    #[inline]
    #[must_use]
    pub const fn magnitude(&self) -> &Uint<N> {
        &self.magnitude
    }

    /// Whether the number is below zero.
    #[inline]
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the number is zero.
    #[inline]
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.magnitude.is_zero()
    }

    /// Length of the magnitude in bits.
    #[inline]
    #[must_use]
    pub fn bits(&self) -> usize {
        self.magnitude.bits()
    }

    /// The same number with the other sign.
    #[inline]
    pub const fn negate(&mut self) {
        self.negative = !self.negative && !self.magnitude.is_zero();
    }

    /// Compares the magnitudes.
    #[inline]
    #[must_use]
    pub fn compare_magnitude(&self, other: &Self) -> Ordering {
        self.magnitude.cmp(&other.magnitude)
    }
}

impl<const N: usize> From<Uint<N>> for Int<N> {
    #[inline]
    fn from(magnitude: Uint<N>) -> Self {
        Self::new(false, magnitude)
    }
}

impl<const N: usize> Ord for Int<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (negative, _) if negative => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

impl<const N: usize> PartialOrd for Int<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> fmt::LowerHex for Int<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        fmt::LowerHex::fmt(&self.magnitude, f)
    }
}

impl<const N: usize> fmt::Debug for Int<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{:?}", self.magnitude)
    }
}
