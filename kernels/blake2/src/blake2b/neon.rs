//! Many messages in NEON registers: 2 lanes. Tested, but not measured on any AArch64
//! machine.

use crate::algorithm::Construction;
use crate::batch::{Batch, Body};
use crate::portable::{Value, rounds};
use crate::{Algorithm, Blake2b};
use core::arch::aarch64::*;

/// One word of each of 2 messages.
#[derive(Clone, Copy)]
struct Words(uint64x2_t);

// Every AArch64 target for which this file is compiled has NEON.
impl Value for Words {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: NEON is available at compile time.
        Self(unsafe { vaddq_u64(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: NEON is available at compile time.
        Self(unsafe { veorq_u64(self.0, other.0) })
    }
    #[inline(always)]
    fn rotated(self, bits: u32) -> Self {
        // SAFETY: NEON is available at compile time.
        Self(unsafe {
            match bits {
                32 => vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(self.0))),
                24 => vsriq_n_u64::<24>(vshlq_n_u64::<40>(self.0), self.0),
                16 => vsriq_n_u64::<16>(vshlq_n_u64::<48>(self.0), self.0),
                63 => vsriq_n_u64::<63>(vaddq_u64(self.0, self.0), self.0),
                _ => unreachable!("BLAKE2b has four rotations"),
            }
        })
    }
}

/// An implementation with 2 lanes.
pub(crate) struct Lanes2;

impl Body<u64, 2> for Lanes2 {
    const MASKED: bool = false;

    unsafe fn advance(batch: &mut Batch<u64, 2>, blocks: usize, stride: usize) {
        for block in (0..blocks).rev() {
            // SAFETY: the caller upholds the safety contract.
            unsafe { step(batch, usize::from(block == 0)) };
            for (at, low) in batch.at.iter_mut().zip(&mut batch.low[0]) {
                *at = at.wrapping_add(stride);
                *low = low.wrapping_add(Blake2b::BLOCK as u64);
            }
        }
    }
}

/// Compresses one block of every lane. `last` is the index into the paired fields.
///
/// # Safety
/// Every `at` must be readable for a block.
unsafe fn step(batch: &mut Batch<u64, 2>, last: usize) {
    // SAFETY: a row has 2 words, as many as are read.
    let row = |row: &[u64; 2]| Words(unsafe { vld1q_u64(row.as_ptr()) });
    let mut m = [row(&[0; 2]); 16];
    let at = batch.at;
    // SAFETY: NEON is available at compile time. The caller guarantees a readable block
    // for each lane.
    unsafe {
        for i in 0..8 {
            let [a, b] = at.map(|p| vreinterpretq_u64_u8(vld1q_u8(p.add(16 * i))));
            m[2 * i] = Words(vtrn1q_u64(a, b));
            m[2 * i + 1] = Words(vtrn2q_u64(a, b));
        }
    }
    let mut v = m;
    for i in 0..8 {
        v[i] = row(&batch.h[i]);
        v[i + 8] = row(&[Blake2b::IV[i]; 2]);
    }
    v[12] = v[12].xor(row(&batch.low[last]));
    v[13] = v[13].xor(row(&batch.high));
    v[14] = v[14].xor(row(&batch.last[last]));
    v[15] = v[15].xor(row(&batch.node[last]));
    rounds::<Blake2b, Words>(&mut v, &m);
    for i in 0..8 {
        let h = row(&batch.h[i]).xor(v[i]).xor(v[i + 8]);
        // SAFETY: a row has 2 words, as many as are written.
        unsafe { vst1q_u64(batch.h[i].as_mut_ptr(), h.0) };
    }
}
