//! Verification of VDFs.

use crate::bytes::{karat_slice, text};
use crate::status::{argument, guard, karat_status, not_verified};
use karat_vdf::{Discriminant, Form, Proof};
use std::ffi::c_char;

/// Whether a proof shows what `x` is after so many squarings: KARAT_OK or
/// KARAT_NOT_VERIFIED. The discriminant is written as chiavdf does, `-0x` and hexadecimal
/// digits; form and proof are chiavdf's bytes.
///
/// # Safety
/// Pointers are good for their lengths; the discriminant ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_vdf_verify(
    discriminant: *const c_char,
    x: karat_slice,
    proof: karat_slice,
    iterations: u64,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let discriminant = text(discriminant, "the discriminant")?;
        let discriminant = Discriminant::from_hex(discriminant).map_err(argument)?;
        let x = Form::from_bytes(x.get("x")?, &discriminant).map_err(argument)?;
        let proof = Proof::from_bytes(proof.get("the proof")?, &discriminant);
        let proof = proof.map_err(not_verified)?;
        karat_vdf::verify(&x, &proof, iterations, &discriminant).map_err(not_verified)
    })
}
