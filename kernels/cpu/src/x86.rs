//! CPUID and XCR0. Leaves and bits: Intel SDM vol. 2A, CPUID (tables 3-17 ff.);
//! AMD APM vol. 3, appendix E. State rules: Intel SDM vol. 1, section 15.2.

use crate::{Identity, Isa, IsaSet};
#[cfg(target_arch = "x86")]
use core::arch::x86::CpuidResult;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::CpuidResult;

/// What the operating system must save so that programs can use an ISA's registers.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Nothing beyond SSE, which every 64-bit operating system saves, and every 32-bit one on
    /// which a program with `target_feature = "sse2"` runs.
    Sse,
    /// Upper halves of the ymm registers: XCR0 bits 1 and 2.
    Ymm,
    /// Mask and zmm registers: XCR0 bits 1, 2, 5, 6 and 7.
    Zmm,
    /// Tiles and their configuration: XCR0 bits 17 and 18. Linux lets a program use them
    /// once it has asked (`ARCH_REQ_XCOMP_PERM`).
    Tile,
}

#[derive(Clone, Copy)]
enum Register {
    Eax,
    Ebx,
    Ecx,
    Edx,
}
use Register::{Eax, Ebx, Ecx, Edx};
use State::{Sse, Tile, Ymm, Zmm};

/// Name, leaf, subleaf, register, bit, state.
const TABLE: &[(&str, u32, u32, Register, u32, State)] = &[
    ("sse3", 1, 0, Ecx, 0, Sse),
    ("pclmulqdq", 1, 0, Ecx, 1, Sse),
    ("ssse3", 1, 0, Ecx, 9, Sse),
    ("fma", 1, 0, Ecx, 12, Ymm),
    ("cmpxchg16b", 1, 0, Ecx, 13, Sse),
    ("sse4.1", 1, 0, Ecx, 19, Sse),
    ("sse4.2", 1, 0, Ecx, 20, Sse),
    ("movbe", 1, 0, Ecx, 22, Sse),
    ("popcnt", 1, 0, Ecx, 23, Sse),
    ("aes", 1, 0, Ecx, 25, Sse),
    ("avx", 1, 0, Ecx, 28, Ymm),
    ("f16c", 1, 0, Ecx, 29, Ymm),
    ("rdrand", 1, 0, Ecx, 30, Sse),
    ("bmi1", 7, 0, Ebx, 3, Sse),
    ("avx2", 7, 0, Ebx, 5, Ymm),
    ("bmi2", 7, 0, Ebx, 8, Sse),
    ("avx512f", 7, 0, Ebx, 16, Zmm),
    ("avx512dq", 7, 0, Ebx, 17, Zmm),
    ("rdseed", 7, 0, Ebx, 18, Sse),
    ("adx", 7, 0, Ebx, 19, Sse),
    ("avx512ifma", 7, 0, Ebx, 21, Zmm),
    ("avx512cd", 7, 0, Ebx, 28, Zmm),
    ("sha", 7, 0, Ebx, 29, Sse),
    ("avx512bw", 7, 0, Ebx, 30, Zmm),
    ("avx512vl", 7, 0, Ebx, 31, Zmm),
    ("avx512vbmi", 7, 0, Ecx, 1, Zmm),
    ("avx512vbmi2", 7, 0, Ecx, 6, Zmm),
    ("gfni", 7, 0, Ecx, 8, Sse),
    ("vaes", 7, 0, Ecx, 9, Ymm),
    ("vpclmulqdq", 7, 0, Ecx, 10, Ymm),
    ("avx512vnni", 7, 0, Ecx, 11, Zmm),
    ("avx512bitalg", 7, 0, Ecx, 12, Zmm),
    ("avx512vpopcntdq", 7, 0, Ecx, 14, Zmm),
    ("avx512vp2intersect", 7, 0, Edx, 8, Zmm),
    ("amx-bf16", 7, 0, Edx, 22, Tile),
    ("avx512fp16", 7, 0, Edx, 23, Zmm),
    ("amx-tile", 7, 0, Edx, 24, Tile),
    ("amx-int8", 7, 0, Edx, 25, Tile),
    ("sha512", 7, 1, Eax, 0, Ymm),
    ("sm3", 7, 1, Eax, 1, Ymm),
    ("sm4", 7, 1, Eax, 2, Ymm),
    ("avxvnni", 7, 1, Eax, 4, Ymm),
    ("avx512bf16", 7, 1, Eax, 5, Zmm),
    ("avxifma", 7, 1, Eax, 23, Ymm),
    ("lzcnt", 0x8000_0001, 0, Ecx, 5, Sse),
    ("sse4a", 0x8000_0001, 0, Ecx, 6, Sse),
];

pub(crate) fn detect() -> IsaSet {
    let mut set = IsaSet::EMPTY;
    let xcr0 = xcr0();
    // CPUID traps under a hypervisor. The table is sorted by leaf, so that each leaf is
    // read once.
    let mut last = None;
    for &(name, leaf, subleaf, register, bit, state) in TABLE {
        let answer = match last {
            Some((l, s, answer)) if (l, s) == (leaf, subleaf) => answer,
            _ => {
                let answer = leaf_or_zero(leaf, subleaf);
                last = Some((leaf, subleaf, answer));
                answer
            }
        };
        let word = match register {
            Eax => answer.eax,
            Ebx => answer.ebx,
            Ecx => answer.ecx,
            Edx => answer.edx,
        };
        let needed = match state {
            Sse => 0,
            Ymm => 0b110,
            Zmm => 0b1110_0110,
            Tile => 0b11 << 17,
        };
        if word >> bit & 1 == 1
            && xcr0 & needed == needed
            && let Some(isa) = Isa::named(name)
        {
            set = set.with(isa);
        }
    }
    set
}

pub(crate) fn identity() -> Identity {
    let mut out = Identity::UNKNOWN;
    let leaf0 = cpuid(0, 0);
    write_words(&mut out.vendor, &[leaf0.ebx, leaf0.edx, leaf0.ecx]);
    let leaf1 = cpuid(1, 0);
    let family = leaf1.eax >> 8 & 0xf;
    let extended = family == 0xf;
    out.family = family + if extended { leaf1.eax >> 20 & 0xff } else { 0 };
    out.model = leaf1.eax >> 4 & 0xf;
    if extended || family == 6 {
        out.model |= (leaf1.eax >> 16 & 0xf) << 4;
    }
    out.stepping = leaf1.eax & 0xf;
    if leaf1.ecx >> 31 & 1 == 1 {
        let leaf = cpuid(0x4000_0000, 0);
        write_words(&mut out.hypervisor, &[leaf.ebx, leaf.ecx, leaf.edx]);
    }
    for (i, part) in out.brand.chunks_exact_mut(16).enumerate() {
        let leaf = leaf_or_zero(0x8000_0002 + i as u32, 0);
        write_words(part, &[leaf.eax, leaf.ebx, leaf.ecx, leaf.edx]);
    }
    out
}

fn write_words(out: &mut [u8], words: &[u32]) {
    for (chunk, word) in out.chunks_exact_mut(4).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
}

/// Reads a leaf, or zeros if the CPU does not have it. For a missing leaf the CPU
/// returns another leaf's data (Intel SDM, CPUID, "returns the data of the highest
/// basic leaf"). So this checks the limit first.
fn leaf_or_zero(leaf: u32, subleaf: u32) -> CpuidResult {
    let zero = CpuidResult {
        eax: 0,
        ebx: 0,
        ecx: 0,
        edx: 0,
    };
    if leaf > cpuid(leaf & 0x8000_0000, 0).eax {
        return zero;
    }
    if leaf == 7 && subleaf > cpuid(7, 0).eax {
        return zero;
    }
    cpuid(leaf, subleaf)
}

/// `ebx` of CPUID's answers, at its full width.
#[cfg(target_arch = "x86_64")]
macro_rules! rbx {
    () => {
        "rbx"
    };
}
#[cfg(target_arch = "x86")]
macro_rules! rbx {
    () => {
        "ebx"
    };
}

/// Runs CPUID. `core::arch`'s `__cpuid_count` is unsafe in some supported compilers and
/// safe in others. This code is the same in all.
fn cpuid(leaf: u32, subleaf: u32) -> CpuidResult {
    let (eax, ebx, ecx, edx): (u32, usize, u32, u32);
    // SAFETY: every CPU with SSE2 has CPUID, and the instruction only reads. LLVM reserves
    // rbx (ebx), so it is restored before the block ends.
    unsafe {
        core::arch::asm!(
            concat!("mov {saved}, ", rbx!()),
            "cpuid",
            concat!("xchg {saved}, ", rbx!()),
            saved = out(reg) ebx,
            inout("eax") leaf => eax,
            inout("ecx") subleaf => ecx,
            out("edx") edx,
            options(nomem, nostack, preserves_flags)
        );
    }
    CpuidResult {
        eax,
        ebx: ebx as u32,
        ecx,
        edx,
    }
}

/// XCR0, or 0 when the operating system does not use XSAVE.
fn xcr0() -> u64 {
    let osxsave = cpuid(1, 0).ecx >> 27 & 1 == 1;
    if !osxsave {
        return 0;
    }
    let (low, high): (u32, u32);
    // SAFETY: OSXSAVE means that XGETBV is enabled. Index 0 then always exists. The
    // instruction only reads.
    unsafe {
        core::arch::asm!(
            "xgetbv",
            in("ecx") 0,
            out("eax") low,
            out("edx") high,
            options(nomem, nostack, preserves_flags)
        );
    }
    u64::from(high) << 32 | u64::from(low)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "runs CPUID")]
    fn agrees_with_the_standard_library() {
        macro_rules! check {
            ($($name:tt)*) => {$(
                let ours = detect().contains(Isa::named($name).unwrap());
                assert_eq!(ours, std::is_x86_feature_detected!($name), $name);
            )*};
        }
        check!("sse3" "ssse3" "sse4.1" "sse4.2" "sse4a" "popcnt" "cmpxchg16b" "movbe" "lzcnt"
            "bmi1" "bmi2" "adx" "rdrand" "rdseed" "aes" "pclmulqdq" "sha" "avx" "f16c" "fma"
            "avx2" "gfni" "vaes" "vpclmulqdq" "avx512f" "avx512cd" "avx512bw" "avx512dq"
            "avx512vl" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vnni" "avx512bitalg"
            "avx512vpopcntdq" "avx512bf16" "avx512vp2intersect");
    }

    #[test]
    fn every_row_names_a_known_isa_and_leaves_are_grouped() {
        let mut seen: std::vec::Vec<(u32, u32, u32)> = std::vec::Vec::new();
        for row in TABLE {
            assert!(Isa::named(row.0).is_some(), "{}", row.0);
            let place = (row.1, row.2, 0);
            if seen.last() != Some(&place) {
                assert!(!seen.contains(&place), "leaf {:x} asked twice", row.1);
                seen.push(place);
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "runs CPUID")]
    fn identity_is_text() {
        let id = identity();
        assert!(std::str::from_utf8(&id.vendor).is_ok());
        assert!(id.family > 0);
    }
}
