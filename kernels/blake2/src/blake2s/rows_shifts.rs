//! One message with each row of the state in one register, for CPUs that shift in one cycle
//! but rotate in two.

use crate::shuffles::Constants;
use crate::{Counter, One};
use core::arch::naked_asm;

static CONSTANTS: Constants<u32> = Constants::BLAKE2S;

/// The functions for one message.
pub(super) const ONE: One<u32> = One { compress, hash };

/// See [`crate::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more. The CPU must have AVX-512F, BW
/// and VL, and BMI2.
unsafe fn compress(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { karat_blake2s_rows_shifts_compress(h, blocks, count, counter, step, &CONSTANTS) }
}

/// See [`crate::single::HashOne`].
///
/// # Safety
/// The same conditions as there, and the CPU must have AVX-512F, BW and VL, and BMI2.
unsafe fn hash(start: &[u32; 8], message: &[u8], digest: *mut u8, length: usize) {
    let (at, bytes) = (message.as_ptr(), message.len());
    // SAFETY: the caller upholds the safety contract. A slice is readable for its length.
    unsafe { karat_blake2s_rows_shifts_hash(start, at, bytes, digest, length, &CONSTANTS) }
}

/// Compresses blocks; the registers are those of the text.
#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_shifts_blocks() {
    naked_asm!(
        include_str!("../x86_64/rows.s"),
        include_str!("../x86_64/blake2s_rows_words.s"),
        include_str!("../x86_64/blake2s_rows_shifts.s"),
        options(raw)
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_shifts_compress(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
    constants: &Constants<u32>,
) {
    naked_asm!(
        include_str!("../x86_64/blake2s_rows_shifts_compress.s"),
        blocks = sym karat_blake2s_rows_shifts_blocks,
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_shifts_hash(
    start: &[u32; 8],
    message: *const u8,
    length: usize,
    digest: *mut u8,
    digest_length: usize,
    constants: &Constants<u32>,
) {
    naked_asm!(
        include_str!("../x86_64/digest_rest.s"),
        include_str!("../x86_64/blake2s_rows_shifts_hash.s"),
        blocks = sym karat_blake2s_rows_shifts_blocks,
    )
}
