//! Many messages in zmm registers, in assembly: 8 lanes, or twice as many.

use crate::blake2::Blake2b;
use crate::blake2::batch::{Batch, Body};
use crate::blake2::many::{self, Sink, Start};
use crate::blake2::plan::Plan;
use core::arch::naked_asm;

static PLAN: Plan<u64> = Plan::BLAKE2B;

/// 8 lanes.
pub(crate) struct Lanes8;

impl Body<u64, 8> for Lanes8 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u64, 8>, blocks: usize, stride: usize) {
        // SAFETY: the caller's promise.
        unsafe { karat_blake2b_avx512_x8(batch, blocks, stride, &PLAN) }
    }
}

/// 16 lanes.
pub(crate) struct Lanes16;

impl Body<u64, 16> for Lanes16 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u64, 16>, blocks: usize, stride: usize) {
        // SAFETY: the caller's promise.
        unsafe { karat_blake2b_avx512_x16(batch, blocks, stride, &PLAN) }
    }
}

/// [`many::hash`] by 16 or 8 lanes, compiled with what the lanes need anyway: so
/// what stands around them is the same whatever the program's flags are.
///
/// # Safety
/// The CPU must have the ISAs.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) unsafe fn hash(start: &Start<u64>, messages: &[&[u8]], out: &mut Sink) {
    // SAFETY: the caller's promise.
    unsafe { many::hash::<Blake2b, Lanes16, Lanes8, 16, 8>(start, messages, out) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_avx512_x8(
    batch: &mut Batch<u64, 8>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u64>,
) {
    naked_asm!(
        include_str!("../blake2/x86_64/avx512_lanes.s"),
        include_str!("../blake2/x86_64/blake2b_avx512_lanes.s"),
        "karat_b2_all 64",
        include_str!("../blake2/x86_64/avx512_end.s"),
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
        include_str!("../blake2/x86_64/avx512_lanes.s"),
        include_str!("../blake2/x86_64/blake2b_avx512_lanes.s"),
        "karat_b2_all 128",
        include_str!("../blake2/x86_64/avx512_end.s"),
        options(raw)
    )
}
