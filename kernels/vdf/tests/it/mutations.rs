//! Proofs that must not verify.

use crate::support::discriminant;
use karat_vdf::{
    Claim, Error, Form, Proof, Prover, Segment, SegmentedProof, verify, verify_batch, verify_each,
    verify_segmented, verify_with_challenge,
};

/// More than the bits of a challenge, or the proofs would be trivial.
const ITERATIONS: u64 = 1200;

/// Every single bit of a proof, both as bytes and in what it claims.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn a_proof_with_a_bit_turned_never_verifies() {
    let discriminant = discriminant("mutations", 256);
    let x = Form::generator(&discriminant);
    let proof = Prover::new(&x, ITERATIONS, &discriminant).prove(1).unwrap();
    let bytes = proof.to_bytes(&discriminant);
    let mut read = 0;
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        if let Ok(changed) = Proof::from_bytes(&changed, &discriminant) {
            read += 1;
            let verified = verify(&x, &changed, ITERATIONS, &discriminant);
            assert_eq!(verified, Err(Error::ProofWrong), "bit {bit}");
        }
    }
    // The sign of b alone makes another form.
    assert!(read >= 2, "{read}");
    for length in 0..bytes.len() {
        let cut = Proof::from_bytes(&bytes[..length], &discriminant);
        assert!(matches!(cut, Err(Error::Length { .. })), "{length} bytes");
    }
}

/// Forms are composed without the discriminant's help, so that all equations hold for those of
/// another one, as long as nobody asks whose they are.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn a_proof_of_another_discriminant_does_not_verify() {
    let (one, two) = (discriminant("mutations", 256), discriminant("another", 256));
    let x = Form::generator(&one);
    let proof = Prover::new(&x, ITERATIONS, &one).prove(1).unwrap();
    assert_eq!(verify(&x, &proof, ITERATIONS, &one), Ok(()));
    let other = Err(Error::FormNotInGroup);
    assert_eq!(verify(&x, &proof, ITERATIONS, &two), other);
    let claim = Claim {
        x: &x,
        proof: &proof,
        iterations: ITERATIONS,
    };
    assert_eq!(verify_batch(&[claim, claim], &two), other);
    assert_eq!(
        verify_each(&[(claim, &one), (claim, &two)]),
        [Ok(()), other]
    );
    let segmented = SegmentedProof {
        segments: Vec::new(),
        last: proof,
    };
    assert_eq!(verify_segmented(&x, &segmented, ITERATIONS, &two), other);
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn a_proof_of_something_else_does_not_verify() {
    let discriminant = discriminant("mutations", 256);
    let x = Form::generator(&discriminant);
    let proof = Prover::new(&x, ITERATIONS, &discriminant).prove(1).unwrap();
    let wrong = Err(Error::ProofWrong);
    for iterations in [0, 1, ITERATIONS - 1, ITERATIONS + 1, u64::MAX] {
        assert_eq!(verify(&x, &proof, iterations, &discriminant), wrong);
    }
    assert_eq!(verify(&proof.y, &proof, ITERATIONS, &discriminant), wrong);
    let Proof { y, pi } = proof;
    for (y, pi) in [
        (pi, y),
        (y.inverse(), pi),
        (y, pi.inverse()),
        (y.inverse(), pi.inverse()),
        (Form::identity(&discriminant), Form::identity(&discriminant)),
    ] {
        assert_eq!(
            verify(&x, &Proof { y, pi }, ITERATIONS, &discriminant),
            wrong
        );
    }
    let other = crate::support::discriminant("another", 256);
    let there = Proof::from_bytes(&proof.to_bytes(&discriminant), &other);
    let refused = there.and_then(|p| verify(&Form::generator(&other), &p, ITERATIONS, &other));
    assert!(refused.is_err());
}

/// Three parts, and what can be wrong with them.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn segments_are_checked_one_by_one() {
    let discriminant = discriminant("segments", 256);
    let d = &discriminant;
    let x = Form::generator(d);
    let parts = [500, 400, 300];
    let mut start = x;
    let proofs = parts.map(|iterations| {
        let proof = Prover::new(&start, iterations, d).prove(1).unwrap();
        let segment = Segment::of(&start, &proof, iterations, d);
        start = proof.y;
        (segment, proof)
    });
    let whole = SegmentedProof {
        segments: vec![proofs[0].0, proofs[1].0],
        last: proofs[2].1,
    };
    let check = |proof: &SegmentedProof, iterations| verify_segmented(&x, proof, iterations, d);
    assert_eq!(check(&whole, ITERATIONS), Ok(()));
    assert_eq!(start, karat_vdf::square_many(&x, ITERATIONS, d));
    let bytes = whole.to_bytes(d);
    assert_eq!(bytes.len(), 200 + 2 * 141);
    assert_eq!(SegmentedProof::from_bytes(&bytes, 2, d), Ok(whole.clone()));
    for recursion in [0, 1, 3, usize::MAX] {
        let read = SegmentedProof::from_bytes(&bytes, recursion, d);
        assert!(matches!(read, Err(Error::Length { .. })), "{recursion}");
    }

    assert_eq!(check(&whole, ITERATIONS + 1), Err(Error::ProofWrong));
    assert_eq!(check(&whole, 899), Err(Error::SegmentIterations));
    let mut changed = whole.clone();
    changed.segments[0].iterations += 1;
    assert_eq!(check(&changed, ITERATIONS), Err(Error::SegmentChallenge(0)));
    let mut changed = whole.clone();
    changed.segments[1].challenge[0] ^= 1;
    assert_eq!(check(&changed, ITERATIONS), Err(Error::SegmentChallenge(1)));
    changed.segments[1].challenge[32] &= 0xfe;
    assert_eq!(check(&changed, ITERATIONS), Err(Error::ChallengeValue));
    changed.segments[1].challenge = [0; 33];
    assert_eq!(check(&changed, ITERATIONS), Err(Error::ChallengeValue));
    let mut changed = whole.clone();
    changed.segments.swap(0, 1);
    assert!(check(&changed, ITERATIONS).is_err());
    let mut changed = whole.clone();
    changed.last.pi = changed.last.pi.inverse();
    assert_eq!(check(&changed, ITERATIONS), Err(Error::ProofWrong));

    let challenge = whole.last_challenge(&x, d).unwrap();
    let end = |challenge: &[u8; 33], bytes: &[u8]| {
        verify_with_challenge(&x, challenge, bytes, 2, ITERATIONS, d)
    };
    assert_eq!(end(&challenge, &bytes[100..]), Ok(start));
    let mut other = challenge;
    other[5] ^= 4;
    assert_eq!(end(&other, &bytes[100..]), Err(Error::ProofWrong));
    assert!(matches!(end(&challenge, &bytes), Err(Error::Length { .. })));
}
