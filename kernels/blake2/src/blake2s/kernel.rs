//! The tables of implementations.

use crate::choices::CHOICES;
#[cfg(miri)]
use crate::interpreted::Lanes;
use crate::{Blake2s, Many, One, batch, many, portable};
use karat_cpu::{Implementation, IsaSet, Kernel};

#[cfg(all(target_arch = "aarch64", target_endian = "little", not(miri)))]
use super::neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::{avx2, avx512, avx512vl, rows, rows_shifts, scalar};

/// BLAKE2s of one message.
pub(crate) static KERNEL: Kernel<One<u32>> = Kernel::measured(
    "blake2s",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512vl",
            IsaSet::of(&["avx512f", "avx512vl"]),
            rows::AVX512VL,
            "rows of the state in vector registers",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            IsaSet::of(&["avx2"]),
            rows::AVX2,
            "rows of the state in vector registers",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "sse4.1",
            IsaSet::of(&["sse4.1"]),
            rows::SSE41,
            "rows of the state in vector registers",
        ),
        // After those: a gain is expected only where a rotation takes longer than a shift.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512-shifts",
            IsaSet::of(&["avx512f", "avx512bw", "avx512vl", "bmi2"]),
            rows_shifts::ONE,
            "rows of the state in vector registers, rotations by two shifts and three-way logic",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "x86-64",
            IsaSet::EMPTY,
            scalar::ONE,
            "general registers, where an add, xor or rotate takes one cycle",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            portable::one::<Blake2s>(),
            "plain Rust",
        ),
    ],
);

/// BLAKE2s of many messages, and of the leaves of BLAKE2sp.
pub(crate) static MANY: Kernel<Many<u32>> = Kernel::measured(
    "blake2s-many",
    CHOICES,
    &[
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512",
            IsaSet::of(&["avx512f", "avx512bw", "avx512vl"]),
            Many {
                in_step: Some(avx512::in_step),
                hash: avx512::hash,
                leaves: batch::leaves::<Blake2s, avx512::Lanes16, 16>,
            },
            "32 or 16 lanes",
        ),
        // After avx512: only where 512 bits take two passes a gain is expected.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx512vl",
            IsaSet::of(&["avx512f", "avx512bw", "avx512vl"]),
            Many {
                in_step: Some(avx512vl::in_step),
                hash: avx512vl::hash,
                leaves: batch::leaves::<Blake2s, avx512vl::Lanes16, 16>,
            },
            "16 lanes in two groups of 256 bits, words copied by general registers",
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        Implementation::new(
            "avx2",
            IsaSet::of(&["avx2"]),
            Many {
                in_step: Some(avx2::in_step),
                hash: avx2::hash,
                leaves: batch::leaves::<Blake2s, avx2::Lanes8, 8>,
            },
            "8 lanes",
        ),
        #[cfg(all(target_arch = "aarch64", target_endian = "little", not(miri)))]
        Implementation::new(
            "neon",
            IsaSet::of(&["neon"]),
            Many {
                in_step: None,
                hash: many::hash::<Blake2s, neon::Lanes4, neon::Lanes4, 4, 4>,
                leaves: batch::leaves::<Blake2s, neon::Lanes4, 4>,
            },
            "4 lanes",
        ),
        #[cfg(miri)]
        Implementation::new(
            "interpreted-masked",
            IsaSet::EMPTY,
            Many {
                in_step: None,
                hash: many::hash::<Blake2s, Lanes<Blake2s, true>, Lanes<Blake2s, true>, 3, 2>,
                leaves: batch::leaves::<Blake2s, Lanes<Blake2s, true>, 3>,
            },
            "lanes that Miri can look into",
        ),
        #[cfg(miri)]
        Implementation::new(
            "interpreted",
            IsaSet::EMPTY,
            Many {
                in_step: None,
                hash: many::hash::<Blake2s, Lanes<Blake2s, false>, Lanes<Blake2s, false>, 3, 2>,
                leaves: batch::leaves::<Blake2s, Lanes<Blake2s, false>, 3>,
            },
            "lanes that Miri can look into",
        ),
        Implementation::new(
            "portable",
            IsaSet::EMPTY,
            Many {
                in_step: None,
                hash: many::one_by_one,
                leaves: batch::leaf_by_leaf::<Blake2s>,
            },
            "one message after the other",
        ),
    ],
);
