//! Many messages in ymm registers with the rotations of AVX-512, in assembly: two groups of
//! eight lanes at once. For CPUs that make an operation of 512 bits in two passes.
//!
//! A message's last block and messages of few blocks go through [`super::avx512`], whose
//! kernel masks what it reads and has no block to copy ahead.

use super::avx512::{PLAN, digests, four, karat_blake2s_avx512_x16, karat_blake2s_avx512_x32};
use crate::batch::{Batch, Body};
use crate::equal::{digest, groups};
use crate::job::{Sink, Start};
use crate::many;
use crate::plan::Plan;
use crate::{Blake2s, Node};
use core::arch::naked_asm;

/// From this many blocks on copies by general registers are worth it: the first block has
/// none before it, and the last one has none beside it (docs/notes/blake2.md).
const COPIED: usize = 5;

/// An implementation with 16 lanes.
pub(crate) struct Lanes16;

impl Body<u32, 16> for Lanes16 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u32, 16>, blocks: usize, stride: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { karat_blake2s_avx512vl_x16(batch, blocks, stride, &PLAN) }
    }
}

/// An implementation with 32 lanes, 16 after 16.
pub(crate) struct Lanes32;

impl Body<u32, 32> for Lanes32 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u32, 32>, blocks: usize, stride: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { karat_blake2s_avx512vl_x32(batch, blocks, stride, &PLAN) }
    }
}

/// [`many::hash`] with 32 or 16 lanes. It is compiled with the target features of the
/// lanes, so that the program's compiler flags do not change the code around them.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) unsafe fn hash(start: &Start<u32>, messages: &[&[u8]], out: &mut Sink) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::hash::<Blake2s, Lanes32, Lanes16, 32, 16>(start, messages, out) }
}

/// See [`crate::job::InStep`].
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL.
pub(crate) unsafe fn in_step(
    node: &Node<u32>,
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
) -> usize {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        many::in_step::<Blake2s, 32, 16>(
            karat_blake2s_avx512vl_groups32,
            karat_blake2s_avx512vl_groups16,
            node,
            messages,
            out,
            length,
        )
    }
}

/// Compresses whole blocks of sixteen lanes; the registers are those of the text.
#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_avx512vl_blocks() {
    naked_asm!(
        include_str!("../x86_64/blake2s_avx512vl_lanes.s"),
        options(raw)
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_avx512vl_x16(
    batch: &mut Batch<u32, 16>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u32>,
) {
    naked_asm!(
        ".cfi_startproc",
        "cmp rsi, {copied}\n jb 2f",
        "dec rsi\n lea r8, [rdi + 64*15]\n mov r9d, 64",
        "call {blocks}",
        "mov esi, 1",
        "2: jmp {last}\n .cfi_endproc",
        copied = const COPIED,
        blocks = sym karat_blake2s_avx512vl_blocks,
        last = sym karat_blake2s_avx512_x16,
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_avx512vl_x32(
    batch: &mut Batch<u32, 32>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u32>,
) {
    naked_asm!(
        ".cfi_startproc",
        "cmp rsi, {copied}\n jb 2f",
        "dec rsi\n push rsi\n .cfi_adjust_cfa_offset 8",
        "lea r8, [rdi + 128*15]\n mov r9d, 128",
        "call {blocks}",
        // The second half of every row.
        "pop rsi\n .cfi_adjust_cfa_offset -8",
        "lea r8, [rdi + 128*15 + 128]\n add rdi, 64",
        "call {blocks}",
        "sub rdi, 64\n mov esi, 1",
        "2: jmp {last}\n .cfi_endproc",
        copied = const COPIED,
        blocks = sym karat_blake2s_avx512vl_blocks,
        last = sym karat_blake2s_avx512_x32,
    )
}

groups!(karat_blake2s_avx512vl_groups16 u32, 16, karat_blake2s_avx512vl_x16, PLAN, "d" 64 4 64, digests!(64));
groups!(karat_blake2s_avx512vl_groups32 u32, 32, karat_blake2s_avx512vl_x32, PLAN, "d" 128 4 64, digests!(128));
