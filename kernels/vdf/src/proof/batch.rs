//! Verification of many proofs at once.

use super::challenge::{challenge, remainder};
use super::{Claim, Proof, verify};
use crate::power::{Power, product_of_powers};
use crate::{Discriminant, Error, Form, Uint};
use alloc::vec::Vec;
use karat_sha2::sha256;

/// Bytes of a weight.
const WEIGHT: usize = 16;

/// Whether all claims hold, in one product: each claim is a quotient that must be one, and
/// the product of all these, each to the power of a weight of 128 bits, is one too (Bellare,
/// Garay and Rabin, "Fast batch verification for modular exponentiation and digital
/// signatures", Eurocrypt 1998; for proofs of delay Rotem, "Simple and efficient batch
/// verification techniques for verifiable delay functions", TCC 2021). The squarings are
/// done once for all claims.
///
/// Weights are hashes of all claims together. A batch with a wrong claim passes with a
/// probability of 2^-128 for each try at such a batch, if nobody finds a form of low order
/// other than one: the assumption that a single proof rests on implies that. With a form of
/// order `d` the probability would be `1 / d`. The discriminant must be the negative of a
/// prime, see [`Discriminant::check_prime`]: others have forms of order two that everybody
/// can compute.
///
/// ```
/// use karat_vdf::{Claim, Discriminant, Form, Prover, verify_batch};
///
/// let discriminant = Discriminant::from_seed(b"a seed", 256)?;
/// let x = Form::generator(&discriminant);
/// let proofs = [300, 400].map(|iterations| {
///     let proof = Prover::new(&x, iterations, &discriminant).prove(1);
///     (proof, iterations)
/// });
/// let mut claims = Vec::new();
/// for (proof, iterations) in &proofs {
///     let (proof, iterations) = (proof.as_ref().map_err(|e| *e)?, *iterations);
///     claims.push(Claim { x: &x, proof, iterations });
/// }
/// assert_eq!(verify_batch(&claims, &discriminant), Ok(()));
/// # Ok::<(), karat_vdf::Error>(())
/// ```
///
/// # Errors
/// [`Error::ProofWrong`] when a claim does not hold; which one, [`verify`] tells.
/// [`Error::FormNotInGroup`] for forms of another discriminant.
pub fn verify_batch(claims: &[Claim<'_>], discriminant: &Discriminant) -> Result<(), Error> {
    if let [
        Claim {
            x,
            proof,
            iterations,
        },
    ] = claims
    {
        return verify(x, proof, *iterations, discriminant);
    }
    let seed = transcript(claims, discriminant);
    // Bases with their exponents; computations that begin at the same form share it.
    let mut begins: Vec<(&Form, Uint)> = Vec::new();
    let mut others: Vec<(Form, Uint)> = Vec::with_capacity(2 * claims.len());
    for (index, claim) in claims.iter().enumerate() {
        let Proof { y, pi } = claim.proof;
        for form in [claim.x, y, pi] {
            form.check(discriminant)?;
        }
        let weight = weight(&seed, index);
        let challenge = challenge(claim.x, y, discriminant);
        let remainder = remainder(&challenge, claim.iterations)?;
        let exponent = &remainder * &weight;
        match begins.iter_mut().find(|(x, _)| *x == claim.x) {
            Some((_, sum)) => *sum += &exponent,
            None => begins.push((claim.x, exponent)),
        }
        others.push((*pi, &challenge * &weight));
        others.push((y.inverse(), weight));
    }
    let begins = begins
        .iter()
        .map(|(base, exponent)| Power { base, exponent });
    let others = others
        .iter()
        .map(|(base, exponent)| Power { base, exponent });
    let powers: Vec<Power<'_>> = begins.chain(others).collect();
    if product_of_powers(&powers, discriminant).is_identity() {
        Ok(())
    } else {
        Err(Error::ProofWrong)
    }
}

/// A hash of all that is claimed.
fn transcript(claims: &[Claim<'_>], discriminant: &Discriminant) -> [u8; 32] {
    let mut text = b"karat-vdf batch 1".to_vec();
    let mut magnitude = alloc::vec![0; discriminant.bits().div_ceil(8)];
    let fits = discriminant.magnitude().to_be_bytes(&mut magnitude);
    debug_assert!(fits.is_ok(), "as many bytes as bits");
    // Lengths are not needed: the discriminant's bits decide all others.
    text.extend((discriminant.bits() as u64).to_be_bytes());
    text.extend(magnitude);
    for claim in claims {
        text.extend(claim.x.to_bytes(discriminant));
        text.extend(claim.proof.to_bytes(discriminant));
        text.extend(claim.iterations.to_be_bytes());
    }
    sha256::hash(&text)
}

/// The weight of a claim. It is not zero.
fn weight(seed: &[u8; 32], index: usize) -> Uint {
    let mut text = seed.to_vec();
    text.extend((index as u64).to_be_bytes());
    let weight = Uint::from_be_bytes(&sha256::hash(&text)[..WEIGHT]).unwrap_or_default();
    if weight.is_zero() { Uint::ONE } else { weight }
}
