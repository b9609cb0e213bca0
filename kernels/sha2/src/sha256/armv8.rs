//! The SHA-2 extension of ARMv8, for one message or four side by side.
//!
//! Limit: `sha256h` and `sha256h2` do four rounds in a chain. Each takes 4 cycles on
//! Neoverse N1 and V1 (Arm's software optimisation guides), and one can start in each
//! cycle. So four streams fill the unit.
//!
//! Intrinsics suffice, because LLVM has no other lowering for these instructions.
//! Tested by emulation, not measured.

use super::constants::{BLOCK, K, Sha256};
use crate::job::Job;
use crate::wide::{Wide, common_length, equal, mixed};
use core::arch::aarch64::{
    uint32x4_t, vaddq_u32, vld1q_u8, vld1q_u32, vreinterpretq_u32_u8, vrev32q_u8, vsha256h2q_u32,
    vsha256hq_u32, vsha256su0q_u32, vsha256su1q_u32, vst1q_u32,
};

/// Runs `N` messages over `blocks` blocks each. Message `i` is read from `rows[i]` on.
///
/// # Safety
/// The CPU must have NEON and SHA2. Every row must be readable for `64 * blocks` bytes.
#[target_feature(enable = "neon,sha2")]
unsafe fn streams<const N: usize>(
    states: &mut [[u32; 8]; N],
    rows: &[*const u8; N],
    blocks: usize,
) {
    // SAFETY: states and constants are arrays of that size. The caller guarantees
    // readable rows.
    unsafe {
        let mut abcd = [load(&K.0, 0); N];
        let mut efgh = abcd;
        for i in 0..N {
            abcd[i] = load(&states[i], 0);
            efgh[i] = load(&states[i], 4);
        }
        for block in 0..blocks {
            let (old_abcd, old_efgh) = (abcd, efgh);
            let mut words = [[abcd[0]; 4]; N];
            for (words, row) in words.iter_mut().zip(rows) {
                for (j, word) in words.iter_mut().enumerate() {
                    let bytes = vld1q_u8(row.add(BLOCK * block + 16 * j));
                    *word = vreinterpretq_u32_u8(vrev32q_u8(bytes));
                }
            }
            for four in 0..16 {
                let k = load(&K.0, 4 * four);
                for i in 0..N {
                    let w = &mut words[i];
                    let now = w[four % 4];
                    let sum = vaddq_u32(now, k);
                    if four < 12 {
                        let next = vsha256su0q_u32(now, w[(four + 1) % 4]);
                        w[four % 4] = vsha256su1q_u32(next, w[(four + 2) % 4], w[(four + 3) % 4]);
                    }
                    let old = abcd[i];
                    abcd[i] = vsha256hq_u32(old, efgh[i], sum);
                    efgh[i] = vsha256h2q_u32(efgh[i], old, sum);
                }
            }
            for i in 0..N {
                abcd[i] = vaddq_u32(abcd[i], old_abcd[i]);
                efgh[i] = vaddq_u32(efgh[i], old_efgh[i]);
            }
        }
        for i in 0..N {
            vst1q_u32(states[i].as_mut_ptr(), abcd[i]);
            vst1q_u32(states[i].as_mut_ptr().add(4), efgh[i]);
        }
    }
}

/// Loads four words from `at` on.
#[inline]
#[target_feature(enable = "neon")]
fn load(words: &[u32], at: usize) -> uint32x4_t {
    // SAFETY: the slice has four words.
    unsafe { vld1q_u32(words[at..at + 4].as_ptr()) }
}

/// Runs one message over `count` blocks.
///
/// # Safety
/// The CPU must have NEON and SHA2. `blocks` must be readable for `64 * count` bytes.
pub(super) unsafe fn compress(state: &mut [u32; 8], blocks: *const u8, count: usize) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { streams(core::array::from_mut(state), &[blocks], count) }
}

struct Four([[u32; 8]; 4]);

impl Wide<Sha256, 4> for Four {
    fn new(iv: &[u32; 8]) -> Self {
        Self([*iv; 4])
    }

    fn get(&self, lane: usize) -> [u32; 8] {
        self.0[lane]
    }

    fn set(&mut self, lane: usize, state: &[u32; 8]) {
        self.0[lane] = *state;
    }

    unsafe fn blocks(&mut self, rows: &[*const u8; 4], busy: u32, blocks: usize) {
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            if busy.count_ones() == 1 {
                let lane = busy.trailing_zeros() as usize;
                compress(&mut self.0[lane], rows[lane], blocks);
            } else {
                streams(&mut self.0, rows, blocks);
            }
        }
    }
}

/// Hashes four messages at a time.
///
/// # Safety
/// The CPU must have NEON and SHA2.
pub(super) unsafe fn many(job: &mut Job<'_, Sha256>) {
    let count = job.messages.len();
    // SAFETY: the caller guarantees NEON and SHA2. Counts are 1 to 4.
    unsafe {
        if common_length(job.messages).is_none() {
            return mixed::<Sha256, Four, 4>(job);
        }
        for first in (0..count).step_by(4) {
            equal::<Sha256, Four, 4>(job, first, (count - first).min(4));
        }
    }
}
