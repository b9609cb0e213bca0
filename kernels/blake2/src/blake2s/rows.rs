//! One message, with each row of the state in one register, in assembly.

use crate::shuffles::Constants;
use crate::{Counter, One, hash_by};
use core::arch::naked_asm;

static CONSTANTS: Constants<u32> = Constants::BLAKE2S;

/// The functions for one message with SSE4.1.
pub(super) const SSE41: One<u32> = One {
    compress: sse41,
    hash: hash_sse41,
};

/// See [`crate::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more. The CPU must have SSE4.1.
unsafe fn sse41(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { karat_blake2s_rows_sse41_compress(h, blocks, count, counter, step, &CONSTANTS) }
}

/// See [`crate::single::HashOne`].
///
/// # Safety
/// The same conditions as there, and the CPU must have SSE4.1.
unsafe fn hash_sse41(start: &[u32; 8], message: &[u8], digest: *mut u8, length: usize) {
    let (at, bytes) = (message.as_ptr(), message.len());
    // SAFETY: the caller upholds the safety contract. A slice is readable for its length.
    unsafe { karat_blake2s_rows_sse41_hash(start, at, bytes, digest, length, &CONSTANTS) }
}

/// Compresses blocks; the registers are those of the text.
#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_sse41() {
    naked_asm!(
        include_str!("../x86_64/rows.s"),
        include_str!("../x86_64/blake2s_rows_sse41.s"),
        options(raw)
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_sse41_compress(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
    constants: &Constants<u32>,
) {
    naked_asm!(
        include_str!("../x86_64/blake2s_rows_sse41_compress.s"),
        blocks = sym karat_blake2s_rows_sse41,
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_sse41_hash(
    start: &[u32; 8],
    message: *const u8,
    length: usize,
    digest: *mut u8,
    digest_length: usize,
    constants: &Constants<u32>,
) {
    naked_asm!(
        include_str!("../x86_64/enter.s"),
        include_str!("../x86_64/message.s"),
        include_str!("../x86_64/blake2s_rows_sse41_hash.s"),
        blocks = sym karat_blake2s_rows_sse41,
    )
}

/// The functions for one message with AVX-512VL.
pub(super) const AVX512VL: One<u32> = One {
    compress: avx512vl,
    hash: hash_avx512vl,
};

/// See [`crate::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more. The CPU must have
/// AVX-512VL.
unsafe fn avx512vl(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { karat_blake2s_rows_avx512vl(h, blocks, count, counter, step, &CONSTANTS) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_avx512vl(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
    constants: &Constants<u32>,
) {
    naked_asm!(
        include_str!("../x86_64/rows.s"),
        include_str!("../x86_64/blake2s_rows_words.s"),
        include_str!("../x86_64/blake2s_rows_avx512vl.s"),
        options(raw)
    )
}

/// See [`crate::single::HashOne`].
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX-512VL.
unsafe fn hash_avx512vl(start: &[u32; 8], message: &[u8], digest: *mut u8, length: usize) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { hash_by(avx512vl, start, message, digest, length) }
}
