//! Numbers without a sign.

mod add;
mod bytes;
mod divide;
mod multiply;
mod shift;

use crate::limbs;
use core::cmp::Ordering;
use core::fmt;

/// A number of at most `64 N` bits, without a sign. It lives where it is declared: no
/// operation allocates.
///
/// Operations work on the limbs in use, so a small number in a large capacity costs
/// little more than its own size. None takes constant time: do not use them on secrets.
///
/// # Panics
/// Arithmetic panics when a result does not fit, and a subtraction when it would be below
/// zero. A product wants room for the limbs of both factors, even when its top limb is
/// zero.
#[derive(Clone, Copy)]
pub struct Uint<const N: usize> {
    /// The least significant first. Those from `len` on mean nothing.
    limbs: [u64; N],
    /// Limbs in use. The last of them is not zero.
    len: usize,
}

/// The number does not fit into the capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number does not fit: use a larger capacity")
    }
}

impl core::error::Error for TooLarge {}

impl<const N: usize> Uint<N> {
    /// Zero.
    pub const ZERO: Self = Self {
        limbs: [0; N],
        len: 0,
    };
    /// One.
    pub const ONE: Self = Self::from_u64(1);

    /// A small number.
    ///
    /// # Panics
    /// When the capacity is no limb at all.
    #[inline]
    #[must_use]
    pub const fn from_u64(value: u64) -> Self {
        let mut limbs = [0; N];
        limbs[0] = value;
        Self {
            limbs,
            len: (value != 0) as usize,
        }
    }

    /// The number with these limbs, the least significant first (GMP's order). Zeros at
    /// the top are no matter.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn from_limbs(limbs: &[u64]) -> Result<Self, TooLarge> {
        let len = limbs::significant(limbs);
        let mut number = Self::ZERO;
        let place = number.limbs.get_mut(..len).ok_or(TooLarge)?;
        place.copy_from_slice(&limbs[..len]);
        number.len = len;
        Ok(number)
    }

    /// Becomes a copy. It moves only the limbs in use, unlike `=`.
    #[inline]
    pub fn assign(&mut self, other: &Self) {
        self.limbs[..other.len].copy_from_slice(other.limbs());
        self.len = other.len;
    }

    /// Changes places with another number. It moves only the limbs in use, unlike
    /// [`core::mem::swap`].
    #[inline]
    pub fn swap(&mut self, other: &mut Self) {
        let len = self.len.max(other.len);
        self.limbs[..len].swap_with_slice(&mut other.limbs[..len]);
        core::mem::swap(&mut self.len, &mut other.len);
    }

    /// The limbs in use, the least significant first. Zero has none.
    #[inline]
    #[must_use]
    pub fn limbs(&self) -> &[u64] {
        &self.limbs[..self.len]
    }

    /// Length in bits; 0 for zero.
    #[inline]
    #[must_use]
    pub fn bits(&self) -> usize {
        let top = self.limbs().last().map_or(0, |top| top.leading_zeros());
        64 * self.len - top as usize
    }

    /// The bit of this weight.
    #[inline]
    #[must_use]
    pub fn bit(&self, index: usize) -> bool {
        let limb = self.limbs().get(index / 64).copied().unwrap_or(0);
        limb >> (index % 64) & 1 == 1
    }

    /// Whether the number is zero.
    #[inline]
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.len == 0
    }

    /// Whether the number is one.
    #[inline]
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.limbs() == [1]
    }

    /// Whether the number is odd.
    #[inline]
    #[must_use]
    pub fn is_odd(&self) -> bool {
        self.low() & 1 == 1
    }

    /// The lowest limb.
    #[inline]
    #[must_use]
    pub fn low(&self) -> u64 {
        self.limbs().first().copied().unwrap_or(0)
    }

    /// The number of zero bits at the low end; 0 for zero.
    #[inline]
    #[must_use]
    pub fn trailing_zeros(&self) -> usize {
        let limb = self.limbs().iter().position(|l| *l != 0);
        limb.map_or(0, |i| 64 * i + self.limbs[i].trailing_zeros() as usize)
    }

    /// The number of which the first `len` limbs are in place.
    #[inline]
    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = limbs::significant(&self.limbs[..len]);
    }

    /// All limbs, for those who write them and then set the length.
    #[inline]
    pub(crate) const fn buffer(&mut self) -> &mut [u64; N] {
        &mut self.limbs
    }

    /// The first `len` limbs, with zeros where the number has none.
    #[inline]
    pub(crate) fn padded(&mut self, len: usize) -> &mut [u64] {
        let used = self.len;
        if used < len {
            self.limbs[used..len].fill(0);
        }
        &mut self.limbs[..len]
    }
}

impl<const N: usize> PartialEq for Uint<N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.limbs() == other.limbs()
    }
}

impl<const N: usize> Eq for Uint<N> {}

impl<const N: usize> Ord for Uint<N> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        limbs::compare(self.limbs(), other.limbs())
    }
}

impl<const N: usize> PartialOrd for Uint<N> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Default for Uint<N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const N: usize> fmt::LowerHex for Uint<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((top, rest)) = self.limbs().split_last() else {
            return f.write_str("0");
        };
        write!(f, "{top:x}")?;
        rest.iter().rev().try_for_each(|l| write!(f, "{l:016x}"))
    }
}

impl<const N: usize> fmt::Debug for Uint<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{self:x}")
    }
}
