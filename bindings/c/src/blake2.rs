//! BLAKE2 in the shape of its reference code in C, under the prefix `karat_`;
//! `karat_blake2.h` gives the names of that code. All return 0, or a failure's code.
//!
//! Everything stands here twice, because cbindgen writes the header of what it reads here; what
//! the functions do is in `blake2_kind.rs` once. States and parameters are in `blake2_types.rs`.

use crate::blake2_kind::{blake2b, blake2s};
use crate::blake2_types::{
    karat_blake2b_param, karat_blake2b_state, karat_blake2s_param, karat_blake2s_state,
};
use crate::status::{guard, karat_status};

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
    guard(|| unsafe { blake2b::hash((out, out_length), (input, length), (key, key_length)) })
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
    guard(|| unsafe { blake2b::init(state, out_length, (std::ptr::null(), 0)) })
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
    // SAFETY: the caller's promises.
    guard(|| unsafe { blake2b::init(state, out_length, (key, key_length)) })
}

/// Begins a hash with these parameters.
///
/// # Safety
/// The place has room for a state; the parameters are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2b_init_param(
    state: *mut karat_blake2b_state,
    param: *const karat_blake2b_param,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe { blake2b::init_param(state, param) })
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
    guard(|| unsafe { blake2b::update(state, (input, length)) })
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
    guard(|| unsafe { blake2b::finish(state, (out, out_length)) })
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
    guard(|| unsafe { blake2s::hash((out, out_length), (input, length), (key, key_length)) })
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
    guard(|| unsafe { blake2s::init(state, out_length, (std::ptr::null(), 0)) })
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
    // SAFETY: the caller's promises.
    guard(|| unsafe { blake2s::init(state, out_length, (key, key_length)) })
}

/// Begins a hash with these parameters.
///
/// # Safety
/// The place has room for a state; the parameters are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_blake2s_init_param(
    state: *mut karat_blake2s_state,
    param: *const karat_blake2s_param,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe { blake2s::init_param(state, param) })
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
    guard(|| unsafe { blake2s::update(state, (input, length)) })
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
    guard(|| unsafe { blake2s::finish(state, (out, out_length)) })
}
