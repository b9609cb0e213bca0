//! Last blocks of messages, made with byte vectors.
//!
//! Intrinsics instead of assembly, because lengths differ from message to message.

use crate::many::Tail;
use crate::state::Parameters;
use core::arch::x86_64::*;

/// In the first block only words 0 to 8 and the last word are not zero.
pub(super) const SHORT: u32 = 4;

/// Words of eight messages, one row for each word. It has room for full vectors of
/// words.
#[repr(C, align(64))]
pub(super) struct Block([[u64; 8]; 24]);

/// Bytes `64 * i` to `64 * i + 63` of a message's last block: the remaining bytes and
/// the suffix. A masked load touches only the bytes of its mask, so no byte loop is
/// needed.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
fn piece(rest: &[u8], i: usize, suffix: __m512i) -> __m512i {
    let Some(left) = rest.len().checked_sub(64 * i) else {
        return _mm512_setzero_si512();
    };
    let mask = _bzhi_u64(u64::MAX, left.min(64) as u32);
    // SAFETY: the mask selects only bytes of `rest`, from 64 * i on. Other bytes are
    // not read.
    let text = unsafe { _mm512_maskz_loadu_epi8(mask, rest.as_ptr().add(64 * i).cast()) };
    let at = u64::from(left < 64) << (left % 64);
    _mm512_or_si512(text, _mm512_maskz_mov_epi8(at, suffix))
}

/// # Safety
/// The same conditions as for [`Wide::pad`].
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
pub(super) unsafe fn pad(tail: *mut Tail, rest: &[u8], p: Parameters) {
    let suffix = _mm512_set1_epi8(p.suffix.cast_signed());
    let end = p.rate() - 1;
    for i in 0..=end / 64 {
        // SAFETY: a tail has room for 192 bytes, and `end` is at most 167.
        unsafe { _mm512_store_si512(tail.cast::<__m512i>().add(i), piece(rest, i, suffix)) };
    }
    // SAFETY: a tail has room for 192 bytes, and `end` is at most 167.
    unsafe { *tail.cast::<u8>().add(end) |= 0x80 };
}

/// Makes the last blocks of eight messages. If it can leave words out, it returns
/// [`SHORT`].
///
/// # Safety
/// The same conditions as for [`Wide::finish`]. `block` must be writable.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
pub(super) unsafe fn last_block(block: *mut Block, rests: &[&[u8]; 8], p: Parameters) -> u32 {
    let suffix = _mm512_set1_epi8(p.suffix.cast_signed());
    let words = block.cast::<__m512i>();
    let mut longest = 0;
    for rest in rests {
        longest = longest.max(rest.len());
    }
    let last = p.words - 1;
    let bit = _mm512_set1_epi64(i64::MIN);
    let eights = if longest < 72 { 1 } else { last / 8 + 1 };
    for i in 0..eights {
        let eight = transposed(pieces(rests, i, suffix));
        for (j, word) in eight.into_iter().enumerate() {
            // SAFETY: a block has 24 words, and i is at most 2.
            unsafe { _mm512_store_si512(words.add(8 * i + j), word) };
        }
    }
    if longest < 72 {
        let ninth = if longest < 64 {
            _mm512_setzero_si512()
        } else {
            first_words(pieces(rests, 1, suffix))
        };
        // SAFETY: words 8 and `last` are in the block. They may be the same word.
        unsafe {
            _mm512_store_si512(words.add(last), bit);
            let ninth = if last == 8 {
                _mm512_or_si512(ninth, bit)
            } else {
                ninth
            };
            _mm512_store_si512(words.add(8), ninth);
        }
        return SHORT;
    }
    // SAFETY: word `last` has just been written.
    unsafe {
        let word = _mm512_or_si512(_mm512_load_si512(words.add(last)), bit);
        _mm512_store_si512(words.add(last), word);
    }
    0
}

/// [`piece`] for eight messages. A loop instead of a closure: `map`, which would call
/// the closure, does not have the target features. Without link-time optimisation the
/// closure would then not be inlined (docs/notes/keccak.md).
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
fn pieces(rests: &[&[u8]; 8], i: usize, suffix: __m512i) -> [__m512i; 8] {
    let mut out = [_mm512_setzero_si512(); 8];
    let mut lane = 0;
    while lane < 8 {
        out[lane] = piece(rests[lane], i, suffix);
        lane += 1;
    }
    out
}

/// Transposes: word j of vector i becomes word i of vector j.
#[target_feature(enable = "avx512f")]
#[inline]
fn transposed(v: [__m512i; 8]) -> [__m512i; 8] {
    let [a, b, c, d, e, f, g, h] = v;
    let even = fours(
        _mm512_unpacklo_epi64(a, b),
        _mm512_unpacklo_epi64(c, d),
        _mm512_unpacklo_epi64(e, f),
        _mm512_unpacklo_epi64(g, h),
    );
    let odd = fours(
        _mm512_unpackhi_epi64(a, b),
        _mm512_unpackhi_epi64(c, d),
        _mm512_unpackhi_epi64(e, f),
        _mm512_unpackhi_epi64(g, h),
    );
    [
        even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3],
    ]
}

/// Transposes the 128-bit parts of four vectors.
#[target_feature(enable = "avx512f")]
#[inline]
fn fours(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    let ab0 = _mm512_shuffle_i64x2::<0x44>(a, b);
    let ab1 = _mm512_shuffle_i64x2::<0xee>(a, b);
    let cd0 = _mm512_shuffle_i64x2::<0x44>(c, d);
    let cd1 = _mm512_shuffle_i64x2::<0xee>(c, d);
    [
        _mm512_shuffle_i64x2::<0x88>(ab0, cd0),
        _mm512_shuffle_i64x2::<0xdd>(ab0, cd0),
        _mm512_shuffle_i64x2::<0x88>(ab1, cd1),
        _mm512_shuffle_i64x2::<0xdd>(ab1, cd1),
    ]
}

/// Word 0 of vector i becomes word i.
#[target_feature(enable = "avx512f")]
#[inline]
fn first_words(v: [__m512i; 8]) -> __m512i {
    let [a, b, c, d, e, f, g, h] = v;
    let ab = _mm512_castsi512_si256(_mm512_unpacklo_epi64(a, b));
    let cd = _mm512_castsi512_si128(_mm512_unpacklo_epi64(c, d));
    let ef = _mm512_castsi512_si256(_mm512_unpacklo_epi64(e, f));
    let gh = _mm512_castsi512_si128(_mm512_unpacklo_epi64(g, h));
    let low = _mm256_inserti128_si256::<1>(ab, cd);
    let high = _mm256_inserti128_si256::<1>(ef, gh);
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}
