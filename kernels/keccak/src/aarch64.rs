//! AArch64 with the SHA-3 instructions, two messages a register.
//!
//! A round is 10 `eor3`, 5 `rax1`, 24 `xar` (which also add theta's difference), 25
//! `bcax` and 2 exclusive-ors: 66 instructions for two states. Not measured.

use super::many::{self, States, Wide};
use super::portable::constants;
use super::state::{Parameters, Rounds};
use core::arch::aarch64::*;

/// See [`many::many`].
///
/// # Safety
/// The same conditions as there, and the CPU must have NEON and the SHA-3 instructions.
pub(crate) unsafe fn many(
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
    p: Parameters,
) -> usize {
    // SAFETY: the caller upholds the safety contract.
    unsafe { many::many::<2, Sha3>(messages, out, length, p) }
}

struct Sha3;

impl Wide<2> for Sha3 {
    #[inline]
    unsafe fn absorb(
        states: *mut States<2>,
        at: &[*const u8; 2],
        blocks: usize,
        words: usize,
        fresh: bool,
        rounds: Rounds,
    ) {
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            if fresh {
                states.write(States([[0; 2]; 25]));
            }
            absorb(&mut *states, at, blocks, words, rounds);
        }
    }
}

/// # Safety
/// The same conditions as for [`Wide::absorb`], and the states must be initialised.
#[target_feature(enable = "neon,sha3")]
unsafe fn absorb(
    states: &mut States<2>,
    at: &[*const u8; 2],
    blocks: usize,
    words: usize,
    rounds: Rounds,
) {
    let mut a = [vdupq_n_u64(0); 25];
    for (lane, pair) in a.iter_mut().zip(&states.0) {
        // SAFETY: a pair is 16 bytes, as many as are read.
        *lane = unsafe { vld1q_u64(pair.as_ptr()) };
    }
    for block in 0..blocks {
        for (i, lane) in a.iter_mut().take(words).enumerate() {
            let offset = (block * words + i) * 8;
            // SAFETY: the caller guarantees that the block is readable; these eight
            // bytes are in it.
            let [low, high] = at.map(|at| unsafe { vld1_u8(at.add(offset)) });
            *lane = veorq_u64(*lane, vreinterpretq_u64_u8(vcombine_u8(low, high)));
        }
        for constant in constants(rounds) {
            round(&mut a, *constant);
        }
    }
    for (lane, pair) in a.iter().zip(&mut states.0) {
        // SAFETY: a pair is 16 bytes, as many as are written.
        unsafe { vst1q_u64(pair.as_mut_ptr(), *lane) };
    }
}

#[target_feature(enable = "neon,sha3")]
#[inline]
fn round(a: &mut [uint64x2_t; 25], constant: u64) {
    let five = |x: usize| veor3q_u64(veor3q_u64(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    let c = [five(0), five(1), five(2), five(3), five(4)];
    // `vrax1q_u64(x, y)` is x ^ (y rotated left by 1).
    let d = [
        vrax1q_u64(c[4], c[1]),
        vrax1q_u64(c[0], c[2]),
        vrax1q_u64(c[1], c[3]),
        vrax1q_u64(c[2], c[4]),
        vrax1q_u64(c[3], c[0]),
    ];
    // `xar` rotates right: 64 minus rho's offset. Listed by the places to which pi
    // moves lanes.
    macro_rules! rho_pi {
        ($($lane:literal $right:literal),*) => {
            [veorq_u64(a[0], d[0]), $(vxarq_u64::<$right>(a[$lane], d[$lane % 5])),*]
        };
    }
    let b = rho_pi!(
        6 20, 12 21, 18 43, 24 50,
        3 36, 9 44, 10 61, 16 19, 22 3,
        1 63, 7 58, 13 39, 19 56, 20 46,
        4 37, 5 28, 11 54, 17 49, 23 8,
        2 2, 8 9, 14 25, 15 23, 21 62
    );
    for y in [0, 5, 10, 15, 20] {
        for x in 0..5 {
            // `vbcaxq_u64(x, y, z)` is x ^ (y & ~z).
            a[y + x] = vbcaxq_u64(b[y + x], b[y + (x + 2) % 5], b[y + (x + 1) % 5]);
        }
    }
    a[0] = veorq_u64(a[0], vdupq_n_u64(constant));
}
