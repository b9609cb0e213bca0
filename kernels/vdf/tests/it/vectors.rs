//! chiavdf's own vectors, and what its package proves.

use crate::support::hex;
use karat_vdf::{
    Discriminant, Form, Proof, Prover, SegmentedProof, square_many, verify, verify_segmented,
    verify_with_challenge,
};

/// The six lines of a vector.
fn vectors() -> Vec<[&'static str; 6]> {
    let text = include_str!("../vectors/vdf.txt");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.as_chunks().0.to_vec()
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn the_vectors_of_chiavdf_verify() {
    let mut segmented = 0;
    for [seed, bits, x, proof, iterations, recursion] in vectors() {
        let discriminant = Discriminant::from_seed(&hex(seed), bits.parse().unwrap()).unwrap();
        let x = Form::from_bytes(&hex(x), &discriminant).unwrap();
        let (iterations, recursion): (u64, usize) =
            (iterations.parse().unwrap(), recursion.parse().unwrap());
        let bytes = hex(proof);
        let proof = SegmentedProof::from_bytes(&bytes, recursion, &discriminant).unwrap();
        assert_eq!(proof.to_bytes(&discriminant), bytes);
        let verified = verify_segmented(&x, &proof, iterations, &discriminant);
        assert_eq!(verified, Ok(()), "{seed}");
        if recursion > 0 {
            segmented += 1;
            let challenge = proof.last_challenge(&x, &discriminant).unwrap();
            let without_y = &bytes[discriminant.form_bytes()..];
            let y = verify_with_challenge(
                &x,
                &challenge,
                without_y,
                recursion,
                iterations,
                &discriminant,
            );
            assert_eq!(y, Ok(proof.last.y), "{seed}");
        }
    }
    assert_eq!((vectors().len(), segmented), (110, 36));
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn what_chiavdf_proves_is_proven_byte_for_byte() {
    let mut count = 0;
    for line in include_str!("../vectors/prove.txt").lines() {
        let [seed, bits, text, iterations, bytes] =
            line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let discriminant = Discriminant::from_seed(&hex(seed), bits.parse().unwrap()).unwrap();
        assert_eq!(discriminant.to_string(), text, "{seed}");
        assert_eq!(Discriminant::from_hex(text), Ok(discriminant.clone()));
        let (x, iterations) = (Form::generator(&discriminant), iterations.parse().unwrap());
        let proof = Prover::new(&x, iterations, &discriminant).prove(2).unwrap();
        assert_eq!(proof.to_bytes(&discriminant), hex(bytes), "{seed}");
        assert_eq!(Proof::from_bytes(&hex(bytes), &discriminant), Ok(proof));
        assert_eq!(verify(&x, &proof, iterations, &discriminant), Ok(()));
        count += 1;
    }
    assert_eq!(count, 60);
}

/// What `vdf_bench square 100000` of chiavdf prints, for its own discriminant.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn a_hundred_thousand_squarings_are_those_of_chiavdf() {
    let discriminant = Discriminant::from_hex(include_str!("../vectors/bench.txt").trim());
    let discriminant = discriminant.unwrap();
    let y = square_many(&Form::generator(&discriminant), 100_000, &discriminant);
    let found = format!("{:x} {:x} {:x}", y.a(), y.b(), y.c());
    assert_eq!(
        found,
        "565ec0f1144116de4ef08542829a7630720308529d6194263a69b8c47a9101c6a38b9ab42c3fc3f55d05909d\
         88e37122e27584248973c78ede88064d6f486354 \
         4e66a4049a0173e9dee653668b8a4a1538f4ba79daffbd7051a3e59d610fb334a5e3688c6284417b9399ce32\
         e3335ad728d35c4b88a224e4098e21d39d683723 \
         a6b99f6969e8884ea7ceea3ea1448bba854aa59a045892c6c1eb107a3a26aa2390b758119ab3a32c2ec167cf\
         9be13718de8522cb1a2a37952ce432c64ffe569e"
    );
}
