//! Many messages in zmm registers, in assembly: 16 lanes, or twice as many.

use crate::blake2::Blake2s;
use crate::blake2::batch::{Batch, Body};
use crate::blake2::many::{self, Sink, Start};
use crate::blake2::plan::Plan;
use core::arch::naked_asm;

static PLAN: Plan<u32> = Plan::BLAKE2S;

/// 16 lanes.
pub(crate) struct Lanes16;

impl Body<u32, 16> for Lanes16 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u32, 16>, blocks: usize, stride: usize) {
        // SAFETY: the caller's promise.
        unsafe { karat_blake2s_avx512_x16(batch, blocks, stride, &PLAN) }
    }
}

/// 32 lanes.
pub(crate) struct Lanes32;

impl Body<u32, 32> for Lanes32 {
    const MASKED: bool = true;

    unsafe fn advance(batch: &mut Batch<u32, 32>, blocks: usize, stride: usize) {
        // SAFETY: the caller's promise.
        unsafe { karat_blake2s_avx512_x32(batch, blocks, stride, &PLAN) }
    }
}

/// [`many::hash`] by 32 or 16 lanes, compiled with what the lanes need anyway: so
/// what stands around them is the same whatever the program's flags are.
///
/// # Safety
/// The CPU must have the ISAs.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) unsafe fn hash(start: &Start<u32>, messages: &[&[u8]], out: &mut Sink) {
    // SAFETY: the caller's promise.
    unsafe { many::hash::<Blake2s, Lanes32, Lanes16, 32, 16>(start, messages, out) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_avx512_x16(
    batch: &mut Batch<u32, 16>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u32>,
) {
    naked_asm!(
        include_str!("../blake2/x86_64/avx512_lanes.s"),
        include_str!("../blake2/x86_64/blake2s_avx512_lanes.s"),
        "karat_b2_all 64",
        include_str!("../blake2/x86_64/avx512_end.s"),
        options(raw)
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_avx512_x32(
    batch: &mut Batch<u32, 32>,
    blocks: usize,
    stride: usize,
    plan: &Plan<u32>,
) {
    naked_asm!(
        include_str!("../blake2/x86_64/avx512_lanes.s"),
        include_str!("../blake2/x86_64/blake2s_avx512_lanes.s"),
        "karat_b2_all 128",
        include_str!("../blake2/x86_64/avx512_end.s"),
        options(raw)
    )
}
