// Kernels of the fourth set's Rust programs, and what they compute with.
use std::arch::x86_64::*;

pub fn input() -> Vec<u8> {
    let seed = std::hint::black_box(std::env::args().count());
    (0..1024usize).map(|i| (i * seed + (i >> 3)) as u8).collect()
}

pub type Check = unsafe fn(u32, &[u8]) -> u32;

#[inline(never)]
pub fn check_plain(sum: u32, data: &[u8]) -> u32 {
    let (mut low, mut high) = (sum & 0xffff, sum >> 16);
    for byte in data {
        low = (low + u32::from(*byte)) % 65521;
        high = (high + low) % 65521;
    }
    high << 16 | low
}

#[inline(never)]
#[target_feature(enable = "avx2")]
pub unsafe fn check_avx2(sum: u32, data: &[u8]) -> u32 {
    let (mut low, mut high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    for part in data.chunks_exact(32) {
        // SAFETY: `part` is 32 bytes.
        let bytes = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
        high = _mm256_add_epi32(high, low);
        low = _mm256_add_epi32(low, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
    let both = _mm256_xor_si256(low, _mm256_slli_epi32(high, 16));
    sum.wrapping_add((_mm256_extract_epi32(both, 0) ^ _mm256_extract_epi32(both, 4)) as u32)
}

#[inline(never)]
#[target_feature(enable = "pclmulqdq")]
pub unsafe fn check_pclmul(sum: u32, data: &[u8]) -> u32 {
    let keys = _mm_set_epi32(0, 0x1c6e_4159, 1, 0x5444_2bd4);
    let mut all = _mm_cvtsi32_si128(sum as i32);
    for part in data.chunks_exact(16) {
        // SAFETY: a part has as many bytes as are loaded.
        let more = unsafe { _mm_loadu_si128(part.as_ptr().cast()) };
        let high = _mm_clmulepi64_si128(all, keys, 0x11);
        all = _mm_xor_si128(high, _mm_xor_si128(_mm_clmulepi64_si128(all, keys, 0), more));
    }
    _mm_cvtsi128_si32(all) as u32
}

#[inline(never)]
#[target_feature(enable = "aes")]
pub unsafe fn check_aes(sum: u32, data: &[u8]) -> u32 {
    let mut state = _mm_set1_epi32(sum as i32);
    for part in data.chunks_exact(16) {
        // SAFETY: a part has as many bytes as are loaded.
        state = _mm_aesenc_si128(state, unsafe { _mm_loadu_si128(part.as_ptr().cast()) });
    }
    _mm_cvtsi128_si32(state) as u32
}

#[inline(never)]
#[target_feature(enable = "avx512f")]
pub unsafe fn check_avx512(sum: u32, data: &[u8]) -> u32 {
    let mut all = _mm512_set1_epi32(sum as i32);
    for part in data.chunks_exact(64) {
        // SAFETY: a part has as many bytes as are loaded.
        let more = unsafe { _mm512_loadu_si512(part.as_ptr().cast()) };
        all = _mm512_add_epi32(_mm512_rol_epi32(all, 7), more);
    }
    _mm512_reduce_add_epi32(all) as u32
}

#[inline(never)]
pub fn extract_plain(value: u64, mut mask: u64) -> u64 {
    let (mut out, mut to) = (0, 0);
    while mask != 0 {
        out |= (value >> mask.trailing_zeros() & 1) << to;
        mask &= mask - 1;
        to += 1;
    }
    out
}

#[inline(never)]
#[target_feature(enable = "bmi2")]
pub unsafe fn extract_bmi2(value: u64, mask: u64) -> u64 {
    _pext_u64(value, mask) ^ _bzhi_u64(mask, value as u32 & 31)
}

pub type Dot = unsafe fn(&[f32], &[f32]) -> f32;

#[inline(never)]
pub fn dot_plain(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline(never)]
#[target_feature(enable = "avx,fma")]
pub unsafe fn dot_fma(a: &[f32], b: &[f32]) -> f32 {
    let mut all = _mm256_setzero_ps();
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        // SAFETY: a part has as many bytes as are loaded.
        all = unsafe { _mm256_fmadd_ps(_mm256_loadu_ps(a.as_ptr()), _mm256_loadu_ps(b.as_ptr()), all) };
    }
    _mm256_cvtss_f32(all)
}

/// Needs FMA and AVX2.
#[inline(never)]
#[target_feature(enable = "avx2,fma")]
pub unsafe fn butterfly(a: &[f32], b: &[f32]) -> f32 {
    let mut all = _mm256_setzero_ps();
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        // SAFETY: a part has as many bytes as are loaded.
        let (a, b) = unsafe { (_mm256_loadu_ps(a.as_ptr()), _mm256_loadu_ps(b.as_ptr())) };
        let turned = _mm256_permutevar8x32_ps(b, _mm256_set_epi32(0, 2, 4, 6, 1, 3, 5, 7));
        all = _mm256_fmadd_ps(a, turned, all);
    }
    _mm256_cvtss_f32(all)
}

#[inline(never)]
pub fn scan_plain(byte: u8, data: &[u8]) -> Option<usize> {
    data.iter().position(|b| *b == byte)
}

#[inline(never)]
pub fn scan_sse2(byte: u8, data: &[u8]) -> Option<usize> {
    // SAFETY: a part has as many bytes as are loaded.
    unsafe {
        for (n, part) in data.chunks_exact(16).enumerate() {
            let equal = _mm_cmpeq_epi8(_mm_loadu_si128(part.as_ptr().cast()), _mm_set1_epi8(byte as i8));
            let mask = _mm_movemask_epi8(equal);
            if mask != 0 {
                return Some(n * 16 + mask.trailing_zeros() as usize);
            }
        }
    }
    None
}

#[inline(never)]
#[target_feature(enable = "avx2")]
pub unsafe fn scan_avx2(byte: u8, data: &[u8]) -> Option<usize> {
    for (n, part) in data.chunks_exact(32).enumerate() {
        // SAFETY: a part has as many bytes as are loaded.
        let bytes = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
        let mask = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8)));
        if mask != 0 {
            return Some(n * 32 + mask.trailing_zeros() as usize);
        }
    }
    None
}
