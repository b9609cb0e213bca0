// Kernels of sums and searches, which the programs of hashes.seventh.rs and searches.seventh.rs share.
use std::arch::x86_64::*;

pub fn data(n: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2654435761).wrapping_add(12345);
    (0..n)
        .map(|_| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 24) as u8
        })
        .collect()
}

pub fn sum_plain(p: &[u8]) -> u64 {
    p.iter().map(|b| u64::from(*b)).sum()
}

#[target_feature(enable = "avx2")]
pub fn sum_avx2(p: &[u8]) -> u64 {
    let chunks = p.chunks_exact(32);
    let rest = sum_plain(chunks.remainder());
    let mut sum = _mm256_setzero_si256();
    for chunk in chunks {
        // SAFETY: so many bytes are left of the slice.
        let v = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(v, _mm256_setzero_si256()));
    }
    let mut part = [0u64; 4];
    // SAFETY: the array has as many bytes.
    unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), sum) };
    part.iter().sum::<u64>() + rest
}

#[target_feature(enable = "avx512f,avx512bw")]
pub fn sum_avx512(p: &[u8]) -> u64 {
    let chunks = p.chunks_exact(64);
    let rest = sum_plain(chunks.remainder());
    let mut sum = _mm512_setzero_si512();
    for chunk in chunks {
        // SAFETY: so many bytes are left of the slice.
        let v = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(v, _mm512_setzero_si512()));
    }
    _mm512_reduce_add_epi64(sum) as u64 + rest
}

pub fn find_plain(p: &[u8], what: u8) -> Option<usize> {
    p.iter().position(|b| *b == what)
}

#[target_feature(enable = "avx2")]
pub fn find_avx2(p: &[u8], what: u8) -> Option<usize> {
    let all = _mm256_set1_epi8(what as i8);
    let mut at = 0;
    while at + 32 <= p.len() {
        // SAFETY: so many bytes are left of the slice.
        let v = unsafe { _mm256_loadu_si256(p.as_ptr().add(at).cast()) };
        let is = _mm256_movemask_epi8(_mm256_cmpeq_epi8(v, all)) as u32;
        if is != 0 {
            return Some(at + is.trailing_zeros() as usize);
        }
        at += 32;
    }
    p[at..].iter().position(|b| *b == what).map(|i| at + i)
}

pub fn fold_plain(a: u64, b: u64) -> u64 {
    let mut out = 0u128;
    for i in 0..64 {
        if b >> i & 1 == 1 {
            out ^= u128::from(a) << i;
        }
    }
    out as u64 ^ (out >> 64) as u64
}

#[target_feature(enable = "pclmulqdq,sse4.1")]
pub fn fold_clmul(a: u64, b: u64) -> u64 {
    let all = _mm_clmulepi64_si128(_mm_set_epi64x(0, a as i64), _mm_set_epi64x(0, b as i64), 0);
    _mm_extract_epi64(all, 0) as u64 ^ _mm_extract_epi64(all, 1) as u64
}
