//! Products of limbs by AVX-512 IFMA: to digits and back in registers, one number at a time.

use crate::digits::avx512ifma::{carried, multiply, store};
use crate::digits::convert;
use crate::lanes::Lanes;
use karat_cpu::IsaSet;

/// What these functions need.
pub(crate) const ISAS: IsaSet = IsaSet::of(&[
    "avx512f",
    "avx512bw",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2",
    "adx",
    "bmi2",
]);

/// `out = a b`, for `out` as long as both together; neither is empty.
///
/// # Safety
/// The CPU must have [`ISAS`].
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi,avx512vbmi2,adx,bmi2")]
pub(crate) unsafe fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    // SAFETY: this function is compiled for these ISAs, and the caller has them.
    unsafe {
        // The shorter one takes as many digits as the largest of its kind: it should need most.
        match (a.len().min(b.len()), a.len().max(b.len())) {
            (_, ..=8) => product::<10, 2, 3>(out, a, b),
            (11.., ..=16) => product::<20, 3, 5>(out, a, b),
            (17.., ..=32) => product::<40, 5, 10>(out, a, b),
            _ => crate::adx::mul(out, a, b),
        }
    }
}

/// `out = a a`, for `out` twice as long.
///
/// # Safety
/// The CPU must have [`ISAS`].
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi,avx512vbmi2,adx,bmi2")]
pub(crate) unsafe fn square(out: &mut [u64], a: &[u64]) {
    // SAFETY: this function is compiled for these ISAs, and the caller has them.
    unsafe {
        match a.len() {
            ..=32 => mul(out, a, a),
            _ => crate::adx::square(out, a),
        }
    }
}

#[inline(always)]
unsafe fn product<const L: usize, const V: usize, const W: usize>(
    out: &mut [u64],
    a: &[u64],
    b: &[u64],
) {
    // SAFETY: the caller is compiled for the ISAs and has them.
    unsafe {
        let mut first = [Lanes::ZERO; V];
        store(&mut first, &convert::read::<V>(a));
        let sums = multiply::<L, V, W>(&first, &convert::read(b));
        convert::write(out, &carried(&sums));
    }
}
