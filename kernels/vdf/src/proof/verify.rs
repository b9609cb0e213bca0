//! Verification.

use super::challenge::{challenge, remainder};
use super::{Claim, Proof};
use crate::power::{Power, Product, products_of_powers};
use crate::{Discriminant, Error, Form, Uint};
use alloc::vec::Vec;

/// Proofs whose squarings go side by side.
const GROUP: usize = 8;

/// Whether `proof.y` is `x` squared `iterations` times (Wesolowski, "Efficient verifiable
/// delay functions", Eurocrypt 2019).
///
/// It holds for discriminants whose group order nobody knows, such as those from a seed;
/// see [`Discriminant::check_prime`].
///
/// # Errors
/// [`Error::ProofWrong`], and [`Error::FormNotInGroup`] for forms of another discriminant:
/// of those all that follows could be true, in their own group.
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

/// Verifies proofs of any discriminants, each as [`verify`] does, with their squarings side by
/// side ([`square_all`](crate::square_all)). It is for many at once: eight are a group.
///
/// Without AVX-512 IFMA proofs of one discriminant take less time by
/// [`verify_batch`](crate::verify_batch), which does not say which claim is wrong.
///
/// ```
/// use karat_vdf::{Claim, Discriminant, Error, Form, Prover, verify_each};
///
/// let discriminants = [b"one", b"two"].map(|seed| Discriminant::from_seed(seed, 256));
/// let [one, two] = discriminants;
/// let (one, two) = (one?, two?);
/// let x = Form::generator(&one);
/// let proof = Prover::new(&x, 300, &one).prove(1)?;
/// let claim = |iterations| Claim { x: &x, proof: &proof, iterations };
/// let results = verify_each(&[(claim(300), &one), (claim(301), &one), (claim(300), &two)]);
/// let other = Err(Error::FormNotInGroup);
/// assert_eq!(results, [Ok(()), Err(Error::ProofWrong), other]);
/// # Ok::<(), karat_vdf::Error>(())
/// ```
pub fn verify_each(claims: &[(Claim<'_>, &Discriminant)]) -> Vec<Result<(), Error>> {
    let mut results = Vec::with_capacity(claims.len());
    for group in claims.chunks(GROUP) {
        let begun = group.iter().map(|(claim, discriminant)| {
            let challenge = challenge(claim.x, &claim.proof.y, discriminant);
            let pi = &claim.proof.pi;
            product(claim.x, pi, &challenge, claim.iterations, discriminant)
        });
        let begun: Vec<Result<Product<'_>, Error>> = begun.collect();
        let errors: Vec<Option<Error>> = begun.iter().map(|b| b.as_ref().err().copied()).collect();
        let products = begun.into_iter().flatten().collect();
        let mut ends = products_of_powers(products).into_iter();
        for (error, (claim, _)) in errors.into_iter().zip(group) {
            results.push(match error {
                Some(error) => Err(error),
                None if ends.next() == Some(claim.proof.y) => Ok(()),
                None => Err(Error::ProofWrong),
            });
        }
    }
    results
}

/// The result that a proof stands for: `pi^B x^r`, for the challenge `B` and
/// `r = 2^iterations mod B`.
///
/// # Errors
/// [`Error::ChallengeValue`], [`Error::FormNotInGroup`].
pub(super) fn end(
    x: &Form,
    pi: &Form,
    challenge: &Uint,
    iterations: u64,
    discriminant: &Discriminant,
) -> Result<Form, Error> {
    let product = product(x, pi, challenge, iterations, discriminant)?;
    Ok(product.alone())
}

/// The same before its first squaring.
fn product<'d>(
    x: &Form,
    pi: &Form,
    challenge: &Uint,
    iterations: u64,
    discriminant: &'d Discriminant,
) -> Result<Product<'d>, Error> {
    x.check(discriminant)?;
    pi.check(discriminant)?;
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
    Ok(Product::new(&powers, discriminant))
}
