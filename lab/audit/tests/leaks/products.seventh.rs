// Kernels of products and bits, which the programs of services.seventh.rs and tools.seventh.rs share.
use std::arch::x86_64::*;

pub fn floats(n: usize, step: usize) -> Vec<f32> {
    (0..n).map(|i| (i * step % 11) as f32).collect()
}

pub fn words(n: usize) -> Vec<u64> {
    (1..=n as u64).map(|i| i.wrapping_mul(0xd1342543de82ef95)).collect()
}

pub fn dot_plain(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[target_feature(enable = "avx")]
pub fn dot_avx(a: &[f32], b: &[f32]) -> f32 {
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = dot_plain(a8.remainder(), b8.remainder());
    let mut sum = _mm256_setzero_ps();
    for (x, y) in a8.zip(b8) {
        // SAFETY: chunks have eight numbers.
        let (x, y) = unsafe { (_mm256_loadu_ps(x.as_ptr()), _mm256_loadu_ps(y.as_ptr())) };
        sum = _mm256_add_ps(sum, _mm256_mul_ps(x, y));
    }
    let mut part = [0f32; 8];
    // SAFETY: `part` has eight numbers.
    unsafe { _mm256_storeu_ps(part.as_mut_ptr(), sum) };
    part.iter().sum::<f32>() + rest
}

#[target_feature(enable = "avx2,fma")]
pub fn dot_fma(a: &[f32], b: &[f32]) -> f32 {
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = dot_plain(a8.remainder(), b8.remainder());
    let mut sum = _mm256_setzero_ps();
    for (x, y) in a8.zip(b8) {
        // SAFETY: chunks have eight numbers.
        let (x, y) = unsafe { (_mm256_loadu_ps(x.as_ptr()), _mm256_loadu_ps(y.as_ptr())) };
        sum = _mm256_fmadd_ps(x, y, sum);
    }
    // The halves are added as whole numbers, for which AVX2 is.
    let whole = _mm256_cvtps_epi32(sum);
    let whole = _mm256_add_epi32(whole, _mm256_permute4x64_epi64(whole, 0x4e));
    let mut part = [0i32; 8];
    // SAFETY: `part` has eight numbers.
    unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), whole) };
    part[..4].iter().sum::<i32>() as f32 + rest
}

pub fn ones_plain(p: &[u64]) -> u64 {
    p.iter().map(|w| (0..64).map(|i| w >> i & 1).sum::<u64>()).sum()
}

#[target_feature(enable = "avx2")]
pub fn ones_avx2(p: &[u64]) -> u64 {
    let nibbles = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    let low = _mm256_set1_epi8(15);
    let mut sum = _mm256_setzero_si256();
    let chunks = p.chunks_exact(4);
    let rest = ones_plain(chunks.remainder());
    for chunk in chunks {
        // SAFETY: chunks have four words of eight bytes.
        let v = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        let a = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(v, low));
        let b = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(_mm256_add_epi8(a, b), _mm256_setzero_si256()));
    }
    let mut part = [0u64; 4];
    // SAFETY: `part` has four words.
    unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), sum) };
    part.iter().sum::<u64>() + rest
}

pub fn pick_plain(value: u64, mut mask: u64) -> u64 {
    let (mut out, mut k) = (0, 0);
    while mask != 0 {
        let bit = mask & mask.wrapping_neg();
        out |= u64::from(value & bit != 0) << k;
        (mask, k) = (mask ^ bit, k + 1);
    }
    out
}

#[target_feature(enable = "bmi2")]
pub fn pick_bmi2(value: u64, mask: u64) -> u64 {
    _pext_u64(value, mask)
}
