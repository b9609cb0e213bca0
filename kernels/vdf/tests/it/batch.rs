//! Many proofs at once.

use crate::support::discriminant;
use karat_vdf::{
    Claim, Discriminant, Error, Form, Proof, Prover, square_many, verify, verify_batch,
};

/// Some computations: two begin at the same form.
fn computations(discriminant: &Discriminant) -> Vec<(Form, Proof, u64)> {
    let generator = Form::generator(discriminant);
    let begins = [0, 5, 5, 9].map(|times| square_many(&generator, times, discriminant));
    let each = begins.into_iter().zip(700..);
    each.map(|(x, iterations)| {
        let proof = Prover::new(&x, iterations, discriminant).prove(1).unwrap();
        (x, proof, iterations)
    })
    .collect()
}

fn check(computations: &[(Form, Proof, u64)], discriminant: &Discriminant) -> Result<(), Error> {
    let mut claims = Vec::new();
    for (x, proof, iterations) in computations {
        let iterations = *iterations;
        claims.push(Claim {
            x,
            proof,
            iterations,
        });
    }
    verify_batch(&claims, discriminant)
}

/// One change to a claim.
type Change = fn(&mut (Form, Proof, u64));

#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn a_batch_holds_when_all_claims_do() {
    let d = discriminant("batch", 256);
    let right = computations(&d);
    for count in 0..=right.len() {
        assert_eq!(check(&right[..count], &d), Ok(()), "{count} claims");
    }
    let wrong = Err(Error::ProofWrong);
    for index in 0..right.len() {
        let changes: [Change; 4] = [
            |c| c.2 += 1,
            |c| c.1.y = c.1.y.inverse(),
            |c| c.1.pi = c.1.pi.inverse(),
            |c| c.0 = c.1.y,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = right.clone();
            change(&mut changed[index]);
            assert_eq!(check(&changed, &d), wrong, "claim {index}, change {number}");
            assert_eq!(check(&changed[index..=index], &d), wrong, "alone");
        }
    }
    // Proofs in each other's places.
    let mut changed = right;
    let first = changed[1].1;
    changed[1].1 = changed[2].1;
    changed[2].1 = first;
    assert_eq!(check(&changed, &d), wrong);
}

/// Each claim is wrong, and both quotients together are one: without weights they would
/// pass.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn mistakes_that_cancel_each_other_are_found() {
    let d = discriminant("cancel", 256);
    let mut claims = computations(&d);
    let g = square_many(&Form::generator(&d), 40, &d);
    // The challenge depends on y alone, and so pi may be changed freely: pi^B becomes
    // pi^B g^B, for which two claims with the same ends are needed.
    claims[1] = claims[2];
    claims[1].1.pi = claims[1].1.pi.compose(&g, &d);
    claims[2].1.pi = claims[2].1.pi.compose(&g.inverse(), &d);
    for (x, proof, iterations) in &claims[1..3] {
        assert_eq!(verify(x, proof, *iterations, &d), Err(Error::ProofWrong));
    }
    assert_eq!(check(&claims, &d), Err(Error::ProofWrong));
    assert_eq!(check(&claims[1..3], &d), Err(Error::ProofWrong));
}
