//! Many messages in NEON registers: 4 lanes. Tested, but not measured on any AArch64
//! machine.

use crate::algorithm::Construction;
use crate::batch::{Batch, Body};
use crate::portable::{Value, rounds};
use crate::{Algorithm, Blake2s};
use core::arch::aarch64::*;

/// One word of each of 4 messages.
#[derive(Clone, Copy)]
struct Words(uint32x4_t);

// Every AArch64 target for which this file is compiled has NEON.
impl Value for Words {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: NEON is available at compile time.
        Self(unsafe { vaddq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: NEON is available at compile time.
        Self(unsafe { veorq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn rotated(self, bits: u32) -> Self {
        // SAFETY: NEON is available at compile time.
        Self(unsafe {
            match bits {
                16 => vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(self.0))),
                12 => vsriq_n_u32::<12>(vshlq_n_u32::<20>(self.0), self.0),
                8 => vsriq_n_u32::<8>(vshlq_n_u32::<24>(self.0), self.0),
                7 => vsriq_n_u32::<7>(vshlq_n_u32::<25>(self.0), self.0),
                _ => unreachable!("BLAKE2s has four rotations"),
            }
        })
    }
}

/// An implementation with 4 lanes.
pub(crate) struct Lanes4;

impl Body<u32, 4> for Lanes4 {
    const MASKED: bool = false;

    unsafe fn advance(batch: &mut Batch<u32, 4>, blocks: usize, stride: usize) {
        for block in (0..blocks).rev() {
            // SAFETY: the caller upholds the safety contract.
            unsafe { step(batch, usize::from(block == 0)) };
            for (at, low) in batch.at.iter_mut().zip(&mut batch.low[0]) {
                *at = at.wrapping_add(stride);
                *low = low.wrapping_add(Blake2s::BLOCK as u32);
            }
        }
    }
}

/// Compresses one block of every lane. `last` is the index into the paired fields.
///
/// # Safety
/// Every `at` must be readable for a block.
unsafe fn step(batch: &mut Batch<u32, 4>, last: usize) {
    // SAFETY: a row has 4 words, as many as are read.
    let row = |row: &[u32; 4]| Words(unsafe { vld1q_u32(row.as_ptr()) });
    let mut m = [row(&[0; 4]); 16];
    let at = batch.at;
    // SAFETY: NEON is available at compile time. The caller guarantees a readable block
    // for each lane.
    unsafe {
        for i in 0..4 {
            let [a, b, c, d] = at.map(|p| vreinterpretq_u32_u8(vld1q_u8(p.add(16 * i))));
            let pair = |low, high| (vreinterpretq_u64_u32(low), vreinterpretq_u64_u32(high));
            let even = pair(vtrn1q_u32(a, b), vtrn1q_u32(c, d));
            let odd = pair(vtrn2q_u32(a, b), vtrn2q_u32(c, d));
            m[4 * i] = Words(vreinterpretq_u32_u64(vtrn1q_u64(even.0, even.1)));
            m[4 * i + 1] = Words(vreinterpretq_u32_u64(vtrn1q_u64(odd.0, odd.1)));
            m[4 * i + 2] = Words(vreinterpretq_u32_u64(vtrn2q_u64(even.0, even.1)));
            m[4 * i + 3] = Words(vreinterpretq_u32_u64(vtrn2q_u64(odd.0, odd.1)));
        }
    }
    let mut v = m;
    for i in 0..8 {
        v[i] = row(&batch.h[i]);
        v[i + 8] = row(&[Blake2s::IV[i]; 4]);
    }
    v[12] = v[12].xor(row(&batch.low[last]));
    v[13] = v[13].xor(row(&batch.high));
    v[14] = v[14].xor(row(&batch.last[last]));
    v[15] = v[15].xor(row(&batch.node[last]));
    rounds::<Blake2s, Words>(&mut v, &m);
    for i in 0..8 {
        let h = row(&batch.h[i]).xor(v[i]).xor(v[i + 8]);
        // SAFETY: a row has 4 words, as many as are written.
        unsafe { vst1q_u32(batch.h[i].as_mut_ptr(), h.0) };
    }
}
