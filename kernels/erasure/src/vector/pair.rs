//! Symbols of two bytes: 32 low bytes, then 32 high ones.

use super::{Symbols, Vector};
use crate::field::{HIGH, Tables, tower};

/// Low bytes and high bytes of as many symbols as a vector has bytes.
#[derive(Clone, Copy)]
pub(crate) struct Pair<V> {
    low: V,
    high: V,
}

/// Bytes from a low byte to the high byte of the same symbol.
const APART: usize = 32;

// SAFETY: each function is made of the vector's own.
unsafe impl<V: Vector> Symbols for Pair<V> {
    type Split = [V::Split; 2];
    type Factor = [V::Factor; 4];
    const BYTES: usize = 2 * size_of::<V>();
    const SUBFIELD: u16 = 256;
    const LAYERS: u32 = 2;

    #[inline(always)]
    fn at(index: usize) -> usize {
        let in_block = APART / size_of::<V>();
        2 * APART * (index / in_block) + size_of::<V>() * (index % in_block)
    }

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: both halves of the block are readable.
        unsafe {
            Self {
                low: V::load(at),
                high: V::load(at.add(APART)),
            }
        }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u8) {
        // SAFETY: both halves of the block are writable.
        unsafe {
            self.low.store(at);
            self.high.store(at.add(APART));
        }
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Self {
                low: V::zero(),
                high: V::zero(),
            }
        }
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Self {
                low: self.low.xor(other.low),
                high: self.high.xor(other.high),
            }
        }
    }

    #[inline(always)]
    unsafe fn convert(self) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let more = V::mul(self.high.split(), V::linear(&HIGH));
            Self {
                low: self.low.xor(more),
                high: self.high,
            }
        }
    }

    #[inline(always)]
    unsafe fn split(self) -> Self::Split {
        // SAFETY: the caller's promise.
        unsafe { [self.low.split(), self.high.split()] }
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
            let first = V::factor(tables, packed as u8);
            if SMALL {
                return [first; 4];
            }
            [
                first,
                V::factor(tables, (packed >> 8) as u8),
                V::factor(tables, (packed >> 16) as u8),
                V::factor(tables, (packed >> 24) as u8),
            ]
        }
    }

    #[inline(always)]
    unsafe fn mul<const SMALL: bool>([low, high]: Self::Split, by: Self::Factor) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            if SMALL {
                return Self {
                    low: V::mul(low, by[0]),
                    high: V::mul(high, by[0]),
                };
            }
            Self {
                low: V::mul(low, by[0]).xor(V::mul(high, by[1])),
                high: V::mul(low, by[2]).xor(V::mul(high, by[3])),
            }
        }
    }
}
