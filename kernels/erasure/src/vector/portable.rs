//! Eight bytes in a general register.

use super::Vector;
use crate::field::{Linear, Tables};

/// Eight bytes.
#[derive(Clone, Copy)]
pub(crate) struct Word(u64);

/// The lowest bit of each byte.
const ONES: u64 = u64::from_le_bytes([1; 8]);

// SAFETY: no ISA is needed.
unsafe impl Vector for Word {
    type Split = u64;
    /// The products with 1, 2, 4, .. 128.
    type Factor = [u64; 8];
    const LAYERS: u32 = 2;

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { at.cast::<u64>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { at.cast::<u64>().write_unaligned(self.0) };
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self(0)
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    unsafe fn split(self) -> u64 {
        self.0
    }

    #[inline(always)]
    unsafe fn factor(tables: &Tables, constant: u8) -> [u64; 8] {
        products(&tables.nibbles[usize::from(constant)])
    }

    #[inline(always)]
    unsafe fn linear(function: &Linear) -> [u64; 8] {
        products(&function.nibbles)
    }

    /// A byte of 0 or 1 times a product never carries into the next byte.
    #[inline(always)]
    unsafe fn mul(split: u64, factor: [u64; 8]) -> Self {
        let mut sum = 0;
        for (bit, product) in factor.into_iter().enumerate() {
            sum ^= (split >> bit & ONES).wrapping_mul(product);
        }
        Self(sum)
    }
}

#[inline(always)]
fn products(nibbles: &[u8; 32]) -> [u64; 8] {
    const AT: [usize; 8] = [1, 2, 4, 8, 17, 18, 20, 24];
    AT.map(|at| nibbles[at].into())
}
