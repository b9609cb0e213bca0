//! Forms, proofs and logs from any bytes: refused, or written back as they were; nothing
//! panics, and no proof verifies that nobody made. The first byte says which discriminant.
#![no_main]

use karat_vdf::{
    Claim, Discriminant, Form, Proof, Prover, SegmentedProof, verify, verify_batch,
    verify_segmented,
};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// More than the bits of a challenge, or the proof would be that of no iterations.
const ITERATIONS: u64 = 300;

/// Discriminants, each with what the generator comes to, and the proof of that.
static DISCRIMINANTS: LazyLock<Vec<(Discriminant, Proof)>> = LazyLock::new(|| {
    let sizes = [64, 96, 256, 512, 1024];
    let made = sizes.map(|bits| {
        let discriminant = Discriminant::from_seed(b"fuzz", bits);
        let discriminant = discriminant.expect("the sizes are allowed");
        let x = Form::generator(&discriminant);
        let proof = Prover::new(&x, ITERATIONS, &discriminant).prove(1);
        (discriminant, proof.expect("there are iterations"))
    });
    made.to_vec()
});

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else {
        return;
    };
    let (d, honest) = &DISCRIMINANTS[usize::from(*first) % DISCRIMINANTS.len()];
    let (x, y) = (Form::generator(d), honest.y);
    let _ = Discriminant::from_be_bytes(bytes);
    if let Ok(text) = core::str::from_utf8(bytes) {
        let _ = Discriminant::from_hex(text);
    }
    // A form in the group, from bytes that need not be of the right length.
    let mut padded = bytes.to_vec();
    padded.resize(d.form_bytes(), 0);
    for bytes in [bytes, &padded] {
        if let Ok(form) = Form::from_bytes(bytes, d) {
            assert_eq!(form.to_bytes(d), bytes);
            assert!(form.compose(&form.inverse(), d).is_identity());
        }
    }
    padded.resize(2 * d.form_bytes(), 0);
    if let Ok(proof) = Proof::from_bytes(&padded, d) {
        assert_eq!(proof.to_bytes(d), padded);
        let holds = verify(&x, &proof, ITERATIONS, d).is_ok();
        assert!(!holds || proof.y == y);
        // Beside a claim that holds, the batch holds when this one does.
        let claims = [honest, &proof].map(|proof| Claim {
            x: &x,
            proof,
            iterations: ITERATIONS,
        });
        assert_eq!(verify_batch(&claims, d).is_ok(), holds);
    }
    for recursion in 0..3 {
        if let Ok(proof) = SegmentedProof::from_bytes(bytes, recursion, d) {
            assert_eq!(proof.to_bytes(d), bytes);
            assert!(verify_segmented(&x, &proof, ITERATIONS, d).is_err() || proof.last.y == y);
        }
    }
    let prover = Prover::new(&x, ITERATIONS, d);
    let mut log = prover.log_header();
    log.extend(bytes);
    for log in [bytes, &log] {
        if let Ok((resumed, end)) = Prover::resume(&x, ITERATIONS, d, log) {
            assert!(end <= log.len() && resumed.done() <= ITERATIONS);
        }
    }
});
