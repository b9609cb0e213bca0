//! Discriminants.

mod hash_prime;

pub(crate) use hash_prime::hash_prime;

use crate::{Error, LIMBS, MAX_BITS, MIN_BITS, Uint, prime};
use alloc::vec::Vec;
use core::fmt;

/// The discriminant of a class group: negative, and congruent to 1 modulo 8, so that the
/// form (2, 1, c) is in the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discriminant {
    /// The discriminant without its sign.
    magnitude: Uint,
    /// Its fourth root, rounded down: where the partial Euclidean algorithm ends.
    root: Uint,
}

impl Discriminant {
    /// The discriminant of a seed: the negative of a prime of `bits` bits that the seed is
    /// hashed to (chiavdf's `CreateDiscriminant`).
    ///
    /// # Errors
    /// [`Error::DiscriminantSize`] when `bits` is not a multiple of 8 between [`MIN_BITS`]
    /// and [`MAX_BITS`], [`Error::EmptySeed`], [`Error::ShortSeed`]. chiavdf never ends
    /// where this is the last.
    pub fn from_seed(seed: &[u8], bits: usize) -> Result<Self, Error> {
        if !(MIN_BITS..=MAX_BITS).contains(&bits) || !bits.is_multiple_of(8) {
            return Err(Error::DiscriminantSize(bits));
        }
        if seed.is_empty() {
            return Err(Error::EmptySeed);
        }
        let prime = hash_prime(seed, bits, 0b111).ok_or(Error::ShortSeed)?;
        Ok(Self::of(prime))
    }

    /// The negative of a number that is given by bytes, the most significant first. Whether
    /// the number is prime, [`Discriminant::check_prime`] tells.
    ///
    /// # Errors
    /// [`Error::DiscriminantSize`], [`Error::DiscriminantResidue`].
    pub fn from_be_bytes(magnitude: &[u8]) -> Result<Self, Error> {
        let zeros = magnitude.iter().take_while(|b| **b == 0).count();
        let bytes = &magnitude[zeros..];
        let bits = 8 * bytes.len() - bytes.first().map_or(0, |b| b.leading_zeros() as usize);
        if !(MIN_BITS..=MAX_BITS).contains(&bits) {
            return Err(Error::DiscriminantSize(bits));
        }
        match Uint::from_be_bytes(bytes) {
            Ok(magnitude) if magnitude.low() % 8 == 7 => Ok(Self::of(magnitude)),
            Ok(_) => Err(Error::DiscriminantResidue),
            Err(_) => Err(Error::DiscriminantSize(bits)),
        }
    }

    /// The discriminant that chiavdf writes so: `-0x` and hexadecimal digits.
    ///
    /// # Errors
    /// [`Error::DiscriminantText`], [`Error::DiscriminantSign`], and as
    /// [`Discriminant::from_be_bytes`].
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let digits = rest.strip_prefix("0x").ok_or(Error::DiscriminantText)?;
        let digit = |b: &u8| char::from(*b).to_digit(16).map(|d| d as u8);
        let digits: Option<Vec<u8>> = digits.as_bytes().iter().map(digit).collect();
        let digits = digits.filter(|d| !d.is_empty());
        let digits = digits.ok_or(Error::DiscriminantText)?;
        if !negative {
            return Err(Error::DiscriminantSign);
        }
        let pairs = digits.rchunks(2).rev();
        let bytes: Vec<u8> = pairs.map(|p| p.iter().fold(0, |b, d| b << 4 | d)).collect();
        Self::from_be_bytes(&bytes)
    }

    fn of(magnitude: Uint) -> Self {
        Self {
            root: magnitude.sqrt().sqrt(),
            magnitude,
        }
    }

    /// Whether the discriminant is the negative of a prime, as one from a seed is. Of
    /// others the group's order may be known to whoever chose it, and proofs can be forged.
    ///
    /// # Errors
    /// [`Error::DiscriminantComposite`].
    pub fn check_prime(&self) -> Result<(), Error> {
        if prime::is_prime(&self.magnitude) {
            Ok(())
        } else {
            Err(Error::DiscriminantComposite)
        }
    }

    /// Length in bits, without the sign.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.magnitude.bits()
    }

    /// The magnitude.
    #[must_use]
    pub const fn magnitude(&self) -> &karat_bigint::Uint<LIMBS> {
        &self.magnitude
    }

    pub(crate) const fn root(&self) -> &Uint {
        &self.root
    }
}

/// As chiavdf writes it.
impl fmt::Display for Discriminant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-0x{:x}", self.magnitude)
    }
}
