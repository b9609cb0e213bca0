//! The tables of implementations.
//!
//! | kernel | codes | what |
//! |---|---|---|
//! | `rs-gf8` | A, B, D | symbols of one byte |
//! | `rs-gf16` | C | symbols of two bytes |

use crate::body::{self, Bodies, Combine, Transfer, Transform};
#[cfg(target_arch = "aarch64")]
use crate::vector::neon;
use crate::vector::{Pair, Single, portable};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use crate::vector::{avx2, block, gfni};
use karat_cpu::{Implementation, IsaSet, Kernel};

/// Functions of one implementation, with the ISAs that they need. `$outputs` sums of `$wide`
/// values each fit into the registers, and four sums or fewer of `$few` values. `$pairs` says
/// whether two inputs at once do.
macro_rules! bodies {
    ($symbols:ty, $outputs:literal, $wide:literal, $few:literal, $pairs:literal
     $(, $features:literal)?) => {{
        $(#[target_feature(enable = $features)])?
        unsafe fn combine(job: &Combine) {
            // SAFETY: the caller's promise.
            unsafe { body::combine::<$symbols, $outputs, $wide, $few, $pairs>(job) }
        }
        $(#[target_feature(enable = $features)])?
        unsafe fn transfer(job: &Transfer) {
            // SAFETY: the caller's promise.
            unsafe { body::transfer::<$symbols>(job) }
        }
        $(#[target_feature(enable = $features)])?
        unsafe fn inverse(job: &Transform) {
            // SAFETY: the caller's promise.
            unsafe { body::inverse::<$symbols>(job) }
        }
        $(#[target_feature(enable = $features)])?
        unsafe fn forward(job: &Transform) {
            // SAFETY: the caller's promise.
            unsafe { body::forward::<$symbols>(job) }
        }
        $(#[target_feature(enable = $features)])?
        unsafe fn derive(job: &Transform) {
            // SAFETY: the caller's promise.
            unsafe { body::derive::<$symbols>(job) }
        }
        Bodies {
            combine,
            transfer,
            inverse,
            forward,
            derive,
        }
    }};
}

/// Codes over GF(2^8).
pub(crate) static GF8: Kernel<Bodies> = Kernel::new(
    "rs-gf8",
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "gfni-avx512",
            gfni::GFNI512,
            bodies!(
                Single<gfni::Zmm>,
                8,
                2,
                4,
                true,
                "avx2,gfni,avx512f,avx512bw,avx512vl"
            ),
            "64 products an instruction",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "gfni",
            gfni::GFNI,
            bodies!(Single<gfni::Ymm>, 4, 2, 2, false, "avx2,gfni"),
            "32 products an instruction",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            avx2::AVX2,
            bodies!(Single<avx2::Ymm>, 4, 2, 2, false, "avx2"),
            "32 products by two look-ups in registers",
        ),
        #[cfg(target_arch = "aarch64")]
        Implementation::new(
            "neon",
            neon::NEON,
            bodies!(Single<neon::Q>, 4, 2, 2, false, "neon"),
            "16 products by two look-ups in registers",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            bodies!(Single<portable::Word>, 2, 1, 1, false),
            "plain Rust, 8 bytes a register",
        ),
    ],
);

/// Codes over GF(2^16).
pub(crate) static GF16: Kernel<Bodies> = Kernel::new(
    "rs-gf16",
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "gfni-avx512",
            gfni::GFNI512,
            bodies!(
                block::Block,
                8,
                2,
                4,
                false,
                "avx2,gfni,avx512f,avx512bw,avx512vl"
            ),
            "64 products of bytes an instruction, in a tower of fields",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "gfni",
            gfni::GFNI,
            bodies!(Pair<gfni::Ymm>, 4, 1, 1, false, "avx2,gfni"),
            "32 products of bytes an instruction, in a tower of fields",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            avx2::AVX2,
            bodies!(Pair<avx2::Ymm>, 4, 1, 1, false, "avx2"),
            "32 products of bytes by two look-ups in registers, in a tower of fields",
        ),
        #[cfg(target_arch = "aarch64")]
        Implementation::new(
            "neon",
            neon::NEON,
            bodies!(Pair<neon::Q>, 4, 1, 1, false, "neon"),
            "16 products of bytes by two look-ups in registers, in a tower of fields",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            bodies!(Pair<portable::Word>, 2, 1, 1, false),
            "plain Rust, 8 bytes a register",
        ),
    ],
);
