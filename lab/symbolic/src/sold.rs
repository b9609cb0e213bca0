//! CPUs that were sold. The run of [`plain`](crate::plain) is followed on each of them: one that
//! comes to what it lacks dies, whatever decides, the CPU's model too. Where those that have it
//! come to it, and those that lack it do not, the CPU decides, at least in that run.
//!
//! Families, models and what they have are those of the Intel SDM, volume 4, table 2-1, and
//! volume 2, CPUID, and of AMD's revision guides and software optimization guides by family;
//! numbers in `__cpu_model` those of GCC's `cpuinfo.h`.

use crate::a64::{self, sold::Arm};
use crate::facts::Facts;
use crate::found::{Found, Reached};

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
    /// What is AArch64's own, of a CPU of that.
    pub arm: Option<Arm>,
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
        arm: None,
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
        arm: None,
    }
}

impl Sold {
    /// One of AArch64's: nothing that x86-64's are asked for is ever asked of it.
    pub const fn of_arm(name: &'static str, arm: Arm) -> Self {
        Self {
            name,
            is_intel: false,
            signature: 0,
            highest: 0,
            kind: (0, 0),
            adds: &[],
            arm: Some(arm),
        }
    }

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
        if let Some(arm) = self.arm {
            return Facts::of_arm(arm.set()).closed();
        }
        let adds = self.adds.iter().flat_map(|list| list.iter());
        Facts::of(ALL.iter().chain(adds).copied()).closed()
    }
}

/// Those that have what a baseline has.
pub(crate) fn of_baseline(is_arm: bool, baseline: Facts) -> impl Iterator<Item = &'static Sold> {
    static ALL_SOLD: [Sold; 10] = SOLD;
    let has_all = move |sold: &&Sold| baseline.without(sold.has()).is_none();
    let all = if is_arm { a64::sold::all() } else { &ALL_SOLD };
    all.iter().filter(has_all)
}

/// What runs on many CPUs came to.
#[derive(Default)]
pub(crate) struct Runs {
    all: Vec<Ran>,
    /// The environment was asked for: another may decide otherwise.
    asks_environment: bool,
}

/// One of them.
struct Ran {
    has: Facts,
    came: Vec<u32>,
    /// Of these, those that the CPU had all for that they need, and asked for something.
    alive: Vec<u32>,
    /// Those in which it may have lacked something.
    lacking: Vec<u32>,
    /// It was followed to its end.
    is_whole: bool,
}

impl Runs {
    pub fn add(&mut self, found: &Found, cpu: &Sold) {
        self.asks_environment |= found.asks_environment;
        let of = |is_one: &dyn Fn(&Reached) -> bool| {
            let all = found.routines.iter().filter(|(_, reached)| is_one(reached));
            all.map(|(routine, _)| *routine).collect()
        };
        self.all.push(Ran {
            has: cpu.has(),
            came: of(&|_| true),
            alive: of(&|reached| reached.death.is_none() && !reached.guards.is_empty()),
            lacking: of(&|reached| reached.death.is_some()),
            is_whole: found.is_complete,
        });
    }

    /// Routines that those come to that have what they need, and no others may; with what those
    /// have that do not come there, where no environment may change that.
    pub fn tried(&self) -> Vec<(u32, Vec<Facts>)> {
        let mut all: Vec<u32> = self.all.iter().flat_map(|ran| ran.alive.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|routine| self.is_tried(*routine));
        let others = |routine: &u32| {
            let others = self.all.iter().filter(|ran| !ran.came.contains(routine));
            let others = others.filter(|ran| ran.is_whole && !self.asks_environment);
            (*routine, others.map(|ran| ran.has).collect())
        };
        all.iter().map(others).collect()
    }

    /// Whether no CPU may come to a routine that lacks what it needs. One that has all that another
    /// has, which came there and lived, lacks nothing: it does not matter where its run ends.
    fn is_tried(&self, routine: u32) -> bool {
        let mut all = self.all.iter();
        all.all(|ran| {
            let mut lived = self.all.iter().filter(|ran| ran.alive.contains(&routine));
            !ran.lacking.contains(&routine)
                && (ran.is_whole || lived.any(|other| other.has.without(ran.has).is_none()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(has: &[&str], came: &[u32], is_whole: bool) -> Ran {
        Ran {
            has: Facts::of(has.iter().copied()),
            came: came.to_vec(),
            alive: came.to_vec(),
            lacking: Vec::new(),
            is_whole,
        }
    }

    fn tried(all: Vec<Ran>) -> Vec<u32> {
        let runs = Runs {
            all,
            asks_environment: false,
        };
        runs.tried()
            .into_iter()
            .map(|(routine, _)| routine)
            .collect()
    }

    #[test]
    fn a_run_need_not_end_on_a_cpu_that_lacks_nothing() {
        let (old, new): (&[&str], &[&str]) = (&["avx"], &["avx", "avx2"]);
        let newer: &[&str] = &["avx", "avx2", "avx512f"];
        let whole = || vec![ran(old, &[], true), ran(new, &[7], true)];
        assert_eq!(tried(whole()), [7]);
        let with = |last: Ran| {
            let mut all = whole();
            all.push(last);
            tried(all)
        };
        assert_eq!(with(ran(newer, &[], false)), [7]);
        assert_eq!(with(ran(newer, &[7, 8], false)), [7, 8]);
        // One that may lack it may come there yet.
        assert_eq!(tried(vec![ran(old, &[], false), ran(new, &[7], true)]), []);
        let mut dying = ran(old, &[7], true);
        dying.lacking = std::mem::take(&mut dying.alive);
        assert_eq!(tried(vec![dying, ran(new, &[7], true)]), []);
    }
}
