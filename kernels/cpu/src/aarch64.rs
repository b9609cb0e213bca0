//! Linux tells programs what the CPU offers in the auxiliary vector. Bits:
//! Linux `arch/arm64/include/uapi/asm/hwcap.h`.

use crate::{Isa, IsaSet};

const AT_HWCAP: usize = 16;
const AT_HWCAP2: usize = 26;

/// Name, auxiliary vector entry, bit.
const TABLE: &[(&str, usize, u32)] = &[
    ("neon", AT_HWCAP, 1),
    ("aes-arm", AT_HWCAP, 3),
    ("sha2", AT_HWCAP, 6),
    ("crc", AT_HWCAP, 7),
    ("lse", AT_HWCAP, 8),
    ("sha3", AT_HWCAP, 17),
    ("dotprod", AT_HWCAP, 20),
    ("sve", AT_HWCAP, 22),
    ("sve2", AT_HWCAP2, 1),
];

unsafe extern "C" {
    /// glibc and musl: the value of an auxiliary vector entry, or 0.
    safe fn getauxval(kind: usize) -> usize;
}

pub(crate) fn detect() -> IsaSet {
    let mut set = IsaSet::EMPTY;
    for &(name, entry, bit) in TABLE {
        if getauxval(entry) >> bit & 1 == 1
            && let Some(isa) = Isa::named(name)
        {
            set = set.with(isa);
        }
    }
    set
}
