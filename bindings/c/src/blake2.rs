//! BLAKE2 in the shape of its reference code in C, under the prefix `karat_`;
//! `karat_blake2.h` gives the names of that code. All return 0, or a failure's code.

use crate::bytes::{object, read, write};
use crate::status::{Failure, argument, guard, karat_status, null};
use karat_hash::{blake2b, blake2s};

/// A state of BLAKE2b on the caller's stack, to be initialised before it is used. It may be
/// copied and needs no freeing.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct karat_blake2b_state {
    state: [u8; 512],
}

struct BState {
    hasher: blake2b::Hasher<64>,
    length: usize,
}

const _: () = {
    assert!(size_of::<BState>() <= size_of::<karat_blake2b_state>());
    assert!(align_of::<BState>() <= align_of::<karat_blake2b_state>());
    assert!(!std::mem::needs_drop::<BState>());
};

pub(crate) fn blake2b_params(length: usize, key: &[u8]) -> Result<blake2b::Params<64>, Failure> {
    if !(1..=64).contains(&length) {
        return Err(argument(format!(
            "a digest of {length} bytes: BLAKE2b has 1 to 64"
        )));
    }
    if key.len() > 64 {
        return Err(argument(format!(
            "a key of {} bytes: BLAKE2b takes up to 64",
            key.len()
        )));
    }
    Ok(blake2b::Params::new().digest_length(length).key(key))
}

/// BLAKE2b of a message, perhaps under a key.
///
/// # Safety
/// Pointers are good for their lengths, and `out` overlaps nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2b(
    out: *mut u8,
    out_length: usize,
    input: *const u8,
    length: usize,
    key: *const u8,
    key_length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let params = blake2b_params(out_length, read(key, key_length, "key")?)?;
        let digest = params.hash(read(input, length, "in")?);
        write(out, out_length, "out")?.copy_from_slice(&digest[..out_length]);
        Ok(())
    })
}

/// Begins a hash with digests of `out_length` bytes.
///
/// # Safety
/// The place has room for a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2b_init(
    state: *mut karat_blake2b_state,
    out_length: usize,
) -> karat_status {
    // SAFETY: the caller's promise.
    unsafe { karat_blake2b_init_key(state, out_length, std::ptr::null(), 0) }
}

/// Begins a hash under a key.
///
/// # Safety
/// The place has room for a state; the key has its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2b_init_key(
    state: *mut karat_blake2b_state,
    out_length: usize,
    key: *const u8,
    key_length: usize,
) -> karat_status {
    // SAFETY: the caller's promises, and the assertions above.
    guard(|| unsafe {
        let params = blake2b_params(out_length, read(key, key_length, "key")?)?;
        begin_b(state, &params, out_length)
    })
}

/// # Safety
/// The place has room for a state, or is null.
pub(crate) unsafe fn begin_b(
    state: *mut karat_blake2b_state,
    params: &blake2b::Params<64>,
    length: usize,
) -> Result<(), Failure> {
    if state.is_null() {
        return Err(null("state"));
    }
    let hasher = params.to_hasher();
    // SAFETY: the caller's promise, and the assertions above.
    unsafe { state.cast::<BState>().write(BState { hasher, length }) };
    Ok(())
}

/// Adds input.
///
/// # Safety
/// The state was initialised, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2b_update(
    state: *mut karat_blake2b_state,
    input: *const u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let state = state.cast::<BState>().as_mut();
        let state = state.ok_or_else(|| null("state"))?;
        state.hasher.update(read(input, length, "in")?);
        Ok(())
    })
}

/// The digest; `out_length` is at least the length that `init` was told.
///
/// # Safety
/// As `karat_blake2b_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2b_final(
    state: *mut karat_blake2b_state,
    out: *mut u8,
    out_length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let state = object(state.cast::<BState>(), "state")?;
        if out_length < state.length {
            return Err(argument(format!(
                "room for {out_length} bytes, the digest has {}",
                state.length
            )));
        }
        let out = write(out, state.length, "out")?;
        out.copy_from_slice(&state.hasher.finalize()[..state.length]);
        Ok(())
    })
}

/// A state of BLAKE2s on the caller's stack, to be initialised before it is used. It may be
/// copied and needs no freeing.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct karat_blake2s_state {
    state: [u8; 448],
}

struct SState {
    hasher: blake2s::Hasher<32>,
    length: usize,
}

const _: () = {
    assert!(size_of::<SState>() <= size_of::<karat_blake2s_state>());
    assert!(align_of::<SState>() <= align_of::<karat_blake2s_state>());
    assert!(!std::mem::needs_drop::<SState>());
};

pub(crate) fn blake2s_params(length: usize, key: &[u8]) -> Result<blake2s::Params<32>, Failure> {
    if !(1..=32).contains(&length) {
        return Err(argument(format!(
            "a digest of {length} bytes: BLAKE2s has 1 to 32"
        )));
    }
    if key.len() > 32 {
        return Err(argument(format!(
            "a key of {} bytes: BLAKE2s takes up to 32",
            key.len()
        )));
    }
    Ok(blake2s::Params::new().digest_length(length).key(key))
}

/// BLAKE2s of a message, perhaps under a key.
///
/// # Safety
/// Pointers are good for their lengths, and `out` overlaps nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2s(
    out: *mut u8,
    out_length: usize,
    input: *const u8,
    length: usize,
    key: *const u8,
    key_length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let params = blake2s_params(out_length, read(key, key_length, "key")?)?;
        let digest = params.hash(read(input, length, "in")?);
        write(out, out_length, "out")?.copy_from_slice(&digest[..out_length]);
        Ok(())
    })
}

/// Begins a hash with digests of `out_length` bytes.
///
/// # Safety
/// The place has room for a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2s_init(
    state: *mut karat_blake2s_state,
    out_length: usize,
) -> karat_status {
    // SAFETY: the caller's promise.
    unsafe { karat_blake2s_init_key(state, out_length, std::ptr::null(), 0) }
}

/// Begins a hash under a key.
///
/// # Safety
/// The place has room for a state; the key has its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2s_init_key(
    state: *mut karat_blake2s_state,
    out_length: usize,
    key: *const u8,
    key_length: usize,
) -> karat_status {
    // SAFETY: the caller's promises, and the assertions above.
    guard(|| unsafe {
        let params = blake2s_params(out_length, read(key, key_length, "key")?)?;
        begin_s(state, &params, out_length)
    })
}

/// # Safety
/// The place has room for a state, or is null.
pub(crate) unsafe fn begin_s(
    state: *mut karat_blake2s_state,
    params: &blake2s::Params<32>,
    length: usize,
) -> Result<(), Failure> {
    if state.is_null() {
        return Err(null("state"));
    }
    let hasher = params.to_hasher();
    // SAFETY: the caller's promise, and the assertions above.
    unsafe { state.cast::<SState>().write(SState { hasher, length }) };
    Ok(())
}

/// Adds input.
///
/// # Safety
/// The state was initialised, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2s_update(
    state: *mut karat_blake2s_state,
    input: *const u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let state = state.cast::<SState>().as_mut();
        let state = state.ok_or_else(|| null("state"))?;
        state.hasher.update(read(input, length, "in")?);
        Ok(())
    })
}

/// The digest; `out_length` is at least the length that `init` was told.
///
/// # Safety
/// As `karat_blake2s_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2s_final(
    state: *mut karat_blake2s_state,
    out: *mut u8,
    out_length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let state = object(state.cast::<SState>(), "state")?;
        if out_length < state.length {
            return Err(argument(format!(
                "room for {out_length} bytes, the digest has {}",
                state.length
            )));
        }
        let out = write(out, state.length, "out")?;
        out.copy_from_slice(&state.hasher.finalize()[..state.length]);
        Ok(())
    })
}
