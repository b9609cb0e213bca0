//! Products by AVX-512 IFMA: each lane multiplies 52 bits by 52, and adds a half.

use super::lanes::{self, Moduli, Number, Product};
use super::product;
use super::vector::Eight;
use crate::lanes::Lanes;
use core::arch::x86_64::*;

/// Products by multiply-adds of 52 bits.
pub(super) enum Ifma {}

lanes::powers!(Ifma, 6 10 15 20 30 40);

impl Product for Ifma {
    const BITS: usize = 52;

    #[target_feature(enable = "avx512f,avx512ifma")]
    unsafe fn multiply<const L: usize>(
        a: &Number<L>,
        b: &Number<L>,
        moduli: &Moduli<L>,
        double: &Lanes,
    ) -> Number<L> {
        // SAFETY: this function is compiled for the ISAs of `Zmm`, and the caller has them.
        unsafe { product::multiply::<Zmm, L>(a, b, moduli, double) }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Zmm(__m512i);

// SAFETY of all functions: the trait's callers are compiled for AVX-512F and AVX-512IFMA
// and run where they are.
impl Eight for Zmm {
    #[inline(always)]
    unsafe fn splat(number: u64) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_set1_epi64(number as i64) })
    }

    #[inline(always)]
    unsafe fn load(from: &Lanes) -> Self {
        // SAFETY: see above; 64 bytes on a boundary of 64.
        Self(unsafe { _mm512_load_si512(core::ptr::from_ref(from).cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: &mut Lanes) {
        // SAFETY: see above; 64 bytes on a boundary of 64.
        unsafe { _mm512_store_si512(core::ptr::from_mut(to).cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn shr_52(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_srli_epi64::<52>(self.0) })
    }

    #[inline(always)]
    unsafe fn add_low(self, a: Self, b: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_madd52lo_epu64(self.0, a.0, b.0) })
    }

    #[inline(always)]
    unsafe fn add_high(self, a: Self, b: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_madd52hi_epu64(self.0, a.0, b.0) })
    }
}
