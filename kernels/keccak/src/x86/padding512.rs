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

/// [`pad`] for eight messages of `body` full blocks. `ends` is where each one's last block is:
/// where no message has a byte in it, one block is all of theirs. Loops instead of closures:
/// `map`, which would call the closure, does not have the target features. Without link-time
/// optimisation the closure would then not be inlined (docs/notes/keccak.md).
///
/// # Safety
/// `tails` must be writable for eight.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
pub(super) unsafe fn last_blocks(
    tails: *mut Tail,
    ends: &mut [*const u8; 8],
    messages: &[&[u8]; 8],
    body: usize,
    p: Parameters,
) {
    let before = body * p.rate();
    let rest = messages[0].len() - before;
    let mut differ = 0;
    for (lane, (end, message)) in ends.iter_mut().zip(messages).enumerate() {
        differ |= message.len() ^ messages[0].len();
        *end = tails.wrapping_add(lane).cast();
    }
    // SAFETY: the caller guarantees eight tails. Messages have `body` full blocks, and with
    // `differ` 0 one length.
    unsafe {
        match rest / 64 {
            _ if differ != 0 => {
                let mut lane = 0;
                while lane < 8 {
                    pad(tails.add(lane), &messages[lane][before..], p);
                    lane += 1;
                }
            }
            _ if rest == 0 => {
                pad(tails, &[], p);
                ends.fill(tails.cast());
            }
            0 => equal::<0>(tails, messages, before, p),
            1 => equal::<1>(tails, messages, before, p),
            _ => equal::<2>(tails, messages, before, p),
        }
    }
}

/// [`pad`] for eight messages of one length, which have `64 * WHOLE` bytes and at most 63 more
/// from number `before` on. Masks are made once.
///
/// # Safety
/// `tails` must be writable for eight.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
unsafe fn equal<const WHOLE: usize>(
    tails: *mut Tail,
    messages: &[&[u8]; 8],
    before: usize,
    p: Parameters,
) {
    let rest = messages[0].len() - before - 64 * WHOLE;
    let mask = _bzhi_u64(u64::MAX, rest as u32);
    // What stands behind the bytes, and in the last vector.
    let suffix = _mm512_maskz_set1_epi8(1 << rest, p.suffix.cast_signed());
    let end = p.rate() - 1;
    let bit = _mm512_maskz_set1_epi8(1 << (end % 64), i8::MIN);
    let mut lane = 0;
    while lane < 8 {
        let at = messages[lane]
            .as_ptr()
            .wrapping_add(before)
            .cast::<__m512i>();
        // SAFETY: there are so many whole vectors, and the mask selects bytes of the message
        // only. A tail has room for 192 bytes, and `end` is 64 to 191.
        unsafe {
            let to = tails.add(lane).cast::<__m512i>();
            for i in 0..WHOLE {
                _mm512_store_si512(to.add(i), _mm512_loadu_si512(at.add(i)));
            }
            let text = _mm512_mask_loadu_epi8(suffix, mask, at.wrapping_add(WHOLE).cast());
            if WHOLE == end / 64 {
                _mm512_store_si512(to.add(WHOLE), _mm512_or_si512(text, bit));
            } else {
                _mm512_store_si512(to.add(WHOLE), text);
                if WHOLE + 1 < end / 64 {
                    _mm512_store_si512(to.add(WHOLE + 1), _mm512_setzero_si512());
                }
                _mm512_store_si512(to.add(end / 64), bit);
            }
        }
        lane += 1;
    }
}
