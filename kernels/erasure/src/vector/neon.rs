//! 16 bytes in a register of NEON. A product is two look-ups, as in AVX2.

use super::Vector;
use crate::field::{Linear, Tables};
use core::arch::aarch64::*;
use karat_cpu::IsaSet;

/// What [`Q`] needs.
pub(crate) const NEON: IsaSet = IsaSet::of(&["neon"]);

/// 16 bytes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Q(uint8x16_t);

// SAFETY: every function needs NEON and says so by the trait.
unsafe impl Vector for Q {
    /// The lower halves of the bytes, the upper halves.
    type Split = [uint8x16_t; 2];
    /// The products of lower halves, of upper halves.
    type Factor = [uint8x16_t; 2];
    const LAYERS: u32 = 2;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { vld1q_u8(at) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_u8(at, self.0) };
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { vdupq_n_u8(0) })
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { veorq_u8(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn split(self) -> [uint8x16_t; 2] {
        // SAFETY: the caller's promise.
        unsafe { [vandq_u8(self.0, vdupq_n_u8(15)), vshrq_n_u8::<4>(self.0)] }
    }

    #[inline(always)]
    unsafe fn factor(tables: &Tables, constant: u8) -> [uint8x16_t; 2] {
        // SAFETY: the caller's promise.
        unsafe { halves(&tables.nibbles[usize::from(constant)]) }
    }

    #[inline(always)]
    unsafe fn linear(function: &Linear) -> [uint8x16_t; 2] {
        // SAFETY: the caller's promise.
        unsafe { halves(&function.nibbles) }
    }

    #[inline(always)]
    unsafe fn mul(split: [uint8x16_t; 2], factor: [uint8x16_t; 2]) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let lower = vqtbl1q_u8(factor[0], split[0]);
            let upper = vqtbl1q_u8(factor[1], split[1]);
            Self(veorq_u8(lower, upper))
        }
    }
}

/// Both tables.
#[inline(always)]
unsafe fn halves(nibbles: &[u8; 32]) -> [uint8x16_t; 2] {
    let at = nibbles.as_ptr();
    // SAFETY: the CPU has NEON, and both halves of the table are in it.
    unsafe { [vld1q_u8(at), vld1q_u8(at.add(16))] }
}
