//! The tables of implementations.

use super::constants::Sha512;
use crate::block::Compress;
use crate::choices::CHOICES;
use crate::chosen::{Chosen, Many};
use crate::portable;
use karat_cpu::{Implementation, IsaSet, Kernel};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::many_x86;

impl Chosen for Sha512 {
    #[inline]
    fn compress() -> Compress<Self> {
        *KERNEL.get()
    }

    #[inline]
    fn many(length: usize) -> Many<Self> {
        *MANY.get_for(length)
    }
}

/// SHA-512, SHA-384 and SHA-512/256 of one message.
pub(crate) static KERNEL: Kernel<Compress<Sha512>> = Kernel::measured(
    "sha512",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "bmi2",
            IsaSet::of(&["avx", "bmi2"]),
            super::bmi2::compress as Compress<Sha512>,
            "rounds in general registers, the schedule in xmm registers",
        ),
        // Below BMI2's: a gain is expected where vector operations take one cycle and are as
        // many a cycle as others, which is so on Zen 4.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512vl",
            IsaSet::of(&["avx512f", "avx512bw", "avx512vl"]),
            super::avx512vl::compress as Compress<Sha512>,
            "rounds in xmm registers, the schedule of two blocks in ymm registers",
        ),
        // rustc's feature `sha3` has the SHA-512 instructions in it.
        #[cfg(target_arch = "aarch64")]
        Implementation::new(
            "sha3",
            IsaSet::of(&["neon", "sha3"]),
            super::armv8::compress as Compress<Sha512>,
            "ARMv8.2 SHA-512 instructions; bound by the latency of sha512h",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            portable::compress::<Sha512> as Compress<Sha512>,
            "plain Rust",
        ),
    ],
);

/// SHA-512, SHA-384 and SHA-512/256 of many messages.
pub(crate) static MANY: Kernel<Many<Sha512>> = Kernel::measured(
    "sha512-many",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            IsaSet::of(&["avx2", "bmi2"]),
            many_x86::avx2 as Many<Sha512>,
            "4 messages in ymm lanes",
        ),
        // Below AVX2, which is measured, as long as this one is not.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512",
            IsaSet::of(&["avx512f", "avx512bw", "avx", "bmi2"]),
            many_x86::avx512 as Many<Sha512>,
            "8 messages in zmm lanes",
        ),
        #[cfg(target_arch = "aarch64")]
        Implementation::new(
            "sha3",
            IsaSet::of(&["neon", "sha3"]),
            super::armv8::many as Many<Sha512>,
            "2 messages interleaved, ARMv8.2 SHA-512 instructions",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            portable::many::<Sha512> as Many<Sha512>,
            "one message after another, plain Rust",
        ),
    ],
);
