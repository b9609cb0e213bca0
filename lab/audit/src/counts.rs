//! Counters, and the census made of them.

use karat_binary::read::format::Arch;
use karat_model::audit::Census;
use std::collections::{BTreeMap, HashMap};

/// Plain counters, in the order of [`Census`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub instructions: u64,
    pub bytes: u64,
    /// x86-64: none, xmm, ymm, zmm. AArch64: base, Advanced SIMD and
    /// floating-point, SVE and SME, unused.
    pub class: [u64; 4],
    /// Bytes of those.
    pub class_bytes: [u64; 4],
    pub mask: u64,
    pub undecodable: u64,
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.instructions += other.instructions;
        self.bytes += other.bytes;
        for (mine, theirs) in self.class.iter_mut().zip(other.class) {
            *mine += theirs;
        }
        for (mine, theirs) in self.class_bytes.iter_mut().zip(other.class_bytes) {
            *mine += theirs;
        }
        self.mask += other.mask;
        self.undecodable += other.undecodable;
    }

    /// Whether there was at least a byte.
    pub fn is_there(&self) -> bool {
        self.instructions + self.undecodable > 0
    }
}

/// [`Counts`] of one function: there are a hundred thousand, so they are short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FunctionCounts {
    pub instructions: u32,
    bytes: u32,
    /// Of the three classes that are of vectors.
    class: [u32; 3],
    class_bytes: [u32; 3],
    mask: u32,
    undecodable: u32,
}

impl From<&Counts> for FunctionCounts {
    fn from(counts: &Counts) -> Self {
        // No function has four gigabytes.
        let short = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let [_, class @ ..] = counts.class.map(short);
        let [_, class_bytes @ ..] = counts.class_bytes.map(short);
        Self {
            instructions: short(counts.instructions),
            bytes: short(counts.bytes),
            class,
            class_bytes,
            mask: short(counts.mask),
            undecodable: short(counts.undecodable),
        }
    }
}

impl From<&FunctionCounts> for Counts {
    fn from(counts: &FunctionCounts) -> Self {
        let [one, two, three] = counts.class.map(u64::from);
        let [one_bytes, two_bytes, three_bytes] = counts.class_bytes.map(u64::from);
        Self {
            instructions: counts.instructions.into(),
            bytes: counts.bytes.into(),
            class: [0, one, two, three],
            class_bytes: [0, one_bytes, two_bytes, three_bytes],
            mask: counts.mask.into(),
            undecodable: counts.undecodable.into(),
        }
    }
}

impl FunctionCounts {
    pub fn add(&mut self, other: Self) {
        let add = |mine: &mut u32, theirs: u32| *mine = mine.saturating_add(theirs);
        add(&mut self.instructions, other.instructions);
        add(&mut self.bytes, other.bytes);
        for (mine, theirs) in self.class.iter_mut().zip(other.class) {
            add(mine, theirs);
        }
        for (mine, theirs) in self.class_bytes.iter_mut().zip(other.class_bytes) {
            add(mine, theirs);
        }
        add(&mut self.mask, other.mask);
        add(&mut self.undecodable, other.undecodable);
    }

    /// Instructions that name a 256-bit or a 512-bit register; of AArch64 those of
    /// SVE.
    pub fn wide(&self) -> u64 {
        u64::from(self.class[1]) + u64::from(self.class[2])
    }

    /// x86-64: instructions by the widest register they name: none, xmm, ymm, zmm.
    pub fn widths(&self) -> [u32; 4] {
        let [xmm, ymm, zmm] = self.class;
        let vector = u32::try_from(self.vector()).unwrap_or(u32::MAX);
        [self.instructions.saturating_sub(vector), xmm, ymm, zmm]
    }

    /// Instructions that name a vector register.
    pub fn vector(&self) -> u64 {
        self.class.iter().map(|count| u64::from(*count)).sum()
    }

    /// Whether there was at least a byte.
    pub fn is_there(&self) -> bool {
        self.instructions > 0 || self.undecodable > 0
    }
}

/// Counts with the extension sets beside them.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    pub counts: Counts,
    /// By extension set; shorter than the table when the tail is zero.
    pub sets: Vec<u64>,
}

impl Tally {
    pub fn of(counts: Counts) -> Self {
        Self {
            counts,
            sets: Vec::new(),
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.counts.add(&other.counts);
        for (set, &count) in other.sets.iter().enumerate() {
            self.add_set(set as u8, count);
        }
    }

    pub fn add_set(&mut self, set: u8, count: u64) {
        let at = usize::from(set);
        if self.sets.len() <= at {
            self.sets.resize(at + 1, 0);
        }
        self.sets[at] += count;
    }

    /// The census of a document; `sets` are the names of extensions by number of the set.
    pub fn census(&self, arch: Arch, sets: &[Vec<String>]) -> Census {
        let mut extensions = BTreeMap::new();
        for (names, &count) in sets.iter().zip(&self.sets) {
            if count > 0 {
                for name in names {
                    *extensions.entry(name.clone()).or_default() += count;
                }
            }
        }
        let counts = &self.counts;
        let [_, one, two, three] = counts.class;
        let (x86, arm) = match arch {
            Arch::X86_64 => ([one, two, three], [0; 2]),
            Arch::Aarch64 => ([0; 3], [one, two]),
        };
        let bytes = match arch {
            Arch::X86_64 => counts.class_bytes,
            // Four for each instruction.
            Arch::Aarch64 => [0; 4],
        };
        Census {
            instructions: counts.instructions,
            bytes: counts.bytes,
            xmm: x86[0],
            ymm: x86[1],
            zmm: x86[2],
            xmm_bytes: bytes[1],
            ymm_bytes: bytes[2],
            zmm_bytes: bytes[3],
            mask: counts.mask,
            simd: arm[0],
            sve: arm[1],
            undecodable: counts.undecodable,
            extensions,
        }
    }
}

/// What was counted of one expected function.
#[derive(Clone, Default)]
pub(crate) struct TargetCount {
    pub tally: Tally,
    /// By number of the mnemonic; empty when nothing was found.
    pub mix: Vec<u32>,
    /// Function index to instructions inlined there.
    pub hosts: HashMap<u32, u64>,
}

/// Adds one census to another.
pub(crate) fn add_census(to: &mut Census, from: &Census) {
    to.instructions += from.instructions;
    to.bytes += from.bytes;
    to.xmm += from.xmm;
    to.ymm += from.ymm;
    to.zmm += from.zmm;
    to.xmm_bytes += from.xmm_bytes;
    to.ymm_bytes += from.ymm_bytes;
    to.zmm_bytes += from.zmm_bytes;
    to.mask += from.mask;
    to.simd += from.simd;
    to.sve += from.sve;
    to.undecodable += from.undecodable;
    for (name, count) in &from.extensions {
        *to.extensions.entry(name.clone()).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_counted_like_all_others() {
        let counts = Counts {
            instructions: 100,
            bytes: 450,
            class: [0, 20, 3, 4],
            class_bytes: [0, 90, 15, 26],
            mask: 2,
            undecodable: 1,
        };
        let short = FunctionCounts::from(&counts);
        assert_eq!(Counts::from(&short), counts);
        assert_eq!((short.wide(), short.vector()), (7, 27));
        assert_eq!(short.widths(), [73, 20, 3, 4]);
        let mut twice = short;
        twice.add(short);
        let mut expected = counts;
        expected.add(&counts);
        assert_eq!(Counts::from(&twice), expected);
        assert!(twice.is_there() && !FunctionCounts::default().is_there());
        let most = Counts {
            instructions: u64::MAX,
            ..counts
        };
        twice.add((&most).into());
        assert_eq!(twice.instructions, u32::MAX);
    }
}
