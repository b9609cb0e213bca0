//! BLAKE3 in the shape of its reference library in C, under the prefix `karat_`;
//! `karat_blake3.h` gives the names of that library.

use crate::bytes::{object, read, text, write};
use crate::status::{Failure, guard, karat_status, null};
use karat_hash::blake3::Hasher;
use std::ffi::c_char;

/// A hasher on the caller's stack, to be initialised before it is used. It may be copied and
/// needs no freeing.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct karat_blake3_hasher {
    state: [u8; 2048],
}

const _: () = {
    assert!(size_of::<Hasher>() <= size_of::<karat_blake3_hasher>());
    assert!(align_of::<Hasher>() <= align_of::<karat_blake3_hasher>());
    // Who forgets one leaks nothing.
    assert!(!std::mem::needs_drop::<Hasher>());
};

/// # Safety
/// `place` has room for a hasher, or is null.
unsafe fn init(place: *mut karat_blake3_hasher, hasher: Hasher) -> Result<(), Failure> {
    if place.is_null() {
        return Err(null("hasher"));
    }
    // SAFETY: the caller's promise, and the assertions above.
    unsafe { place.cast::<Hasher>().write(hasher) };
    Ok(())
}

/// Begins a hash.
///
/// # Safety
/// The place has room for a hasher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake3_hasher_init(
    hasher: *mut karat_blake3_hasher,
) -> karat_status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { init(hasher, Hasher::new()) })
}

/// Begins a hash under a key of 32 bytes.
///
/// # Safety
/// As `karat_blake3_hasher_init`; the key has 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake3_hasher_init_keyed(
    hasher: *mut karat_blake3_hasher,
    key: *const u8,
) -> karat_status {
    // SAFETY: the caller's promise.
    guard(|| unsafe {
        let key = object(key.cast::<[u8; 32]>(), "key")?;
        init(hasher, Hasher::new_keyed(key))
    })
}

/// Begins a derivation of keys.
///
/// # Safety
/// As `karat_blake3_hasher_init`; the context ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake3_hasher_init_derive_key(
    hasher: *mut karat_blake3_hasher,
    context: *const c_char,
) -> karat_status {
    // SAFETY: the caller's promise.
    guard(|| unsafe { init(hasher, Hasher::new_derive_key(text(context, "context")?)) })
}

/// Adds input.
///
/// # Safety
/// The hasher was initialised, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake3_hasher_update(
    hasher: *mut karat_blake3_hasher,
    input: *const u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promise.
    guard(|| unsafe {
        let hasher = hasher.cast::<Hasher>().as_mut();
        let hasher = hasher.ok_or_else(|| null("hasher"))?;
        hasher.update(read(input, length, "input")?);
        Ok(())
    })
}

/// The first `length` bytes of output.
///
/// # Safety
/// As `karat_blake3_hasher_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake3_hasher_finalize(
    hasher: *const karat_blake3_hasher,
    out: *mut u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promise.
    unsafe { karat_blake3_hasher_finalize_seek(hasher, 0, out, length) }
}

/// `length` bytes of output from `seek` on.
///
/// # Safety
/// As `karat_blake3_hasher_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake3_hasher_finalize_seek(
    hasher: *const karat_blake3_hasher,
    seek: u64,
    out: *mut u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promise.
    guard(|| unsafe {
        let hasher = object(hasher.cast::<Hasher>(), "hasher")?;
        let mut output = hasher.finalize_xof();
        output.set_position(seek);
        output.fill(write(out, length, "out")?);
        Ok(())
    })
}

/// Forgets the input, but no key.
///
/// # Safety
/// As `karat_blake3_hasher_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake3_hasher_reset(
    hasher: *mut karat_blake3_hasher,
) -> karat_status {
    // SAFETY: the caller's promise.
    guard(|| unsafe {
        let hasher = hasher.cast::<Hasher>().as_mut();
        hasher.ok_or_else(|| null("hasher"))?.reset();
        Ok(())
    })
}
