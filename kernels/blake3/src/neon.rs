//! Four lanes a register, with intrinsics. AArch64 has 32 registers, so state and
//! message fit. No wider instruction set exists there to which the compiler could lower
//! these intrinsics.

use super::constants::{BLOCK_LEN, IV, SCHEDULE};
use super::job::{Job, LANES};
use core::arch::aarch64::*;

/// Lanes of a register.
const WIDTH: usize = 4;

type V = uint32x4_t;

/// Rotates every word right, here by 16. In `by8` the byte order 1, 2, 3, 0 rotates a
/// word by 8.
#[inline(always)]
fn by16(x: V) -> V {
    // SAFETY: every AArch64 CPU that rustc compiles this for has NEON.
    unsafe { vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x))) }
}

#[inline(always)]
fn by12(x: V) -> V {
    // SAFETY: NEON is always there, as in `by16`.
    unsafe { vsriq_n_u32(vshlq_n_u32(x, 20), x, 12) }
}

#[inline(always)]
fn by8(x: V) -> V {
    const ORDER: [u8; 16] = [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12];
    // SAFETY: NEON is always there, as in `by16`, and the table has 16 bytes.
    unsafe {
        let order = vld1q_u8(ORDER.as_ptr());
        vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), order))
    }
}

#[inline(always)]
fn by7(x: V) -> V {
    // SAFETY: NEON is always there, as in `by16`.
    unsafe { vsriq_n_u32(vshlq_n_u32(x, 25), x, 7) }
}

#[inline(always)]
fn add(a: V, b: V) -> V {
    // SAFETY: NEON is always there, as in `by16`.
    unsafe { vaddq_u32(a, b) }
}

#[inline(always)]
fn xor(a: V, b: V) -> V {
    // SAFETY: NEON is always there, as in `by16`.
    unsafe { veorq_u32(a, b) }
}

/// Four quarter rounds, interleaved step by step for CPUs that issue in order.
#[inline(always)]
fn columns(v: &mut [V; 16], at: [[usize; 4]; 4], m: &[V; 16], words: &[usize]) {
    for (i, [a, b, _, d]) in at.into_iter().enumerate() {
        v[a] = add(add(v[a], v[b]), m[words[2 * i]]);
        v[d] = by16(xor(v[d], v[a]));
    }
    for [_, b, c, d] in at {
        v[c] = add(v[c], v[d]);
        v[b] = by12(xor(v[b], v[c]));
    }
    for (i, [a, b, _, d]) in at.into_iter().enumerate() {
        v[a] = add(add(v[a], v[b]), m[words[2 * i + 1]]);
        v[d] = by8(xor(v[d], v[a]));
    }
    for [_, b, c, d] in at {
        v[c] = add(v[c], v[d]);
        v[b] = by7(xor(v[b], v[c]));
    }
}

/// Transposes four rows of four words.
#[inline(always)]
fn transpose(r: [V; 4]) -> [V; 4] {
    // SAFETY: NEON is always there, as in `by16`.
    unsafe {
        let wide = |v| vreinterpretq_u64_u32(v);
        let narrow = |v| vreinterpretq_u32_u64(v);
        let (a, b) = (wide(vtrn1q_u32(r[0], r[1])), wide(vtrn2q_u32(r[0], r[1])));
        let (c, d) = (wide(vtrn1q_u32(r[2], r[3])), wide(vtrn2q_u32(r[2], r[3])));
        [
            narrow(vtrn1q_u64(a, c)),
            narrow(vtrn1q_u64(b, d)),
            narrow(vtrn2q_u64(a, c)),
            narrow(vtrn2q_u64(b, d)),
        ]
    }
}

/// See [`super::body::Advance`].
///
/// # Safety
/// The same conditions as there.
pub(crate) unsafe fn advance(jobs: &mut [Job], blocks: usize, used: usize) {
    for lane in (0..used).step_by(WIDTH) {
        // SAFETY: the caller upholds the safety contract.
        unsafe { four(&mut jobs[lane / LANES], blocks, lane % LANES) };
    }
}

/// Runs lanes `lane` to `lane + 3`.
///
/// # Safety
/// The same conditions as for [`advance`].
unsafe fn four(job: &mut Job, blocks: usize, lane: usize) {
    // SAFETY: rows of a job have 16 words and `lane` is at most 12. The caller
    // guarantees the rest: inputs, key, `out` and `cv`.
    unsafe {
        let row = |r: &[u32; LANES]| vld1q_u32(r.as_ptr().add(lane));
        let mut cv: [V; 8] = match job.key.as_ref() {
            Some(key) => core::array::from_fn(|i| vdupq_n_u32(key[i])),
            None => core::array::from_fn(|i| row(&(*job.cv).0[i])),
        };
        for i in 0..blocks {
            let last = i + 1 == blocks;
            let mut m = [vdupq_n_u32(0); 16];
            for quarter in 0..4 {
                let at = i * BLOCK_LEN + 16 * quarter;
                let rows = core::array::from_fn(|l| {
                    vreinterpretq_u32_u8(vld1q_u8(job.inputs[lane + l].add(at)))
                });
                m[4 * quarter..4 * quarter + 4].copy_from_slice(&transpose(rows));
            }
            let flags = &job.flags[if last { 2 } else { usize::from(i > 0) }];
            let mut v = [vdupq_n_u32(0); 16];
            v[..8].copy_from_slice(&cv);
            for (v, iv) in v[8..12].iter_mut().zip(IV) {
                *v = vdupq_n_u32(iv);
            }
            v[12] = row(&job.counter[0]);
            v[13] = row(&job.counter[1]);
            v[14] = row(&job.lens[usize::from(last)]);
            v[15] = row(flags);
            for s in &SCHEDULE {
                let at = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
                columns(&mut v, at, &m, &s[..8]);
                let at = [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
                columns(&mut v, at, &m, &s[8..]);
            }
            cv = core::array::from_fn(|i| xor(v[i], v[i + 8]));
        }
        if job.out.is_null() {
            for (i, cv) in cv.into_iter().enumerate() {
                vst1q_u32((*job.cv).0[i].as_mut_ptr().add(lane), cv);
            }
            return;
        }
        let halves = [[cv[0], cv[1], cv[2], cv[3]], [cv[4], cv[5], cv[6], cv[7]]];
        for (h, half) in halves.into_iter().enumerate() {
            for (l, words) in transpose(half).into_iter().enumerate() {
                let to = job.out.add(32 * (lane + l) + 16 * h);
                vst1q_u8(to, vreinterpretq_u8_u32(words));
            }
        }
    }
}
