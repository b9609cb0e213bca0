//! One message in general registers, in assembly, for any x86-64 CPU.

use crate::{Counter, One};
use core::arch::naked_asm;

/// The functions for one message.
pub(super) const ONE: One<u32> = One { compress, hash };

/// See [`crate::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks, 1 or more.
unsafe fn compress(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { karat_blake2s_scalar(h, blocks, count, counter, step) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_scalar(
    h: &mut [u32; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<u32>,
    step: usize,
) {
    naked_asm!(
        include_str!("../x86_64/enter.s"),
        include_str!("../x86_64/permutations.s"),
        include_str!("../x86_64/scalar.s"),
        include_str!("../x86_64/blake2s_block.s"),
        include_str!("../x86_64/blake2s_scalar.s"),
        include_str!("../x86_64/scalar_end.s"),
        options(raw)
    )
}

/// See [`crate::single::HashOne`].
///
/// # Safety
/// The same conditions as there. Any x86-64 CPU has the ISA.
unsafe fn hash(start: &[u32; 8], message: &[u8], digest: *mut u8, length: usize) {
    // SAFETY: the caller upholds the safety contract. A slice is readable for its
    // length.
    unsafe { karat_blake2s_message(start, message.as_ptr(), message.len(), digest, length) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_message(
    start: &[u32; 8],
    message: *const u8,
    length: usize,
    digest: *mut u8,
    digest_length: usize,
) {
    naked_asm!(
        include_str!("../x86_64/enter.s"),
        include_str!("../x86_64/permutations.s"),
        include_str!("../x86_64/scalar.s"),
        include_str!("../x86_64/blake2s_block.s"),
        include_str!("../x86_64/message.s"),
        include_str!("../x86_64/blake2s_message.s"),
        include_str!("../x86_64/scalar_end.s"),
        options(raw)
    )
}
