//! The tables of implementations.
//!
//! | kernel | what | limit on Zen 5 |
//! |---|---|---|
//! | `keccak` | one message: input is added to one state, which is permuted | see each implementation's file |
//! | `keccak-many` | many messages, several states at once | see each implementation's file |

use super::portable;
use super::sponge::Parameters;
use crate::choices::CHOICES;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Adds blocks to a state and permutes it after each block. Arguments: `(state, data,
/// blocks, words, row)`. A block is `words` words of 8 bytes, 0 to 21. With 0 words
/// `data` is not used. Lane x + 5y of the state has index x + 5y. With `row`, only
/// lanes 0 to 4 have to be right afterwards, which suffices for digests of up to 40
/// bytes.
///
/// # Safety
/// `blocks` must be 1 or more and `words` at most 21. `data` must be readable for
/// `blocks * words * 8` bytes.
pub(crate) type One = unsafe fn(&mut [u64; 25], *const u8, usize, usize, bool);

/// Hashes messages. Arguments: `(messages, out, length, parameters)`. Digest number i
/// goes to the `length` bytes of `out` from `i * length` on.
///
/// # Safety
/// `out` must have `length` bytes for each message. `length` must be at most the rate.
pub(crate) type Many = unsafe fn(&[&[u8]], &mut [u8], usize, Parameters);

/// Hashes one message.
pub(crate) static KERNEL: Kernel<One> = Kernel::measured(
    "keccak",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512",
            super::x86::AVX512,
            super::x86::avx512::absorb,
            "one lane a register, three-way logic, rotations in one step",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "bmi2",
            super::x86::BMI2,
            super::x86::scalar::absorb,
            "assembly for the general registers, state on the stack",
        ),
        Implementation::new("portable", IsaSet::EMPTY, portable::absorb, "plain Rust"),
    ],
);

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
            portable::many,
            "one after the other through the kernel keccak",
        ),
    ],
);
