//! The table for many messages: several states at once. The limits stand in each
//! implementation's file.

use super::body::Many;
use super::sponge::Sponge;
use super::state::Parameters;
use crate::choices::CHOICES;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Messages in lanes; what these leave, one after the other.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2", not(miri)),
    target_arch = "aarch64"
))]
macro_rules! in_lanes {
    ($many:path) => {
        |messages, out, length, p| {
            // SAFETY: the caller upholds the safety contract of `Many`, and its CPU has the
            // ISAs of the entry.
            let done = unsafe { $many(messages, out, length, p) };
            if done < messages.len() {
                one_by_one(&messages[done..], &mut out[done * length..], length, p);
            }
        }
    };
}

/// Hashes many messages.
pub(crate) static MANY: Kernel<Many> = Kernel::measured(
    "keccak-many",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512",
            super::x86::AVX512,
            in_lanes!(super::x86::avx512::many::<false>),
            "8 messages a register, the states never leave the registers",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512-three",
            super::x86::AVX512,
            in_lanes!(super::x86::avx512::many::<true>),
            "as avx512; parities end with three-way logic, five operations a round fewer",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            super::x86::AVX2,
            in_lanes!(super::x86::avx2::many),
            "4 messages a register",
        ),
        #[cfg(target_arch = "aarch64")]
        Implementation::new(
            "sha3",
            IsaSet::of(&["neon", "sha3"]),
            in_lanes!(super::aarch64::many),
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

/// Hashes one message after the other.
fn one_by_one(messages: &[&[u8]], out: &mut [u8], length: usize, p: Parameters) {
    for (message, out) in messages.iter().zip(out.chunks_exact_mut(length.max(1))) {
        Sponge::hash(p, message, out);
    }
}
