//! The table of implementations.

use super::{LtHash, Words, portable, roots};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::{output256, output512, short, single, x86};
use crate::body::XofJob;
use crate::choices::CHOICES;
use karat_cpu::{Implementation, IsaSet, Kernel};

/// The functions of an implementation. Unsafe: the CPU must have its ISAs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums {
    /// Adds one hash to another; `sub` subtracts it.
    pub(crate) add: unsafe fn(&mut Words, &Words),
    pub(crate) sub: unsafe fn(&mut Words, &Words),
    /// The hash of an element. It is a return value for the same reason as `root`.
    pub(crate) of: unsafe fn(&[u8]) -> LtHash,
    /// The output of a root block, from its beginning. It is a return value so that it
    /// is written directly to the caller's place. A hash that is first zero, then added
    /// to and then moved is written three times.
    pub(crate) root: unsafe fn(&XofJob) -> LtHash,
    /// Adds the hashes of elements; `sub_all` subtracts them.
    pub(crate) add_all: unsafe fn(&[&[u8]], &mut Words),
    pub(crate) sub_all: unsafe fn(&[&[u8]], &mut Words),
}

/// Adds and subtracts lattice hashes.
pub(crate) static KERNEL: Kernel<Body> = Kernel::measured("lthash", CHOICES, TABLE);

/// An implementation of [`KERNEL`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body(pub(crate) Sums);

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
const AVX512: Sums = Sums {
    add: x86::add512,
    sub: x86::sub512,
    of: short::of,
    root: output512::root,
    add_all: short::add_all,
    sub_all: short::sub_all,
};

static TABLE: &[Implementation<Body>] = &[
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512",
        IsaSet::of(&["avx512f", "avx512vl", "avx512bw"]),
        Body(AVX512),
        "32 output blocks at once, added to the sum as they leave the registers",
    ),
    // After avx512: chosen where a record or a model of it says so.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512-single",
        IsaSet::of(&["avx512f", "avx512vl", "avx512bw"]),
        Body(Sums {
            of: single::of,
            root: single::root,
            add_all: single::add_all,
            sub_all: single::sub_all,
            ..AVX512
        }),
        "16 output blocks after 16; sums word by word, transposed once",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx512vl",
        IsaSet::of(&["avx512f", "avx512vl", "avx512bw"]),
        Body(Sums {
            of: output512::of256,
            root: output512::root256,
            add_all: single::add_all,
            sub_all: single::sub_all,
            ..AVX512
        }),
        "16 output blocks at once in registers of 256 bits; sums as avx512-single",
    ),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    Implementation::new(
        "avx2",
        IsaSet::of(&["avx2"]),
        Body(Sums {
            add: x86::add256,
            sub: x86::sub256,
            of: output256::of,
            root: output256::root,
            add_all: output256::add_all,
            sub_all: output256::sub_all,
        }),
        "8 output blocks at once; 16 words an instruction",
    ),
    Implementation::new(
        "portable",
        IsaSet::EMPTY,
        Body(Sums {
            add: portable::add,
            sub: portable::sub,
            of: |input| roots::one(input, portable::root),
            root: portable::root,
            add_all: portable::add_all,
            sub_all: portable::sub_all,
        }),
        "plain Rust; output by the kernel blake3",
    ),
];
