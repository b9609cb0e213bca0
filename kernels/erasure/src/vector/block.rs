//! Symbols of two bytes in a zmm register: a block of 32 low bytes, then 32 high ones.
//!
//! A constant of the subfield is one matrix for both halves, so that its product is one
//! instruction for 32 symbols. Other constants need the register with its halves exchanged too.

use super::Symbols;
use crate::field::{HIGH, Tables, tower};
use core::arch::x86_64::*;

/// 32 symbols.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Block(__m512i);

/// Quadwords of the low bytes.
const LOW: u8 = 0x0f;

/// Both halves exchanged.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn exchanged(block: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_shuffle_i64x2::<0x4e>(block, block) }
}

/// One matrix for the low bytes, one for the high ones.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn matrices(tables: &Tables, low: u32, high: u32) -> __m512i {
    let affine = |constant: u32| tables.affine[usize::from(constant as u8)] as i64;
    // SAFETY: the caller's promise.
    unsafe { _mm512_mask_set1_epi64(_mm512_set1_epi64(affine(high)), LOW, affine(low)) }
}

// SAFETY: every function needs AVX-512F and GFNI and says so by the trait.
unsafe impl Symbols for Block {
    /// A block, and its halves exchanged.
    type Split = [__m512i; 2];
    /// Matrices for both.
    type Factor = [__m512i; 2];
    const BYTES: usize = 64;
    const SUBFIELD: u16 = 256;
    const LAYERS: u32 = 3;

    #[inline(always)]
    fn at(index: usize) -> usize {
        index * Self::BYTES
    }

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm512_loadu_si512(at.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(at.cast(), self.0) };
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm512_setzero_si512() })
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn convert(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let matrix = _mm512_maskz_set1_epi64(LOW, HIGH.affine as i64);
            let more = _mm512_gf2p8affine_epi64_epi8::<0>(exchanged(self.0), matrix);
            self.xor(Self(more))
        }
    }

    #[inline(always)]
    unsafe fn split(self) -> Self::Split {
        // SAFETY: the caller's promise.
        unsafe { [self.0, exchanged(self.0)] }
    }

    #[inline(always)]
    fn packed<const SMALL: bool>(constant: u16) -> u32 {
        match SMALL {
            true => constant.into(),
            false => tower(constant),
        }
    }

    #[inline(always)]
    unsafe fn factor<const SMALL: bool>(tables: &Tables, packed: u32) -> Self::Factor {
        // SAFETY: the caller's promise.
        unsafe {
            if SMALL {
                let matrix = _mm512_set1_epi64(tables.affine[usize::from(packed as u8)] as i64);
                return [matrix; 2];
            }
            [
                matrices(tables, packed, packed >> 24),
                matrices(tables, packed >> 8, packed >> 16),
            ]
        }
    }

    #[inline(always)]
    unsafe fn mul<const SMALL: bool>(split: Self::Split, by: Self::Factor) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let straight = Self(_mm512_gf2p8affine_epi64_epi8::<0>(split[0], by[0]));
            if SMALL {
                return straight;
            }
            let across = Self(_mm512_gf2p8affine_epi64_epi8::<0>(split[1], by[1]));
            straight.xor(across)
        }
    }
}
