//! Products by AVX-512 IFMA.

use super::product;
use crate::lanes::Lanes;
use crate::powers::avx512ifma::Zmm;

/// # Safety
/// The CPU must have AVX-512F and AVX-512IFMA.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) unsafe fn multiply(out: &mut [Lanes], a: &[Lanes], b: &[Lanes]) {
    // SAFETY: this function is compiled for the ISAs of `Zmm`, and the caller has them.
    unsafe { product::multiply::<Zmm>(out, a, b) }
}
