//! One message on general registers, in assembly: any x86-64.

use crate::blake2::Counter;
use core::arch::naked_asm;

/// See [`crate::blake2::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more.
pub(crate) unsafe fn compress(
    h: &mut [u64; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u64>,
    step: usize,
) {
    // SAFETY: the caller's promise.
    unsafe { karat_blake2b_scalar(h, blocks, count, counter, step) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_scalar(
    h: &mut [u64; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u64>,
    step: usize,
) {
    naked_asm!(
        include_str!("../blake2/x86_64/scalar.s"),
        include_str!("../blake2/x86_64/blake2b_scalar.s"),
        options(raw)
    )
}
