//! One message with a row of the state in a register, in assembly.

use crate::blake2::Counter;
use crate::blake2::shuffles::Constants;
use core::arch::naked_asm;

static CONSTANTS: Constants<u32> = Constants::BLAKE2S;

/// See [`crate::blake2::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more; the CPU must have
/// SSE4.1.
pub(crate) unsafe fn sse41(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
) {
    // SAFETY: the caller's promise.
    unsafe { karat_blake2s_rows_sse41(h, blocks, count, counter, step, &CONSTANTS) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_rows_sse41(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
    constants: &Constants<u32>,
) {
    naked_asm!(
        include_str!("../blake2/x86_64/rows.s"),
        include_str!("../blake2/x86_64/blake2s_rows_sse41.s"),
        options(raw)
    )
}

/// See [`crate::blake2::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more; the CPU must have
/// AVX-512VL.
pub(crate) unsafe fn avx512vl(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
) {
    // SAFETY: the caller's promise.
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
        include_str!("../blake2/x86_64/rows.s"),
        include_str!("../blake2/x86_64/blake2s_rows_avx512vl.s"),
        options(raw)
    )
}
