//! Many messages in zmm registers, in assembly: 8 lanes, or 16.

use crate::batch::{Batch, Body};
use crate::equal::{digest, groups};
use crate::job::{Sink, Start};
use crate::many;
use crate::plan::Plan;
use crate::{Blake2b, Node};
use core::arch::naked_asm;

static PLAN: Plan<u64> = Plan::BLAKE2B;

/// An implementation with 8 lanes.
pub(crate) struct Lanes8;

impl Body<u64, 8> for Lanes8 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u64, 8>, blocks: usize, stride: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { karat_blake2b_avx512_x8(batch, blocks, stride, &PLAN) }
    }
}

/// An implementation with 16 lanes.
pub(crate) struct Lanes16;

impl Body<u64, 16> for Lanes16 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u64, 16>, blocks: usize, stride: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { karat_blake2b_avx512_x16(batch, blocks, stride, &PLAN) }
    }
}

/// [`many::hash`] with 16 or 8 lanes. It is compiled with the target features of the
/// lanes, so that the program's compiler flags do not change the code around them.
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) unsafe fn hash(start: &Start<u64>, messages: &[&[u8]], out: &mut Sink) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::hash::<Blake2b, Lanes16, Lanes8, 16, 8>(start, messages, out) }
}

/// See [`crate::job::InStep`].
///
/// # Safety
/// The CPU must have AVX-512F, BW and VL.
pub(crate) unsafe fn in_step(
    node: &Node<u64>,
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
) -> usize {
    // SAFETY: the caller upholds the safety contract.
    unsafe {
        many::in_step::<Blake2b, 16, 8>(
            karat_blake2b_avx512_groups16,
            karat_blake2b_avx512_groups8,
            node,
            messages,
            out,
            length,
        )
    }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_avx512_x8(
    batch: &mut Batch<u64, 8>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u64>,
) {
    naked_asm!(
        include_str!("../x86_64/avx512_lanes.s"),
        include_str!("../x86_64/blake2b_avx512_lanes.s"),
        "karat_b2_all 64",
        include_str!("../x86_64/avx512_end.s"),
        options(raw)
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_avx512_x16(
    batch: &mut Batch<u64, 16>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u64>,
) {
    naked_asm!(
        include_str!("../x86_64/avx512_lanes.s"),
        include_str!("../x86_64/blake2b_avx512_lanes.s"),
        "karat_b2_all 128",
        include_str!("../x86_64/avx512_end.s"),
        options(raw)
    )
}

/// Transposes eight words of 8 lanes, from the rows of states at r9, to eight digests.
macro_rules! digests {
    ($row:literal) => { concat!(
        ".irp i,0,1,2,3,4,5,6,7\n vmovdqa64 zmm\\i,[r9+", $row, "*\\i]\n .endr\n",
        // Words 2k and 2k + 1: of the even lanes in register 8 + k, of the odd lanes in
        // 12 + k.
        "vpunpcklqdq zmm8,zmm0,zmm1\n vpunpcklqdq zmm9,zmm2,zmm3\n vpunpcklqdq zmm10,zmm4,zmm5\n vpunpcklqdq zmm11,zmm6,zmm7\n",
        "vpunpckhqdq zmm12,zmm0,zmm1\n vpunpckhqdq zmm13,zmm2,zmm3\n vpunpckhqdq zmm14,zmm4,zmm5\n vpunpckhqdq zmm15,zmm6,zmm7\n",
        four!(8 9 10 11 0 2 4 6), four!(12 13 14 15 1 3 5 7),
        digest!("zmm0" "zmm1" "zmm2" "zmm3" "zmm4" "zmm5" "zmm6" "zmm7"),
    ) };
}

/// Transposes the quarters of four registers.
macro_rules! four {
    ($a:literal $b:literal $c:literal $d:literal $to0:literal $to1:literal $to2:literal $to3:literal) => {
        concat!(
            "vshufi64x2 zmm16,zmm",
            $a,
            ",zmm",
            $b,
            ",0x44\n vshufi64x2 zmm17,zmm",
            $a,
            ",zmm",
            $b,
            ",0xee\n",
            "vshufi64x2 zmm18,zmm",
            $c,
            ",zmm",
            $d,
            ",0x44\n vshufi64x2 zmm19,zmm",
            $c,
            ",zmm",
            $d,
            ",0xee\n",
            "vshufi64x2 zmm",
            $to0,
            ",zmm16,zmm18,0x88\n vshufi64x2 zmm",
            $to1,
            ",zmm16,zmm18,0xdd\n",
            "vshufi64x2 zmm",
            $to2,
            ",zmm17,zmm19,0x88\n vshufi64x2 zmm",
            $to3,
            ",zmm17,zmm19,0xdd\n",
        )
    };
}

groups!(karat_blake2b_avx512_groups8 u64, 8, karat_blake2b_avx512_x8, PLAN, "q" 64 8 128, digests!(64));
groups!(karat_blake2b_avx512_groups16 u64, 16, karat_blake2b_avx512_x16, PLAN, "q" 128 8 128, digests!(128));
