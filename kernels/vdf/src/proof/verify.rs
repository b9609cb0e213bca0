//! Verification.

use super::Proof;
use super::challenge::{challenge, remainder};
use crate::power::{Power, product_of_powers};
use crate::{Discriminant, Error, Form, Uint};

/// Whether `proof.y` is `x` squared `iterations` times (Wesolowski, "Efficient verifiable
/// delay functions", Eurocrypt 2019).
///
/// It holds for discriminants whose group order nobody knows, such as those from a seed;
/// see [`Discriminant::check_prime`].
///
/// # Errors
/// [`Error::ProofWrong`].
pub fn verify(
    x: &Form,
    proof: &Proof,
    iterations: u64,
    discriminant: &Discriminant,
) -> Result<(), Error> {
    let challenge = challenge(x, &proof.y, discriminant);
    if end(x, &proof.pi, &challenge, iterations, discriminant)? == proof.y {
        Ok(())
    } else {
        Err(Error::ProofWrong)
    }
}

/// The result that a proof stands for: `pi^B x^r`, for the challenge `B` and
/// `r = 2^iterations mod B`.
///
/// # Errors
/// [`Error::ChallengeValue`].
pub(super) fn end(
    x: &Form,
    pi: &Form,
    challenge: &Uint,
    iterations: u64,
    discriminant: &Discriminant,
) -> Result<Form, Error> {
    let remainder = remainder(challenge, iterations)?;
    let powers = [
        Power {
            base: pi,
            exponent: challenge,
        },
        Power {
            base: x,
            exponent: &remainder,
        },
    ];
    Ok(product_of_powers(&powers, discriminant))
}
