//! The tables of implementations.

use super::constants::{IV224, IV256, Sha256};
use crate::block::{self, Compress};
use crate::choices::CHOICES;
use crate::chosen::{Chosen, Many};
use crate::portable;
use karat_cpu::{Implementation, IsaSet, Kernel};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::{many_sha_ni, many_single, many_x86, sha_ni_one};

/// The functions of an implementation for one message. Unsafe for the same reasons as
/// [`Compress`].
#[derive(Clone, Copy, Debug)]
pub(super) struct One {
    pub(super) compress: Compress<Sha256>,
    /// The digest of a whole message.
    pub(super) hash256: unsafe fn(&[u8]) -> [u8; 32],
    pub(super) hash224: unsafe fn(&[u8]) -> [u8; 28],
}

/// An implementation of [`KERNEL`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body(pub(super) One);

/// Makes a [`Body`] from a compression function alone.
macro_rules! around {
    ($compress:path) => {
        Body(One {
            compress: $compress,
            // SAFETY: the caller upholds the safety contract.
            hash256: |message| unsafe { block::whole::<Sha256, _>($compress, &IV256, message) },
            // SAFETY: the caller upholds the safety contract.
            hash224: |message| unsafe { block::whole::<Sha256, _>($compress, &IV224, message) },
        })
    };
}

impl Chosen for Sha256 {
    #[inline]
    fn compress() -> Compress<Self> {
        KERNEL.get().0.compress
    }

    #[inline]
    fn many(length: usize) -> Many<Self> {
        *MANY.get_for(length)
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
const SHA_NI: IsaSet = IsaSet::of(&["sha", "ssse3", "sse4.1"]);
#[cfg(target_arch = "x86_64")]
const AVX512: IsaSet = IsaSet::of(&["avx512f", "avx512bw"]);
#[cfg(target_arch = "x86_64")]
const BOTH: IsaSet = IsaSet::of(&["avx512f", "avx512bw", "sha", "ssse3", "sse4.1"]);
#[cfg(target_arch = "x86_64")]
const ALL: IsaSet = IsaSet::of(&["avx512f", "avx512bw", "avx512vl", "sha", "ssse3", "sse4.1"]);

/// SHA-256 and SHA-224 of one message.
pub(crate) static KERNEL: Kernel<Body> = Kernel::measured(
    "sha256",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "sha-ni",
            SHA_NI,
            Body(One {
                compress: sha_ni_one::compress,
                hash256: sha_ni_one::hash256,
                hash224: sha_ni_one::hash224,
            }),
            "SHA extensions; bound by the latency of sha256rnds2",
        ),
        #[cfg(all(target_arch = "x86", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "sha-ni",
            SHA_NI,
            around!(super::sha_ni_x86::compress),
            "SHA extensions; bound by the latency of sha256rnds2",
        ),
        #[cfg(target_arch = "aarch64")]
        Implementation::new(
            "sha2",
            IsaSet::of(&["neon", "sha2"]),
            around!(super::armv8::compress),
            "ARMv8 SHA-2 extension; bound by the latency of sha256h",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            around!(portable::compress::<Sha256>),
            "plain Rust",
        ),
    ],
);

/// SHA-256 and SHA-224 of many messages.
pub(crate) static MANY: Kernel<Many<Sha256>> = Kernel::measured(
    "sha256-many",
    CHOICES,
    &[
        // First where nothing is measured: on Intel's Tiger Lake the lanes are faster than
        // SHA-NI (docs/notes/sha256-many.md).
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512-sha-ni",
            BOTH,
            many_x86::avx512_sha_ni as Many<Sha256>,
            "16 or 32 messages in zmm lanes, up to 8 as SHA-NI streams",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "sha-ni",
            SHA_NI,
            many_sha_ni::sha_ni as Many<Sha256>,
            "2 or 4 messages as interleaved SHA-NI streams",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "sha-ni-avx512",
            ALL,
            many_sha_ni::sha_ni_upper as Many<Sha256>,
            "4 messages as interleaved SHA-NI streams, words in the upper 16 registers",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512",
            AVX512,
            many_x86::avx512 as Many<Sha256>,
            "16 or 32 messages in zmm lanes",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512-single",
            ALL,
            many_single::avx512_single as Many<Sha256>,
            "16 messages in zmm lanes, up to 8, or 36 of several lengths, as SHA-NI streams",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            IsaSet::of(&["avx2"]),
            many_x86::avx2 as Many<Sha256>,
            "8 messages in ymm lanes",
        ),
        #[cfg(all(target_arch = "x86", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "sha-ni",
            SHA_NI,
            super::sha_ni_x86::many as Many<Sha256>,
            "one message after another, SHA extensions",
        ),
        #[cfg(target_arch = "aarch64")]
        Implementation::new(
            "sha2",
            IsaSet::of(&["neon", "sha2"]),
            super::armv8::many as Many<Sha256>,
            "4 messages interleaved, ARMv8 SHA-2 extension",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            portable::many::<Sha256> as Many<Sha256>,
            "one message after another, plain Rust",
        ),
    ],
);
