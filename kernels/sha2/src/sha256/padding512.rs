//! Ends of messages by masked loads.

use super::constants::{BLOCK, Sha256};
use crate::wide::Tail;
use core::arch::x86_64::{
    _mm512_mask_set1_epi8, _mm512_mask_set1_epi64, _mm512_maskz_loadu_epi8, _mm512_setzero_si512,
    _mm512_storeu_si512,
};

/// [`crate::block::pad`] with masked loads instead of byte copies.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn pad_masked(messages: &[&[u8]], before: u64, tails: &mut [Tail<Sha256>]) -> usize {
    let mut blocks = 0;
    for index in 0..messages.len() {
        let (message, tail) = (messages[index], &mut tails[index]);
        let rest = message.len() % BLOCK;
        let length = (before.wrapping_add(message.len() as u64) << 3).to_be() as i64;
        let at = message[message.len() - rest..].as_ptr();
        // SAFETY: the mask selects the `rest` bytes only; others are not read. The tail
        // has room for two blocks.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8((1 << rest) - 1, at.cast());
            let bytes = _mm512_mask_set1_epi8(bytes, 1 << rest, 0x80_u8 as i8);
            let first = tail.as_mut_ptr();
            if rest < BLOCK - 8 {
                let bytes = _mm512_mask_set1_epi64(bytes, 0x80, length);
                _mm512_storeu_si512(first.cast(), bytes);
                blocks = 1;
            } else {
                _mm512_storeu_si512(first.cast(), bytes);
                let zero = _mm512_setzero_si512();
                let last = _mm512_mask_set1_epi64(zero, 0x80, length);
                _mm512_storeu_si512(first.add(BLOCK).cast(), last);
                blocks = 2;
            }
        }
    }
    blocks
}
