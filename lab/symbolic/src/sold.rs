//! CPUs that were sold. The run of [`plain`](crate::plain) is followed on each of them: one that
//! comes to what it lacks dies, whatever decides, the CPU's model too. Where those that have it
//! come to it, and those that lack it do not, the CPU decides, at least in that run.
//!
//! Families, models and what they have are those of the Intel SDM, volume 4, table 2-1, and
//! volume 2, CPUID, and of AMD's revision guides and software optimization guides by family;
//! numbers in `__cpu_model` those of GCC's `cpuinfo.h`.

use crate::found::{Found, Reached};
use karat_flow::facts::Facts;

/// One CPU.
#[derive(Debug)]
pub(crate) struct Sold {
    pub name: &'static str,
    pub is_intel: bool,
    /// Leaf 1, `eax`: stepping, model and family.
    pub signature: u32,
    /// The highest leaf.
    pub highest: u32,
    /// Type and subtype as libgcc has them in `__cpu_model`.
    pub kind: (u32, u32),
    /// What it has beside what all here have.
    adds: &'static [&'static [&'static str]],
}

/// What all of them have.
const ALL: &[&str] = &["sse4.2", "popcnt", "cmpxchg16b", "rdtscp", "sse2"];
const AVX: &[&str] = &["aes", "pclmulqdq", "the operating system's AVX state"];
const WESTMERE: &[&str] = &["aes", "pclmulqdq"];
const IVY: &[&str] = &["f16c", "rdrand", "fsgsbase", "xsaveopt"];
const AVX2: &[&str] = &["avx2", "bmi1", "bmi2", "fma", "lzcnt", "movbe"];
const BULLDOZER: &[&str] = &["xop", "lzcnt"];
const PILEDRIVER: &[&str] = &["bmi1", "f16c", "fma", "tbm"];
const JAGUAR: &[&str] = &["bmi1", "f16c", "lzcnt", "movbe", "sse4a", "xsaveopt"];
const GOLDMONT: &[&str] = &[
    "aes",
    "pclmulqdq",
    "sha",
    "movbe",
    "rdrand",
    "rdseed",
    "fsgsbase",
    "xsavec",
    "xsaves",
    "xsaveopt",
    "clflushopt",
];
const ZEN: &[&str] = &[
    "sha",
    "adx",
    "rdseed",
    "sse4a",
    "xsavec",
    "xsaves",
    "clflushopt",
];
const SKYLAKE: &[&str] = &[
    "adx",
    "rdseed",
    "rtm",
    "xsavec",
    "xsaves",
    "clflushopt",
    "clwb",
    "avx512bw",
    "avx512cd",
    "avx512dq",
    "avx512vl",
    "the operating system's AVX-512 state",
];
const ICE_LAKE: &[&str] = &[
    "sha",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512vnni",
    "avx512bitalg",
    "avx512vpopcntdq",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "rdpid",
];

/// From the oldest to the newest.
const SOLD: [Sold; 10] = [
    intel("Nehalem", 0x0001_06a5, 0xb, (3, 1), &[]),
    intel("Westmere", 0x0002_06c2, 0xb, (3, 2), &[WESTMERE]),
    intel("Sandy Bridge", 0x0002_06a7, 0xd, (3, 3), &[AVX]),
    amd("Bulldozer", 0x0060_0f12, (5, 7), &[AVX, BULLDOZER]),
    amd(
        "Piledriver",
        0x0060_0f20,
        (5, 8),
        &[AVX, BULLDOZER, PILEDRIVER],
    ),
    amd("Jaguar", 0x0070_0f01, (9, 0), &[AVX, JAGUAR]),
    intel("Goldmont", 0x0005_06c9, 0x15, (12, 0), &[GOLDMONT]),
    intel("Haswell", 0x0003_06c3, 0xd, (3, 13), &[AVX, IVY, AVX2]),
    amd("Zen", 0x0080_0f12, (10, 11), &[AVX, IVY, AVX2, ZEN]),
    intel(
        "Ice Lake",
        0x0006_06a6,
        0x1b,
        (3, 19),
        &[AVX, IVY, AVX2, SKYLAKE, ICE_LAKE],
    ),
];

type Lists = &'static [&'static [&'static str]];

const fn intel(
    name: &'static str,
    signature: u32,
    highest: u32,
    kind: (u32, u32),
    adds: Lists,
) -> Sold {
    let is_intel = true;
    Sold {
        name,
        is_intel,
        signature,
        highest,
        kind,
        adds,
    }
}

const fn amd(name: &'static str, signature: u32, kind: (u32, u32), adds: Lists) -> Sold {
    let (is_intel, highest) = (false, 0xd);
    Sold {
        name,
        is_intel,
        signature,
        highest,
        kind,
        adds,
    }
}

impl Sold {
    /// Family and model, as Linux tells them.
    pub fn family(&self) -> (u32, u32) {
        let of = |at: u32, bits: u32| self.signature >> at & ((1 << bits) - 1);
        match of(8, 4) {
            15 => (15 + of(20, 8), of(4, 4) | of(16, 4) << 4),
            family => (family, of(4, 4) | of(16, 4) << 4),
        }
    }

    /// What it has, with what the system keeps for it.
    pub fn has(&self) -> Facts {
        let adds = self.adds.iter().flat_map(|list| list.iter());
        Facts::of(ALL.iter().chain(adds).copied()).closed()
    }
}

/// Those that have what a baseline has.
pub(crate) fn of_baseline(baseline: Facts) -> impl Iterator<Item = &'static Sold> {
    static ALL_SOLD: [Sold; 10] = SOLD;
    let has_all = move |sold: &&Sold| baseline.without(sold.has()).is_none();
    ALL_SOLD.iter().filter(has_all)
}

/// What the runs on all of them came to.
pub(crate) struct Runs {
    /// Routines that some came to and had all that they need.
    came: Vec<u32>,
    /// Those that some may have come to, and lack something.
    lacking: Vec<u32>,
    /// The environment was asked for: another may decide otherwise.
    asks_environment: bool,
    /// What each CPU has, and the routines that it came to.
    all: Vec<(Facts, Vec<u32>)>,
    /// All were followed to their ends.
    pub are_whole: bool,
}

impl Runs {
    pub fn new() -> Self {
        Self {
            came: Vec::new(),
            lacking: Vec::new(),
            asks_environment: false,
            all: Vec::new(),
            are_whole: true,
        }
    }

    pub fn add(&mut self, found: &Found, cpu: &Sold) {
        self.all
            .push((cpu.has(), found.routines.keys().copied().collect()));
        self.asks_environment |= found.asks_environment;
        self.are_whole &= found.is_complete;
        let had = |reached: &Reached| reached.death.is_none() && !reached.guards.is_empty();
        let alive = found.routines.iter().filter(|(_, reached)| had(reached));
        self.came.extend(alive.map(|(routine, _)| *routine));
        let dead = found
            .routines
            .iter()
            .filter(|(_, reached)| reached.death.is_some());
        self.lacking.extend(dead.map(|(routine, _)| *routine));
    }

    /// Routines that those come to that have what they need, and no others may; with what those
    /// have that do not come there, where no environment may change that.
    pub fn tried(&self) -> Vec<(u32, Vec<Facts>)> {
        let is_tried = |routine: &&u32| !self.lacking.contains(routine);
        let others = |routine: &u32| {
            let others = self.all.iter().filter(|(_, came)| !came.contains(routine));
            let others = others.filter(|_| !self.asks_environment);
            (*routine, others.map(|(has, _)| *has).collect())
        };
        self.came.iter().filter(is_tried).map(others).collect()
    }
}
