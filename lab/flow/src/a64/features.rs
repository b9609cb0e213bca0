//! What an AArch64 CPU may have beyond Armv8.0, as sets; which of it the kernel's words tell,
//! and which of it an instruction needs.
//!
//! Finer than the names of extensions: one bit of `AT_HWCAP` tells AES and another PMULL.
//!
//! Sources: Linux, `arch/arm64/include/uapi/asm/hwcap.h` (the bits of both words); Arm
//! Architecture Reference Manual for A-profile (DDI 0487), D19.2 (fields of the ID registers)
//! and A2.2 (which feature needs which); LLVM's compiler-rt,
//! `lib/builtins/cpu_model/AArch64CPUFeatures.inc` (bits of `__aarch64_cpu_features`).

/// A set of features.
pub type Set = u64;

/// What is never so has all of them: an edge that is never taken.
pub const ALL: Set = Set::MAX;

/// AES instructions.
pub const AES: Set = 1;
/// Polynomial multiplication of 64 bits.
pub const PMULL: Set = 1 << 1;
/// SHA-1.
pub const SHA1: Set = 1 << 2;
/// SHA-256.
pub const SHA2: Set = 1 << 3;
/// SHA-3.
pub const SHA3: Set = 1 << 4;
/// SHA-512.
pub const SHA512: Set = 1 << 5;
/// SM4.
pub const SM4: Set = 1 << 6;
/// Dot products.
pub const DOTPROD: Set = 1 << 7;
/// Matrices of bytes.
pub const I8MM: Set = 1 << 8;
/// BFloat16.
pub const BF16: Set = 1 << 9;
/// Large System Extensions: atomic operations.
pub const LSE: Set = 1 << 10;
/// Ordered loads (`ldapr`).
pub const RCPC: Set = 1 << 11;
/// The same with an offset.
pub const RCPC2: Set = 1 << 12;
/// CRC32.
pub const CRC: Set = 1 << 13;
/// Pointer authentication.
pub const PACA: Set = 1 << 14;
/// The Scalable Vector Extension.
pub const SVE: Set = 1 << 15;
/// Its second version.
pub const SVE2: Set = 1 << 16;
/// The Scalable Matrix Extension.
pub const SME: Set = 1 << 17;
/// Half precision.
pub const FP16: Set = 1 << 18;
/// What nothing here needs, but a question may be about: `SM3` and all other bits.
pub const OTHER: Set = 1 << 19;
/// SM3.
pub const SM3: Set = 1 << 20;
/// Not a feature: a handler of SIGILL was set, so what follows is tried.
pub const TRIED: Set = 1 << 21;
/// Not a feature: a user says that all is there that is needed.
pub const SAID: Set = 1 << 22;
/// So far up are features that a user says are there; nothing else is.
const WORD: u32 = 32;
/// All that rests on a user's word.
pub const WORDS: Set = SAID | ((1 << 22) - 1) << WORD;

/// Names in reports: rustc's, and those of the kernel where it tells more apart.
const NAMES: [&str; 22] = [
    "aes",
    "pmull",
    "sha1",
    "sha2",
    "sha3",
    "sha512",
    "sm4",
    "dotprod",
    "i8mm",
    "bf16",
    "lse",
    "rcpc",
    "rcpc2",
    "crc",
    "paca",
    "sve",
    "sve2",
    "sme",
    "fp16",
    "another feature",
    "sm3",
    "what a handler of SIGILL lets it try",
];

/// These features, by a user's word.
pub fn word(features: Set) -> Set {
    features << WORD
}

/// What is there by what was seen, or by a user's word.
pub fn told(set: Set) -> Set {
    match set & SAID {
        0 => set | set >> WORD,
        _ => Set::MAX >> 1,
    }
}

/// What a user's word may name, as reports do.
pub fn known(name: &str) -> Option<Set> {
    if karat_binary::a64::NAMES[1..].contains(&name) {
        return Some(named(name));
    }
    let bit = NAMES.iter().position(|known| *known == name)?;
    Some(1 << bit).filter(|set| set & (OTHER | TRIED) == 0)
}

/// The name of a bit.
pub fn names(set: Set) -> Vec<String> {
    let set = if set == ALL { set } else { set | set >> WORD };
    let numbered = NAMES.iter().enumerate();
    let there = numbered.filter(|(bit, _)| set != ALL && set >> bit & 1 == 1);
    there.map(|(_, name)| (*name).to_string()).collect()
}

/// With what the architecture says that each feature needs.
pub fn implied(mut set: Set) -> Set {
    for (has, needs) in [
        (SME, BF16),
        (SVE2, SVE),
        // Optional from Armv8.2 on, which has all of Armv8.1.
        (SVE, FP16 | LSE | CRC),
        (RCPC2, RCPC),
        (SHA3, SHA512),
        (SHA512, SHA2),
        (SHA2, SHA1),
        (PMULL, AES),
    ] {
        if set & has != 0 {
            set |= needs;
        }
    }
    set
}

/// With what all CPUs that are sold have beside it: good for medium confidence only.
/// A user's word is as good.
pub fn sold(set: Set) -> Set {
    if set & (TRIED | SAID) != 0 {
        return Set::MAX >> 1;
    }
    let mut set = implied(set | set >> WORD);
    for (has, beside) in [
        (AES, PMULL | SHA1 | SHA2),
        (SHA1 | SHA2, AES | PMULL),
        (SHA512, SHA3),
        (DOTPROD | RCPC | FP16, LSE | CRC),
        (LSE, CRC),
        (SM4, SM3),
        (SM3, SM4),
        (I8MM | BF16 | SVE2, DOTPROD | RCPC | LSE | CRC | FP16),
    ] {
        if set & has != 0 {
            set |= beside;
        }
    }
    implied(set)
}

/// Words in which somebody tells what the CPU has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Told {
    /// `getauxval(AT_HWCAP)`, also the first argument of a resolver.
    Hwcap,
    /// `getauxval(AT_HWCAP2)`.
    Hwcap2,
    /// `__aarch64_cpu_features`.
    CpuFeatures,
    /// `__aarch64_have_lse_atomics`.
    HaveLse,
    /// `ID_AA64ISAR0_EL1`.
    Isar0,
    /// `ID_AA64ISAR1_EL1`.
    Isar1,
    /// `ID_AA64PFR0_EL1`.
    Pfr0,
    /// `ID_AA64ZFR0_EL1`.
    Zfr0,
}

impl Told {
    /// What is there when a bit is set.
    pub fn bit(self, bit: u32) -> Set {
        match self {
            Self::Hwcap => hwcap(bit),
            Self::Hwcap2 => hwcap2(bit),
            Self::CpuFeatures => cpu_features(bit),
            Self::HaveLse => LSE,
            // Fields of four bits that count up.
            Self::Isar0 => match bit {
                5 => AES | PMULL,
                4..=7 => AES,
                8..=11 => SHA1,
                13 => SHA2 | SHA512,
                12..=15 => SHA2,
                16..=19 => CRC,
                20..=23 => LSE,
                32..=35 => SHA3,
                36..=39 => SM3,
                40..=43 => SM4,
                44..=47 => DOTPROD,
                _ => OTHER,
            },
            Self::Isar1 => match bit {
                4..=11 => PACA,
                21 => RCPC2,
                20..=23 => RCPC,
                44..=47 => BF16,
                52..=55 => I8MM,
                _ => OTHER,
            },
            // Floating point has no field of this kind: 15 is "none".
            Self::Pfr0 => match bit {
                32..=35 => SVE,
                _ => OTHER,
            },
            Self::Zfr0 => match bit {
                0..=3 => SVE2,
                _ => OTHER,
            },
        }
    }
}

fn hwcap(bit: u32) -> Set {
    match bit {
        // Floating point and vectors, which all have; the event stream and the ID registers,
        // which are the kernel's.
        0..=2 | 11 => 0,
        3 => AES,
        4 => PMULL,
        5 => SHA1,
        6 => SHA2,
        7 => CRC,
        8 => LSE,
        9 | 10 => FP16,
        15 => RCPC,
        17 => SHA3,
        18 => SM3,
        19 => SM4,
        20 => DOTPROD,
        21 => SHA512,
        22 => SVE,
        26 => RCPC2,
        30 | 31 => PACA,
        _ => OTHER,
    }
}

fn hwcap2(bit: u32) -> Set {
    match bit {
        // The SVE ones beyond the first are of SVE2.
        1..=6 => SVE2,
        9 => SVE | I8MM,
        12 => SVE | BF16,
        13 => I8MM,
        14 => BF16,
        23 => SME,
        // FLAGM2, FRINT, BTI, MTE, ECV and MTE3 are of Armv8.5 and 8.6, and may be in a CPU of the
        // version before each: that has all of Armv8.4.
        7 | 8 | 17..=19 | 22 => OTHER | word(V8_4),
        // AFP, RPRES and WFXT are of Armv8.7, and so at least in one of 8.6.
        20 | 21 | 31 => OTHER | word(V8_4 | I8MM | BF16),
        _ => OTHER,
    }
}

/// What all CPUs of Armv8.4 have.
const V8_4: Set = DOTPROD | RCPC | RCPC2 | LSE | CRC;

fn cpu_features(bit: u32) -> Set {
    match bit {
        4 => DOTPROD,
        5 => SM4 | SM3,
        7 => LSE,
        10 => CRC,
        11 => SHA1,
        12 => SHA2,
        13 => SHA3,
        14 => AES,
        15 => PMULL,
        16 => FP16,
        22 => RCPC,
        23 => RCPC2,
        26 => I8MM,
        27 => BF16,
        30 => SVE,
        36..=41 => SVE2,
        42 => SME,
        _ => OTHER,
    }
}

/// What an instruction needs, by the name of its extension; nothing for Armv8.0.
pub fn needed(word: u32, extension: &str) -> Set {
    let is_sve = word >> 25 & 0xf == 0b0010;
    let need = match extension {
        "" => 0,
        // PMULL of 64 bits; the rest of the name are AESE and its like.
        "aes" if word & 0xbfe0_fc00 == 0x0ee0_e000 => PMULL,
        "aes" => AES,
        // SHA256H, SHA256H2, SHA256SU1; SHA256SU0. All others are of SHA-1.
        "sha2" if word & 0xff20_4c00 == 0x5e00_4000 || word & 0xffff_fc00 == 0x5e28_2800 => SHA2,
        "sha2" => SHA1,
        // SHA512H, SHA512H2, SHA512SU1; SHA512SU0. RAX1 and the others are of SHA-3.
        "sha3"
            if word & 0xffe0_f000 == 0xce60_8000 && word >> 10 & 3 != 3
                || word & 0xffff_fc00 == 0xcec0_8000 =>
        {
            SHA512
        }
        "sha3" => SHA3,
        // SM4E and SM4EKEY.
        "sm4" if word & 0xffff_fc00 == 0xcec0_8400 || word & 0xffe0_fc00 == 0xce60_c800 => SM4,
        "sm4" => SM3,
        "dotprod" => DOTPROD,
        "i8mm" => I8MM,
        "bf16" => BF16,
        "lse" => LSE,
        "rcpc" => RCPC,
        "rcpc2" => RCPC2,
        "crc" => CRC,
        "paca" => PACA,
        "sve" => SVE,
        "sve2" => SVE2,
        "sme" => SME,
        "fp16" => FP16,
        _ => OTHER,
    };
    need | if is_sve { SVE } else { 0 }
}

/// All that the name of an extension stands for.
pub fn named(extension: &str) -> Set {
    match extension {
        "aes" => AES | PMULL,
        "sha2" => SHA1 | SHA2,
        "sha3" => SHA3 | SHA512,
        "sm4" => SM3 | SM4,
        // Only these four stand for several, which the instruction's word tells apart.
        other => needed(0, other),
    }
}

/// What a function's name says that the CPU has which it is for, as those of libyuv, libvpx and
/// libaom do (`…_SVE2`, `…_neon_dotprod`).
pub fn said_by_name(name: &str) -> Set {
    let name = name.to_ascii_lowercase();
    let has = |(part, _): &&(&str, Set)| name.contains(part);
    let all = NAMED.iter().filter(has);
    all.fold(0, |all, (_, has)| all | has)
}

/// The same, by parts of names.
const NAMED: [(&str, Set); 5] = [
    ("_sve", SVE),
    ("_sve2", SVE2),
    ("_sme", SME),
    ("dotprod", DOTPROD),
    ("i8mm", I8MM),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Words as GNU as 2.40 encodes them.
    #[test]
    fn what_shares_a_name_is_told_apart() {
        for (word, name, need) in [
            (0x4e28_4820, "aes", AES),         // aese v0.16b, v1.16b
            (0x4ee2_e020, "aes", PMULL),       // pmull2 v0.1q, v1.2d, v2.2d
            (0x5e02_4020, "sha2", SHA2),       // sha256h q0, q1, v2.4s
            (0x5e02_6020, "sha2", SHA2),       // sha256su1 v0.4s, v1.4s, v2.4s
            (0x5e28_2820, "sha2", SHA2),       // sha256su0 v0.4s, v1.4s
            (0x5e02_0020, "sha2", SHA1),       // sha1c q0, s1, v2.4s
            (0x5e28_0820, "sha2", SHA1),       // sha1h s0, s1
            (0xce62_8020, "sha3", SHA512),     // sha512h q0, q1, v2.2d
            (0xcec0_8020, "sha3", SHA512),     // sha512su0 v0.2d, v1.2d
            (0xce62_8c20, "sha3", SHA3),       // rax1 v0.2d, v1.2d, v2.2d
            (0xce02_0c20, "sha3", SHA3),       // eor3
            (0xcec0_8420, "sm4", SM4),         // sm4e v0.4s, v1.4s
            (0xce42_0c20, "sm4", SM3),         // sm3ss1
            (0x4482_7820, "i8mm", I8MM | SVE), // usdot z0.s, z1.b, z2.b
            (0x4e82_9c20, "i8mm", I8MM),       // usdot v0.4s, v1.16b, v2.16b
        ] {
            assert_eq!(needed(word, name), need, "{word:#x}");
            assert_eq!(named(name) & need & !SVE, need & !SVE, "{name}");
        }
    }

    #[test]
    fn what_is_told_says_no_more_than_it_implies() {
        assert_eq!(implied(Told::Hwcap.bit(3)) & PMULL, 0);
        assert_ne!(sold(Told::Hwcap.bit(3)) & PMULL, 0);
        assert_ne!(implied(Told::Hwcap2.bit(1)) & (SVE | LSE), 0);
        assert_eq!(sold(LSE) & DOTPROD, 0);
        // AFP, which is Armv8.7's; JSCVT, which is older than I8MM.
        assert_eq!(implied(Told::Hwcap2.bit(20)) & DOTPROD, 0);
        assert_ne!(sold(Told::Hwcap2.bit(20)) & DOTPROD, 0);
        assert_eq!(sold(Told::Hwcap2.bit(20)) & SVE, 0);
        assert_eq!(sold(Told::Hwcap.bit(13)) & I8MM, 0);
    }
}
