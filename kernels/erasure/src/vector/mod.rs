//! Vectors of bytes, one file for each instruction set, and the symbols they hold.
//!
//! The bodies in [`crate::body`] are written once for all of them. Everything here is in
//! line, so that a body has the features of the function it is called from.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) mod block;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) mod gfni;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
mod pair;
pub(crate) mod portable;

pub(crate) use pair::Pair;

use crate::field::{Linear, Tables};

/// Bytes of GF(2^8), side by side.
///
/// # Safety
/// All functions of an implementation need the CPU to have its ISA.
pub(crate) unsafe trait Vector: Copy {
    /// A vector as the multiplication wants it.
    type Split: Copy;
    /// A constant as the multiplication wants it.
    type Factor: Copy;
    /// See [`Symbols::LAYERS`].
    const LAYERS: u32;

    /// # Safety
    /// `at` is readable for the size of a vector.
    unsafe fn load(at: *const u8) -> Self;
    /// # Safety
    /// `at` is writable for the size of a vector.
    unsafe fn store(self, at: *mut u8);
    /// # Safety
    /// See the trait.
    unsafe fn zero() -> Self;
    /// # Safety
    /// See the trait.
    unsafe fn xor(self, other: Self) -> Self;
    /// # Safety
    /// See the trait.
    unsafe fn split(self) -> Self::Split;
    /// # Safety
    /// See the trait.
    unsafe fn factor(tables: &Tables, constant: u8) -> Self::Factor;
    /// A linear function as a factor.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn linear(function: &Linear) -> Self::Factor;
    /// # Safety
    /// See the trait.
    unsafe fn mul(split: Self::Split, factor: Self::Factor) -> Self;
}

/// Symbols of a code, side by side: what one step of a body works on.
///
/// # Safety
/// All functions of an implementation need the CPU to have its ISA.
pub(crate) unsafe trait Symbols: Copy {
    /// See [`Vector::Split`].
    type Split: Copy;
    /// A constant. With `SMALL` it is one of the subfield.
    type Factor: Copy;
    /// Bytes of a row that one value holds. It divides 64.
    const BYTES: usize;
    /// Constants below it are in the subfield. 0 where there is none.
    const SUBFIELD: u16;
    /// Layers of a transform that the registers can hold at once: 2 or 3.
    const LAYERS: u32;

    /// Where in a row the value number `index` begins.
    fn at(index: usize) -> usize;
    /// # Safety
    /// `at` is readable for the 64 bytes of the block that it is in.
    unsafe fn load(at: *const u8) -> Self;
    /// # Safety
    /// `at` is writable for the 64 bytes of the block that it is in.
    unsafe fn store(self, at: *mut u8);
    /// # Safety
    /// See the trait.
    unsafe fn zero() -> Self;
    /// # Safety
    /// See the trait.
    unsafe fn xor(self, other: Self) -> Self;
    /// From a shard's form to that of the multiplication, and back: it is its own inverse.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn convert(self) -> Self;
    /// # Safety
    /// See the trait.
    unsafe fn split(self) -> Self::Split;
    /// A constant as [`Symbols::factor`] takes it. With `SMALL` it is below
    /// [`Symbols::SUBFIELD`].
    fn packed<const SMALL: bool>(constant: u16) -> u32;
    /// # Safety
    /// See the trait. `packed` was made with the same `SMALL`.
    unsafe fn factor<const SMALL: bool>(tables: &Tables, packed: u32) -> Self::Factor;
    /// The product with a factor that was made with the same `SMALL`.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn mul<const SMALL: bool>(split: Self::Split, factor: Self::Factor) -> Self;
}

/// Symbols of one byte.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Single<V>(V);

// SAFETY: each function is the vector's own.
unsafe impl<V: Vector> Symbols for Single<V> {
    type Split = V::Split;
    type Factor = V::Factor;
    const BYTES: usize = size_of::<V>();
    const SUBFIELD: u16 = 0;
    const LAYERS: u32 = V::LAYERS;

    #[inline(always)]
    fn at(index: usize) -> usize {
        index * Self::BYTES
    }

    #[inline(always)]
    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { V::load(at) })
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.0.store(at) };
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { V::zero() })
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { self.0.xor(other.0) })
    }

    #[inline(always)]
    unsafe fn convert(self) -> Self {
        self
    }

    #[inline(always)]
    unsafe fn split(self) -> V::Split {
        // SAFETY: the caller's promise.
        unsafe { self.0.split() }
    }

    #[inline(always)]
    fn packed<const SMALL: bool>(constant: u16) -> u32 {
        constant.into()
    }

    #[inline(always)]
    unsafe fn factor<const SMALL: bool>(tables: &Tables, packed: u32) -> V::Factor {
        // SAFETY: the caller's promise.
        unsafe { V::factor(tables, packed as u8) }
    }

    #[inline(always)]
    unsafe fn mul<const SMALL: bool>(split: V::Split, factor: V::Factor) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { V::mul(split, factor) })
    }
}
