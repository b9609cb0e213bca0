//! Many proofs at once.

use crate::support::discriminant;
use karat_vdf::{
    Claim, Discriminant, Error, Form, Proof, Prover, advance_all, square_many, verify,
    verify_batch, verify_each,
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

/// Proofs of three lengths of discriminants, more than a group, one of which is wrong at every
/// place in turn.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn proofs_side_by_side_get_the_answers_that_they_get_alone() {
    let discriminants = [256, 512, 1024].map(|bits| discriminant("side by side", bits));
    let right: Vec<_> = discriminants
        .iter()
        .flat_map(|d| computations(d).into_iter().map(move |c| (c, d)))
        .collect();
    for wrong in 0..=right.len() {
        let mut changed = right.clone();
        if let Some(((_, proof, iterations), _)) = changed.get_mut(wrong) {
            match wrong % 3 {
                0 => *iterations += 1,
                1 => proof.y = proof.y.inverse(),
                _ => proof.pi = proof.pi.inverse(),
            }
        }
        let mut claims = Vec::new();
        for ((x, proof, iterations), d) in &changed {
            let iterations = *iterations;
            let claim = Claim {
                x,
                proof,
                iterations,
            };
            claims.push((claim, *d));
        }
        let results = verify_each(&claims);
        for (index, (result, (claim, d))) in results.iter().zip(&claims).enumerate() {
            let alone = verify(claim.x, claim.proof, claim.iterations, d);
            assert_eq!(*result, alone, "claim {index}, wrong is {wrong}");
            assert_eq!(result.is_ok(), index != wrong);
        }
    }
    assert_eq!(verify_each(&[]), []);
}

/// Provers that begin at different places and are of different lengths.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn provers_side_by_side_make_the_proofs_that_they_make_alone() {
    let discriminants = [512, 512, 1024].map(|bits| discriminant("provers", bits));
    let mut provers: Vec<Prover> = (0..11)
        .map(|i| {
            let d = &discriminants[i % 3];
            let x = square_many(&Form::generator(d), i as u64, d);
            let mut prover = Prover::new(&x, 400 + 30 * i as u64, d);
            prover.advance(7 * i as u64);
            prover
        })
        .collect();
    let alone: Vec<_> = provers.iter().map(|p| p.clone().prove(1)).collect();
    let before: Vec<u64> = provers.iter().map(Prover::done).collect();
    advance_all(&mut provers, 100);
    for (prover, before) in provers.iter().zip(before) {
        assert_eq!(prover.done(), before + 100);
    }
    advance_all(&mut provers, u64::MAX);
    for (prover, alone) in provers.iter_mut().zip(alone) {
        assert_eq!(prover.done(), prover.iterations());
        assert_eq!(prover.prove(1), alone);
    }
}
