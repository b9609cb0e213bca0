//! Many messages in ymm registers, in assembly: 8 lanes.

use crate::Blake2s;
use crate::batch::{Batch, Body};
use crate::equal::{self, avx2_groups};
use crate::job::{Sink, Start};
use crate::many;
use crate::shuffles::Constants;
use crate::single::Node;
use core::arch::naked_asm;

/// An implementation with 8 lanes.
pub(crate) struct Lanes8;

static CONSTANTS: Constants<u32> = Constants::BLAKE2S;

impl Body<u32, 8> for Lanes8 {
    const MASKED: bool = false;

    unsafe fn advance(batch: &mut Batch<u32, 8>, blocks: usize, stride: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { karat_blake2s_avx2_x8(batch, blocks, stride, &CONSTANTS) }
    }
}

/// [`many::hash`] with 8 lanes. It is compiled with the target features of the lanes,
/// so that the program's compiler flags do not change the code around them.
///
/// # Safety
/// The CPU must have AVX2.
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn hash(start: &Start<u32>, messages: &[&[u8]], out: &mut Sink) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::hash::<Blake2s, Lanes8, Lanes8, 8, 8>(start, messages, out) }
}

/// See [`crate::job::InStep`].
///
/// # Safety
/// The CPU must have AVX2.
pub(crate) unsafe fn in_step(
    node: &Node<u32>,
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
) -> usize {
    let groups = karat_blake2s_avx2_groups8;
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::by_pieces::<Blake2s, 8>(groups, node, messages, out, length) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn karat_blake2s_avx2_x8(
    batch: &mut Batch<u32, 8>,
    blocks: usize,
    stride: usize,
    constants: &Constants<u32>,
) {
    naked_asm!(
        ".macro karat_b2_hop",
        karat_hash_core::hop!(),
        ".endm",
        include_str!("../x86_64/avx2_lanes.s"),
        include_str!("../x86_64/blake2s_transpose.s"),
        include_str!("../x86_64/blake2s_avx2_lanes.s"),
        options(raw)
    )
}

avx2_groups!(
    karat_blake2s_avx2_groups8 u32, 8, karat_blake2s_avx2_x8, CONSTANTS,
    include_str!("../x86_64/blake2s_transpose.s"),
    include_str!("../x86_64/blake2s_avx2_groups.s"),
);
