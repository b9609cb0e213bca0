//! The table for many messages: several states at once. The limits stand in each
//! implementation's file.

use super::body::Many;
use super::many::one_by_one;
use crate::choices::CHOICES;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Hashes many messages.
pub(crate) static MANY: Kernel<Many> = Kernel::measured(
    "keccak-many",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512",
            super::x86::AVX512,
            super::x86::avx512::many,
            "8 messages a register, the states never leave the registers",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            super::x86::AVX2,
            super::x86::avx2::many,
            "4 messages a register",
        ),
        #[cfg(target_arch = "aarch64")]
        Implementation::new(
            "sha3",
            IsaSet::of(&["neon", "sha3"]),
            super::aarch64::many,
            "2 messages a register, three-way logic, rotation and exclusive-or in one step",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            one_by_one,
            "one after the other through the kernel keccak",
        ),
    ],
);
