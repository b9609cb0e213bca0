//! The SHA-512 instructions of ARMv8.2, for one message or two side by side.
//!
//! `sha512h` and `sha512h2` do two rounds, and each pair waits for the one before. Two
//! streams fill part of each other's gaps, and their states and words fit the registers.
//!
//! Intrinsics suffice, because LLVM has no other lowering for these instructions.
//! Tested by emulation, not measured.

use super::constants::{K, Sha512};
use crate::algorithm::Algorithm as _;
use crate::job::Job;
use crate::wide::{Wide, common_length, equal, mixed};
use core::arch::aarch64::{
    uint64x2_t, vaddq_u64, vextq_u64, vld1q_u8, vld1q_u64, vreinterpretq_u64_u8, vrev64q_u8,
    vsha512h2q_u64, vsha512hq_u64, vsha512su0q_u64, vsha512su1q_u64, vst1q_u64,
};

/// Runs `N` messages over `blocks` blocks each. Message `i` is read from `rows[i]` on.
///
/// # Safety
/// The CPU must have NEON and the SHA-512 instructions. Every row must be readable for
/// `128 * blocks` bytes.
#[target_feature(enable = "neon,sha3")]
unsafe fn streams<const N: usize>(
    states: &mut [[u64; 8]; N],
    rows: &[*const u8; N],
    blocks: usize,
) {
    // SAFETY: states and constants are arrays of that size. The caller guarantees
    // readable rows.
    unsafe {
        // Words a and b, c and d, e and f, g and h of each message.
        let mut state = [[load(&K.0, 0); 4]; N];
        for (state, words) in state.iter_mut().zip(states.iter()) {
            *state = [
                load(words, 0),
                load(words, 2),
                load(words, 4),
                load(words, 6),
            ];
        }
        for block in 0..blocks {
            let before = state;
            let mut words = [[state[0][0]; 8]; N];
            for (words, row) in words.iter_mut().zip(rows) {
                for (j, word) in words.iter_mut().enumerate() {
                    let bytes = vld1q_u8(row.add(Sha512::BLOCK * block + 16 * j));
                    *word = vreinterpretq_u64_u8(vrev64q_u8(bytes));
                }
            }
            for two in 0..40 {
                let k = load(&K.0, 2 * two);
                for i in 0..N {
                    let w = &mut words[i];
                    let at = |more: usize| (two + more) % 8;
                    let now = w[at(0)];
                    if two < 32 {
                        let next = vsha512su0q_u64(now, w[at(1)]);
                        let middle = vextq_u64::<1>(w[at(4)], w[at(5)]);
                        w[at(0)] = vsha512su1q_u64(next, w[at(7)], middle);
                    }
                    state[i] = two_rounds(state[i], vaddq_u64(now, k));
                }
            }
            for (state, before) in state.iter_mut().zip(&before) {
                for (words, before) in state.iter_mut().zip(before) {
                    *words = vaddq_u64(*words, *before);
                }
            }
        }
        for (words, state) in states.iter_mut().zip(&state) {
            for (i, two) in state.iter().enumerate() {
                vst1q_u64(words.as_mut_ptr().add(2 * i), *two);
            }
        }
    }
}

/// Two rounds with the sums of their words and constants (Arm Architecture Reference
/// Manual, SHA512H and SHA512H2).
#[inline]
#[target_feature(enable = "neon,sha3")]
fn two_rounds([ab, cd, ef, gh]: [uint64x2_t; 4], words: uint64x2_t) -> [uint64x2_t; 4] {
    let sum = vaddq_u64(vextq_u64::<1>(words, words), gh);
    let first = vsha512hq_u64(sum, vextq_u64::<1>(ef, gh), vextq_u64::<1>(cd, ef));
    [vsha512h2q_u64(first, cd, ab), ab, vaddq_u64(cd, first), ef]
}

/// Loads two words from `at` on.
#[inline]
#[target_feature(enable = "neon")]
fn load(words: &[u64], at: usize) -> uint64x2_t {
    // SAFETY: the slice has two words.
    unsafe { vld1q_u64(words[at..at + 2].as_ptr()) }
}

/// Runs one message over `count` blocks.
///
/// # Safety
/// The CPU must have NEON and the SHA-512 instructions. `blocks` must be readable for
/// `128 * count` bytes.
pub(super) unsafe fn compress(state: &mut [u64; 8], blocks: *const u8, count: usize) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { streams(core::array::from_mut(state), &[blocks], count) }
}

struct Two([[u64; 8]; 2]);

impl Wide<Sha512, 2> for Two {
    fn new(iv: &[u64; 8]) -> Self {
        Self([*iv; 2])
    }

    fn get(&self, lane: usize) -> [u64; 8] {
        self.0[lane]
    }

    fn set(&mut self, lane: usize, state: &[u64; 8]) {
        self.0[lane] = *state;
    }

    unsafe fn blocks(&mut self, rows: &[*const u8; 2], busy: u32, blocks: usize) {
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

/// Hashes two messages at a time.
///
/// # Safety
/// The CPU must have NEON and the SHA-512 instructions.
pub(super) unsafe fn many(job: &mut Job<'_, Sha512>) {
    let count = job.messages.len();
    // SAFETY: the caller guarantees the ISAs. Counts are 1 and 2.
    unsafe {
        if common_length(job.messages).is_none() {
            return mixed::<Sha512, Two, 2>(job);
        }
        for first in (0..count).step_by(2) {
            equal::<Sha512, Two, 2>(job, first, (count - first).min(2));
        }
    }
}
