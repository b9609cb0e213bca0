//! Galois field instructions: a product by a constant is a matrix of bits, in any field of
//! 256 elements. 32 bytes in a ymm register, or 64 in a zmm register.

use super::Vector;
use crate::field::{Linear, Tables};
use core::arch::x86_64::*;
use karat_cpu::IsaSet;

/// What [`Ymm`] needs.
pub(crate) const GFNI: IsaSet = IsaSet::of(&["avx", "avx2", "gfni"]);

/// What [`Zmm`] needs.
pub(crate) const GFNI512: IsaSet =
    IsaSet::of(&["avx", "avx2", "gfni", "avx512f", "avx512bw", "avx512vl"]);

macro_rules! vector {
    ($name:ident $register:ident $doc:literal, $load:ident $store:ident $zero:ident $xor:ident
     $set:ident $affine:ident, $layers:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name($register);

        // SAFETY: every function needs the ISAs of the constant above and says so by the
        // trait.
        unsafe impl Vector for $name {
            type Split = $register;
            /// The matrix, in each eight bytes.
            type Factor = $register;
            const LAYERS: u32 = $layers;

            #[inline(always)]
            unsafe fn load(at: *const u8) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { $load(at.cast()) })
            }

            #[inline(always)]
            unsafe fn store(self, at: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { $store(at.cast(), self.0) };
            }

            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { $zero() })
            }

            #[inline(always)]
            unsafe fn xor(self, other: Self) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { $xor(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn split(self) -> $register {
                self.0
            }

            #[inline(always)]
            unsafe fn factor(tables: &Tables, constant: u8) -> $register {
                // SAFETY: the caller's promise.
                unsafe { $set(tables.affine[usize::from(constant)] as i64) }
            }

            #[inline(always)]
            unsafe fn linear(function: &Linear) -> $register {
                // SAFETY: the caller's promise.
                unsafe { $set(function.affine as i64) }
            }

            #[inline(always)]
            unsafe fn mul(split: $register, factor: $register) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { $affine::<0>(split, factor) })
            }
        }
    };
}

vector! {
    Ymm __m256i "32 bytes.",
    _mm256_loadu_si256 _mm256_storeu_si256 _mm256_setzero_si256 _mm256_xor_si256
    _mm256_set1_epi64x _mm256_gf2p8affine_epi64_epi8, 2
}

vector! {
    Zmm __m512i "64 bytes.",
    _mm512_loadu_si512 _mm512_storeu_si512 _mm512_setzero_si512 _mm512_xor_si512
    _mm512_set1_epi64 _mm512_gf2p8affine_epi64_epi8, 3
}
