//! AArch64 CPUs that were sold, by what Linux tells of them.
//!
//! Sources: Arm's technical reference manuals (MIDR_EL1 and the ID registers of each), Linux'
//! `arch/arm64/include/asm/cputype.h` (numbers of Apple's, Fujitsu's and HiSilicon's), and
//! `arch/arm64/kernel/cpufeature.c` (which field makes which bit).

use crate::sold::Sold;
use karat_flow::a64::features::{Set, Told};

/// What is AArch64's own of a CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub midr: u32,
    pub hwcap: u64,
    pub hwcap2: u64,
}

/// Bits of `AT_HWCAP` (`asm/hwcap.h`).
const fn bits(all: &[u32]) -> u64 {
    let mut word = 0;
    let mut at = 0;
    while at < all.len() {
        word |= 1 << all[at];
        at += 1;
    }
    word
}

/// Floating point, vectors, the event stream, ID registers.
const ALL: u64 = bits(&[0, 1, 2, 11]);
const CRC: u64 = bits(&[7]);
/// AES, PMULL, SHA-1, SHA-2.
const CRYPTO: u64 = bits(&[3, 4, 5, 6]);
/// Armv8.1: LSE and RDM, with CRC.
const V8_1: u64 = CRC | bits(&[8, 12]);
/// Armv8.2 as all have it that are sold: half precision, DC CVAP.
const V8_2: u64 = V8_1 | bits(&[9, 10, 16]);
const DOTPROD: u64 = bits(&[20]);
const RCPC: u64 = bits(&[15]);
/// JSCVT, FCMA, RCPC, PAC.
const V8_3: u64 = bits(&[13, 14, 15, 30, 31]);
/// FLAGM, DIT, USCAT, RCPC2.
const V8_4: u64 = bits(&[24, 25, 26, 27]);
const SVE: u64 = bits(&[22]);
const SHA3: u64 = bits(&[17, 21]);
const SM: u64 = bits(&[18, 19]);
const FHM: u64 = bits(&[23]);
const SSBS: u64 = bits(&[28]);
const SB: u64 = bits(&[29]);

/// From the oldest to the newest.
static ALL_SOLD: [Sold; 10] = [
    // As in a Raspberry Pi 3, without cryptography.
    arm("Cortex-A53", 0x410f_d034, ALL | CRC, 0),
    arm("Cortex-A57", 0x411f_d073, ALL | CRC | CRYPTO, 0),
    arm("ThunderX2", 0x431f_0af1, ALL | V8_1 | CRYPTO, 0),
    arm(
        "A64FX",
        0x461f_0010,
        ALL | V8_2 | CRYPTO | bits(&[14]) | SVE,
        0,
    ),
    arm(
        "Neoverse-N1",
        0x413f_d0c1,
        ALL | V8_2 | CRYPTO | DOTPROD | RCPC | SSBS,
        0,
    ),
    // `TSV110`: no RCPC.
    arm(
        "Kunpeng 920",
        0x481f_d010,
        ALL | V8_2 | CRYPTO | DOTPROD | FHM | bits(&[13, 14]),
        0,
    ),
    // FLAGM2 and FRINT in the second word.
    arm(
        "Apple M1",
        0x611f_0221,
        ALL | V8_2 | CRYPTO | DOTPROD | V8_3 | V8_4 | SHA3 | FHM | SSBS | SB,
        bits(&[0, 7, 8]),
    ),
    // The same with I8MM and BF16, and without SVE.
    arm(
        "Apple M2",
        0x611f_0331,
        ALL | V8_2 | CRYPTO | DOTPROD | V8_3 | V8_4 | SHA3 | FHM | SSBS | SB,
        // DCPODP, FLAGM2, FRINT, I8MM, BF16, BTI, ECV.
        bits(&[0, 7, 8, 13, 14, 17, 19]),
    ),
    arm(
        "Neoverse-V1",
        0x411f_d401,
        ALL | V8_2 | CRYPTO | DOTPROD | V8_3 | V8_4 | SHA3 | SM | FHM | SSBS | SVE,
        // DCPODP, SVEI8MM, SVEBF16, I8MM, BF16, DGH, RNG.
        bits(&[0, 9, 12, 13, 14, 15, 16]),
    ),
    arm(
        "Neoverse-N2",
        0x410f_d490,
        ALL | V8_2 | CRYPTO | DOTPROD | V8_3 | V8_4 | SHA3 | SM | FHM | SSBS | SB | SVE,
        // The same with SVE2 and what it may have, FLAGM2, FRINT, BTI.
        bits(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 17]),
    ),
];

const fn arm(name: &'static str, midr: u32, hwcap: u64, hwcap2: u64) -> Sold {
    Sold::of_arm(
        name,
        Arm {
            midr,
            hwcap,
            hwcap2,
        },
    )
}

/// All of them.
pub(crate) fn all() -> &'static [Sold] {
    &ALL_SOLD
}

/// What Linux calls the bits of both words (`arch/arm64/kernel/cpuinfo.c`).
const NAMES: [&str; 32] = [
    "fp", "asimd", "evtstrm", "aes", "pmull", "sha1", "sha2", "crc32", "atomics", "fphp",
    "asimdhp", "cpuid", "asimdrdm", "jscvt", "fcma", "lrcpc", "dcpop", "sha3", "sm3", "sm4",
    "asimddp", "sha512", "sve", "asimdfhm", "dit", "uscat", "ilrcpc", "flagm", "ssbs", "sb",
    "paca", "pacg",
];
const NAMES_2: [&str; 21] = [
    "dcpodp",
    "sve2",
    "sveaes",
    "svepmull",
    "svebitperm",
    "svesha3",
    "svesm4",
    "flagm2",
    "frint",
    "svei8mm",
    "svef32mm",
    "svef64mm",
    "svebf16",
    "i8mm",
    "bf16",
    "dgh",
    "rng",
    "bti",
    "mte",
    "ecv",
    "afp",
];

impl Arm {
    /// What `/proc/cpuinfo` says of it.
    pub fn description(&self) -> String {
        let of = |names: &[&str], word: u64| {
            let set = (0..).zip(names).filter(|(bit, _)| word >> bit & 1 == 1);
            set.map(|(_, name)| format!(" {name}")).collect::<String>()
        };
        let features = of(&NAMES, self.hwcap) + &of(&NAMES_2, self.hwcap2);
        format!(
            "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t:{features}\n\
             CPU implementer\t: {:#04x}\nCPU architecture: 8\nCPU variant\t: {:#x}\n\
             CPU part\t: {:#05x}\nCPU revision\t: {}\n\n",
            self.midr >> 24,
            self.midr >> 20 & 15,
            self.midr >> 4 & 0xfff,
            self.midr & 15,
        )
    }

    /// What it has.
    pub fn set(&self) -> Set {
        let word = |told: Told, word: u64| {
            let bits = (0..64).filter(|bit| word >> bit & 1 == 1);
            bits.fold(0, |all, bit| all | told.bit(bit))
        };
        let all = word(Told::Hwcap, self.hwcap) | word(Told::Hwcap2, self.hwcap2);
        // What stands for no feature here is none, and a word of a version says what was sold.
        all & 0xffff_ffff & !karat_flow::a64::features::OTHER
    }
}
