//! From limbs to digits of 52 bits and back, by AVX-512 VBMI: bytes go where they belong in
//! one instruction, because two digits are 13 bytes.
//!
//! # Safety
//! As in [`avx512ifma`](super::avx512ifma).

use core::arch::x86_64::*;

#[repr(align(64))]
struct Bytes([u8; 64]);

#[inline(always)]
unsafe fn load(bytes: &Bytes) -> __m512i {
    // SAFETY: the caller's promise; 64 bytes on a boundary of 64.
    unsafe { _mm512_load_si512(core::ptr::from_ref(bytes).cast()) }
}

/// Where the eight bytes begin that have a digit, from the first whole limb of a vector of
/// digits on, for vectors of even and of odd places: they begin in the middle of a limb.
static FROM: [Bytes; 2] = [digit_bytes(0), digit_bytes(4)];

const fn digit_bytes(first: usize) -> Bytes {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (first + i / 8 * 13 / 2 + i % 8) as u8;
        i += 1;
    }
    Bytes(bytes)
}

/// Eight digits of a number, those from `8 index` on.
#[inline(always)]
pub(crate) unsafe fn digits(limbs: &[u64], index: usize) -> __m512i {
    // 52 bytes a vector.
    let first = 52 * index / 8;
    let have = limbs.len().saturating_sub(first).min(8);
    let mask = ((1u32 << have) - 1) as __mmask8;
    // SAFETY: the caller's promise. What the mask leaves out is not read.
    unsafe {
        let window = _mm512_maskz_loadu_epi64(mask, limbs.as_ptr().wrapping_add(first).cast());
        let bytes = _mm512_permutexvar_epi8(load(&FROM[index % 2]), window);
        let half = _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0);
        let digits = _mm512_srlv_epi64(bytes, half);
        _mm512_and_si512(digits, _mm512_set1_epi64((1 << 52) - 1))
    }
}

/// Bytes of a vector of eight limbs that come from a vector of digits: where from, in pairs of
/// digits that fill the lower 13 of 16 bytes, and which.
struct Share {
    from: Bytes,
    mask: u64,
}

/// Most vectors of limbs.
const VECTORS: usize = 9;

/// For every vector of limbs the shares of three vectors of digits, from the first that has
/// any on.
static TO: [[Share; 3]; VECTORS] = shares();

const fn shares() -> [[Share; 3]; VECTORS] {
    let mut all = [const {
        [const {
            Share {
                from: Bytes([0; 64]),
                mask: 0,
            }
        }; 3]
    }; VECTORS];
    let mut byte = 0;
    while byte < 64 * VECTORS {
        let (vector, digits) = (byte / 64, byte / 52);
        let share = &mut all[vector][digits - 64 * vector / 52];
        let within = byte % 52;
        share.from.0[byte % 64] = (within / 13 * 16 + within % 13) as u8;
        share.mask |= 1 << (byte % 64);
        byte += 1;
    }
    all
}

/// Writes the limbs of a number in `W` vectors of digits, as many as there is room for.
#[inline(always)]
pub(crate) unsafe fn write<const W: usize>(limbs: &mut [u64], digits: &[__m512i; W]) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut pairs = *digits;
        for pair in &mut pairs {
            *pair = paired(*pair);
        }
        let mut vector = 0;
        while vector < VECTORS && 64 * vector < 52 * W {
            let Some(rest) = limbs.get_mut(8 * vector..).filter(|rest| !rest.is_empty()) else {
                return;
            };
            let first = 64 * vector / 52;
            let shares = &TO[vector];
            let mut out =
                _mm512_maskz_permutexvar_epi8(shares[0].mask, load(&shares[0].from), pairs[first]);
            let mut i = 1;
            while i < 3 && 52 * (first + i) < 64 * vector + 64 && first + i < W {
                let (from, mask) = (load(&shares[i].from), shares[i].mask);
                out = _mm512_mask_permutexvar_epi8(out, mask, from, pairs[first + i]);
                i += 1;
            }
            let mask = ((1u32 << rest.len().min(8)) - 1) as __mmask8;
            _mm512_mask_storeu_epi64(rest.as_mut_ptr().cast(), mask, out);
            vector += 1;
        }
    }
}

/// All eight digits of `V` vectors.
#[inline(always)]
pub(crate) unsafe fn read<const V: usize>(limbs: &[u64]) -> [__m512i; V] {
    // SAFETY: the caller's promise.
    unsafe {
        let mut vectors = [_mm512_setzero_si512(); V];
        for (i, vector) in vectors.iter_mut().enumerate() {
            *vector = digits(limbs, i);
        }
        vectors
    }
}

/// Two digits each as a number of 104 bits.
#[inline(always)]
unsafe fn paired(digits: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        // [d0, d1] becomes [d0 2^12, d1] and [d1, 0], of which 12 bits are shifted out.
        let raised = _mm512_sllv_epi64(digits, _mm512_set_epi64(0, 12, 0, 12, 0, 12, 0, 12));
        let above = _mm512_maskz_unpackhi_epi64(0b0101_0101, digits, digits);
        _mm512_shrdi_epi64::<12>(raised, above)
    }
}
