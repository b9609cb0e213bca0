//! Many messages in ymm registers, in assembly: 4 lanes.

use crate::Blake2b;
use crate::batch::{Batch, Body};
use crate::equal::{self, avx2_groups};
use crate::job::{Sink, Start};
use crate::many;
use crate::shuffles::Constants;
use crate::single::Node;
use core::arch::naked_asm;

/// An implementation with 4 lanes.
pub(crate) struct Lanes4;

static CONSTANTS: Constants<u64> = Constants::BLAKE2B;

impl Body<u64, 4> for Lanes4 {
    const MASKED: bool = false;

    unsafe fn advance(batch: &mut Batch<u64, 4>, blocks: usize, stride: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { karat_blake2b_avx2_x4(batch, blocks, stride, &CONSTANTS) }
    }
}

/// [`many::hash`] with 4 lanes. It is compiled with the target features of the lanes,
/// so that the program's compiler flags do not change the code around them.
///
/// # Safety
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn hash(start: &Start<u64>, messages: &[&[u8]], out: &mut Sink) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::hash::<Blake2b, Lanes4, Lanes4, 4, 4>(start, messages, out) }
}

/// See [`crate::job::InStep`].
///
/// # Safety
/// The CPU must have AVX2.
pub(crate) unsafe fn in_step(
    node: &Node<u64>,
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
) -> usize {
    let groups = karat_blake2b_avx2_groups4;
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::by_pieces::<Blake2b, 4>(groups, node, messages, out, length) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2b_avx2_x4(
    batch: &mut Batch<u64, 4>,
    blocks: usize,
    stride: usize,
    constants: &Constants<u64>,
) {
    naked_asm!(
        ".macro karat_b2_hop",
        karat_hash_core::hop!(),
        ".endm",
        include_str!("../x86_64/avx2_lanes.s"),
        include_str!("../x86_64/blake2b_avx2_lanes.s"),
        options(raw)
    )
}

avx2_groups!(
    karat_blake2b_avx2_groups4 u64, 4, karat_blake2b_avx2_x4, CONSTANTS,
    include_str!("../x86_64/blake2b_avx2_groups.s"),
);
