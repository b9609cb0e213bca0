//! Detection on Linux, which reports CPU features in the auxiliary vector. Source of
//! the bits: Linux `arch/arm64/include/uapi/asm/hwcap.h`.

use crate::{Isa, IsaSet};

const AT_HWCAP: usize = 16;
const AT_HWCAP2: usize = 26;

/// Name, entry of the auxiliary vector, bits. rustc's `sha3` is two features: HWCAP_SHA3
/// and HWCAP_SHA512.
const TABLE: &[(&str, usize, &[u32])] = &[
    ("neon", AT_HWCAP, &[1]),
    ("aes-arm", AT_HWCAP, &[3]),
    ("sha2", AT_HWCAP, &[6]),
    ("crc", AT_HWCAP, &[7]),
    ("lse", AT_HWCAP, &[8]),
    ("sha3", AT_HWCAP, &[17, 21]),
    ("dotprod", AT_HWCAP, &[20]),
    ("sve", AT_HWCAP, &[22]),
    ("sve2", AT_HWCAP2, &[1]),
];

unsafe extern "C" {
    /// The value of an entry of the auxiliary vector, or 0 (glibc and musl).
    safe fn getauxval(kind: usize) -> usize;
}

pub(crate) fn detect() -> IsaSet {
    let mut set = IsaSet::EMPTY;
    for &(name, entry, bits) in TABLE {
        let value = getauxval(entry);
        if bits.iter().all(|bit| value >> bit & 1 == 1)
            && let Some(isa) = Isa::named(name)
        {
            set = set.with(isa);
        }
    }
    set
}
