//! The SHA extensions on 32-bit x86, for one message.
//!
//! Intrinsics: the assembly for x86-64 counts on sixteen registers and 64-bit addresses.

use super::constants::{BLOCK, K, Sha256};
use crate::job::Job;
use crate::portable;
use core::arch::x86::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_blend_epi16, _mm_loadu_si128, _mm_set_epi64x,
    _mm_setzero_si128, _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32,
    _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_storeu_si128,
};

/// Runs one message over `count` blocks.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1. `blocks` must be readable for `64 * count` bytes.
#[target_feature(enable = "sha,ssse3,sse4.1")]
pub(super) unsafe fn compress(state: &mut [u32; 8], blocks: *const u8, count: usize) {
    let places = state.as_mut_ptr().cast::<__m128i>();
    // SAFETY: a state has 32 bytes.
    let (abcd, efgh) = unsafe { (_mm_loadu_si128(places), _mm_loadu_si128(places.add(1))) };
    // The instructions have words A, B, E, F in one register and C, D, G, H in the other,
    // the first in the highest place.
    let (badc, hgfe) = (
        _mm_shuffle_epi32::<0xb1>(abcd),
        _mm_shuffle_epi32::<0x1b>(efgh),
    );
    let mut abef = _mm_alignr_epi8::<8>(badc, hgfe);
    let mut cdgh = _mm_blend_epi16::<0xf0>(hgfe, badc);
    let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    for block in 0..count {
        let (old_abef, old_cdgh) = (abef, cdgh);
        let mut w = [_mm_setzero_si128(); 4];
        for (i, words) in w.iter_mut().enumerate() {
            // SAFETY: the caller guarantees that the block is readable.
            let bytes = unsafe { _mm_loadu_si128(blocks.add(BLOCK * block + 16 * i).cast()) };
            *words = _mm_shuffle_epi8(bytes, big_endian);
        }
        for four in 0..16 {
            let now = w[four % 4];
            // SAFETY: there are 64 constants.
            let k = unsafe { _mm_loadu_si128(K.0.as_ptr().add(4 * four).cast()) };
            let sum = _mm_add_epi32(now, k);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32::<0x0e>(sum));
            if four < 12 {
                let (next, third, last) = (w[(four + 1) % 4], w[(four + 2) % 4], w[(four + 3) % 4]);
                let sums = _mm_sha256msg1_epu32(now, next);
                let sums = _mm_add_epi32(sums, _mm_alignr_epi8::<4>(last, third));
                w[four % 4] = _mm_sha256msg2_epu32(sums, last);
            }
        }
        abef = _mm_add_epi32(abef, old_abef);
        cdgh = _mm_add_epi32(cdgh, old_cdgh);
    }
    let (feba, dchg) = (
        _mm_shuffle_epi32::<0x1b>(abef),
        _mm_shuffle_epi32::<0xb1>(cdgh),
    );
    // SAFETY: a state has 32 bytes.
    unsafe {
        _mm_storeu_si128(places, _mm_blend_epi16::<0xf0>(feba, dchg));
        _mm_storeu_si128(places.add(1), _mm_alignr_epi8::<8>(dchg, feba));
    }
}

/// Hashes one message after another.
///
/// # Safety
/// The CPU must have SHA, SSSE3 and SSE4.1.
pub(super) unsafe fn many(job: &mut Job<'_, Sha256>) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { portable::one_by_one(job, compress) }
}
