//! Many messages in zmm registers, in assembly: 16 lanes, or 32.

use crate::batch::{Batch, Body};
use crate::equal::{digest, groups};
use crate::job::{Sink, Start};
use crate::many;
use crate::plan::Plan;
use crate::{Blake2s, Node};
use core::arch::naked_asm;

pub(super) static PLAN: Plan<u32> = Plan::BLAKE2S;

/// An implementation with 16 lanes.
pub(crate) struct Lanes16;

impl Body<u32, 16> for Lanes16 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u32, 16>, blocks: usize, stride: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { karat_blake2s_avx512_x16(batch, blocks, stride, &PLAN) }
    }
}

/// An implementation with 32 lanes.
pub(crate) struct Lanes32;

impl Body<u32, 32> for Lanes32 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u32, 32>, blocks: usize, stride: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { karat_blake2s_avx512_x32(batch, blocks, stride, &PLAN) }
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
            karat_blake2s_avx512_groups32,
            karat_blake2s_avx512_groups16,
            node,
            messages,
            out,
            length,
        )
    }
}

#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn karat_blake2s_avx512_x16(
    batch: &mut Batch<u32, 16>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u32>,
) {
    naked_asm!(
        include_str!("../x86_64/avx512_lanes.s"),
        include_str!("../x86_64/blake2s_avx512_lanes.s"),
        "karat_b2_all 64",
        include_str!("../x86_64/avx512_end.s"),
        options(raw)
    )
}

#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn karat_blake2s_avx512_x32(
    batch: &mut Batch<u32, 32>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u32>,
) {
    naked_asm!(
        include_str!("../x86_64/avx512_lanes.s"),
        include_str!("../x86_64/blake2s_avx512_lanes.s"),
        "karat_b2_all 128",
        include_str!("../x86_64/avx512_end.s"),
        options(raw)
    )
}

/// Transposes eight words of 16 lanes, from the rows of states at r9, to sixteen
/// digests. Before the last step a quarter of a register holds half a digest.
macro_rules! digests {
    ($row:literal) => { concat!(
        ".irp i,0,1,2,3,4,5,6,7\n vmovdqa64 zmm\\i,[r9+", $row, "*\\i]\n .endr\n",
        "vpunpckldq zmm8,zmm0,zmm1\n vpunpckldq zmm9,zmm2,zmm3\n vpunpckldq zmm10,zmm4,zmm5\n vpunpckldq zmm11,zmm6,zmm7\n",
        "vpunpckhdq zmm12,zmm0,zmm1\n vpunpckhdq zmm13,zmm2,zmm3\n vpunpckhdq zmm14,zmm4,zmm5\n vpunpckhdq zmm15,zmm6,zmm7\n",
        // Words 0-3 and 4-7 of lanes i, i + 4, i + 8, i + 12 go to registers 2i and
        // 2i + 1.
        "vpunpcklqdq zmm0,zmm8,zmm9\n vpunpcklqdq zmm1,zmm10,zmm11\n vpunpckhqdq zmm2,zmm8,zmm9\n vpunpckhqdq zmm3,zmm10,zmm11\n",
        "vpunpcklqdq zmm4,zmm12,zmm13\n vpunpcklqdq zmm5,zmm14,zmm15\n vpunpckhqdq zmm6,zmm12,zmm13\n vpunpckhqdq zmm7,zmm14,zmm15\n",
        ".irp q,0,1,2,3\n",
        four!(0 1 8), four!(2 3 9), four!(4 5 10), four!(6 7 11),
        digest!("ymm8" "ymm9" "ymm10" "ymm11"),
        ".endr\n",
    ) };
}

pub(super) use digests;

/// Stores both halves of the digest of lane 4q + i, from quarter q of two registers.
macro_rules! four {
    ($low:literal $high:literal $to:literal) => {
        concat!(
            "vextracti32x4 xmm",
            $to,
            ",zmm",
            $low,
            ",\\q\n vextracti32x4 xmm12,zmm",
            $high,
            ",\\q\n",
            "vinserti128 ymm",
            $to,
            ",ymm",
            $to,
            ",xmm12,1\n",
        )
    };
}
pub(super) use four;

groups!(karat_blake2s_avx512_groups16 u32, 16, karat_blake2s_avx512_x16, PLAN, "d" 64 4 64, digests!(64));
groups!(karat_blake2s_avx512_groups32 u32, 32, karat_blake2s_avx512_x32, PLAN, "d" 128 4 64, digests!(128));
