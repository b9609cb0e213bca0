//! Products of one number by another in digits of 52 bits, eight to a vector.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) mod avx512ifma;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) mod convert;
pub(crate) mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use karat_cpu::IsaSet;

/// What the body of AVX-512 IFMA needs. Bytes are moved by VBMI.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) const IFMA: IsaSet = IsaSet::of(&[
    "avx512f",
    "avx512bw",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2",
]);
