//! The challenge of a proof.

use crate::discriminant::hash_prime;
use crate::{Discriminant, Error, Form, LIMBS, Uint};
use karat_bigint::Montgomery;

/// Bits of a challenge (chiavdf's `B_bits`).
pub(super) const BITS: usize = 264;

/// The prime to which the ends of a computation are hashed (chiavdf's `GetB`).
pub(super) fn challenge(x: &Form, y: &Form, discriminant: &Discriminant) -> Uint {
    let mut seed = x.to_bytes(discriminant);
    seed.extend(y.to_bytes(discriminant));
    // A counter of so many bytes is never at its beginning again.
    hash_prime(&seed, BITS, 0).unwrap_or(Uint::ONE)
}

/// `2^iterations` modulo a challenge.
///
/// # Errors
/// [`Error::ChallengeValue`] when the challenge, from bytes, is even or one.
pub(super) fn remainder(challenge: &Uint, iterations: u64) -> Result<Uint, Error> {
    let field: Montgomery<LIMBS> = Montgomery::new(challenge).ok_or(Error::ChallengeValue)?;
    Ok(field.number(&field.two_power(&Uint::from_u64(iterations))))
}
