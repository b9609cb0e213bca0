//! One message, with each row of the state in one register, in assembly.

use crate::shuffles::Constants;
use crate::{Counter, One, hash_by};
use core::arch::naked_asm;

static CONSTANTS: Constants<u64> = Constants::BLAKE2B;

/// The functions for one message with AVX2.
pub(super) const AVX2: One<u64> = One {
    compress: avx2,
    hash: hash_avx2,
};

/// See [`crate::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more. The CPU must have AVX2.
unsafe fn avx2(
    h: &mut [u64; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u64>,
    step: usize,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { karat_blake2b_rows_avx2_compress(h, blocks, count, counter, step, &CONSTANTS) }
}

/// See [`crate::single::HashOne`].
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX2.
unsafe fn hash_avx2(start: &[u64; 8], message: &[u8], digest: *mut u8, length: usize) {
    let (at, bytes) = (message.as_ptr(), message.len());
    // SAFETY: the caller upholds the safety contract. A slice is readable for its length.
    unsafe { karat_blake2b_rows_avx2_hash(start, at, bytes, digest, length, &CONSTANTS) }
}

/// Compresses blocks; the registers are those of the text.
#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_rows_avx2() {
    naked_asm!(
        include_str!("../x86_64/permutations.s"),
        include_str!("../x86_64/blake2b_rows_avx2.s"),
        options(raw)
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_rows_avx2_compress(
    h: &mut [u64; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u64>,
    step: usize,
    constants: &Constants<u64>,
) {
    naked_asm!(
        include_str!("../x86_64/blake2b_rows_compress.s"),
        blocks = sym karat_blake2b_rows_avx2,
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_rows_avx2_hash(
    start: &[u64; 8],
    message: *const u8,
    length: usize,
    digest: *mut u8,
    digest_length: usize,
    constants: &Constants<u64>,
) {
    naked_asm!(
        include_str!("../x86_64/digest_rest.s"),
        include_str!("../x86_64/enter.s"),
        include_str!("../x86_64/message.s"),
        include_str!("../x86_64/blake2b_rows_avx2_hash.s"),
        blocks = sym karat_blake2b_rows_avx2,
    )
}

/// The functions for one message with AVX-512VL.
pub(super) const AVX512VL: One<u64> = One {
    compress: avx512vl,
    hash: hash_avx512vl,
};

/// See [`crate::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more. The CPU must have
/// AVX-512VL.
unsafe fn avx512vl(
    h: &mut [u64; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u64>,
    step: usize,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { karat_blake2b_rows_avx512vl(h, blocks, count, counter, step, &CONSTANTS) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_rows_avx512vl(
    h: &mut [u64; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u64>,
    step: usize,
    constants: &Constants<u64>,
) {
    naked_asm!(
        include_str!("../x86_64/permutations.s"),
        include_str!("../x86_64/rows.s"),
        include_str!("../x86_64/blake2b_rows_words.s"),
        include_str!("../x86_64/blake2b_rows_avx512vl.s"),
        options(raw)
    )
}

/// See [`crate::single::HashOne`].
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX-512VL.
unsafe fn hash_avx512vl(start: &[u64; 8], message: &[u8], digest: *mut u8, length: usize) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { hash_by(avx512vl, start, message, digest, length) }
}
