//! Last blocks of messages, made with byte vectors.
//!
//! Intrinsics instead of assembly, because lengths differ from message to message.

use crate::many::Tail;
use crate::state::Parameters;
use core::arch::x86_64::*;

/// Bytes `64 * i` to `64 * i + 63` of a message's last block: the remaining bytes and
/// the suffix. A masked load touches only the bytes of its mask, so no byte loop is
/// needed.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
fn piece(rest: &[u8], i: usize, suffix: __m512i) -> __m512i {
    let Some(left) = rest.len().checked_sub(64 * i) else {
        return _mm512_setzero_si512();
    };
    // SAFETY: 64 bytes are there, or the mask selects only those that are. Other bytes are not
    // read.
    unsafe {
        let at = rest.as_ptr().add(64 * i).cast::<i8>();
        if left >= 64 {
            return _mm512_loadu_epi8(at);
        }
        let text = _mm512_maskz_loadu_epi8(_bzhi_u64(u64::MAX, left as u32), at);
        _mm512_mask_mov_epi8(text, 1 << left, suffix)
    }
}

/// # Safety
/// The same conditions as for [`Wide::pad`].
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
pub(super) unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
    let suffix = _mm512_set1_epi8(p.suffix.cast_signed());
    let end = p.rate() - 1;
    for i in 0..=end / 64 {
        let mut bytes = piece(rest, i, suffix);
        if i == end / 64 {
            // In the same store: a load of bytes that two stores wrote waits for the cache.
            let bit = _mm512_maskz_mov_epi8(1 << (end % 64), _mm512_set1_epi8(i8::MIN));
            bytes = _mm512_or_si512(bytes, bit);
        }
        // SAFETY: a tail has room for 192 bytes, and `end` is at most 167.
        unsafe { _mm512_store_si512(tail.cast::<__m512i>().add(i), bytes) };
    }
}

/// [`pad`] for eight messages of `body` full blocks. A loop instead of a closure: `map`, which
/// would call the closure, does not have the target features. Without link-time optimisation
/// the closure would then not be inlined (docs/notes/keccak.md).
///
/// # Safety
/// `tails` must be writable for eight.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
pub(super) unsafe fn last_blocks(
    tails: *mut Tail,
    messages: &[&[u8]; 8],
    body: usize,
    p: Parameters,
) {
    let mut lane = 0;
    while lane < 8 {
        // SAFETY: the caller guarantees eight tails.
        unsafe { pad(tails.add(lane), &messages[lane][body * p.rate()..], p) };
        lane += 1;
    }
}
