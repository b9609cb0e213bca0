//! 32 bytes in a ymm register. A product is two look-ups in tables of 16, by the lower and
//! the upper half of each byte (Plank, Greenan and Miller, "Screaming Fast Galois Field
//! Arithmetic Using Intel SIMD Instructions", FAST 2013).

use super::Vector;
use crate::field::{Linear, Tables};
use core::arch::x86_64::*;
use karat_cpu::IsaSet;

/// What [`Ymm`] needs.
pub(crate) const AVX2: IsaSet = IsaSet::of(&["avx", "avx2"]);

/// 32 bytes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Ymm(__m256i);

// SAFETY: every function needs AVX2 and says so by the trait.
unsafe impl Vector for Ymm {
    /// The lower halves of the bytes, the upper halves.
    type Split = [__m256i; 2];
    /// The products of lower halves, of upper halves.
    type Factor = [__m256i; 2];
    const LAYERS: u32 = 2;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_loadu_si256(at.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(at.cast(), self.0) };
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_setzero_si256() })
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn split(self) -> [__m256i; 2] {
        // SAFETY: the caller's promise.
        unsafe {
            let half = _mm256_set1_epi8(15);
            let upper = _mm256_srli_epi64::<4>(self.0);
            [
                _mm256_and_si256(self.0, half),
                _mm256_and_si256(upper, half),
            ]
        }
    }

    #[inline(always)]
    unsafe fn factor(tables: &Tables, constant: u8) -> [__m256i; 2] {
        // SAFETY: the caller's promise.
        unsafe { halves(&tables.nibbles[usize::from(constant)]) }
    }

    #[inline(always)]
    unsafe fn linear(function: &Linear) -> [__m256i; 2] {
        // SAFETY: the caller's promise.
        unsafe { halves(&function.nibbles) }
    }

    #[inline(always)]
    unsafe fn mul(split: [__m256i; 2], factor: [__m256i; 2]) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let lower = _mm256_shuffle_epi8(factor[0], split[0]);
            let upper = _mm256_shuffle_epi8(factor[1], split[1]);
            Self(_mm256_xor_si256(lower, upper))
        }
    }
}

/// Both tables, each twice.
#[inline(always)]
unsafe fn halves(nibbles: &[u8; 32]) -> [__m256i; 2] {
    let at = nibbles.as_ptr();
    // SAFETY: the CPU has AVX2, and both halves of the table are in it.
    unsafe {
        [
            _mm256_broadcastsi128_si256(_mm_loadu_si128(at.cast())),
            _mm256_broadcastsi128_si256(_mm_loadu_si128(at.add(16).cast())),
        ]
    }
}
