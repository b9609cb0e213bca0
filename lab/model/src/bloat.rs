//! How much code a binary has more than the baseline, and who brought it.
//!
//! Growth is of instructions that *exist*. It says nothing of what runs, and is no
//! evidence of a slowdown by itself.

use crate::census::Census;
use serde::{Deserialize, Serialize};

/// Growth beyond which a finding says so. Both a share and a number must be
/// exceeded: ten times nothing is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Growth of 256-bit or of 512-bit instructions, as a share of the baseline's:
    /// 1 is twice as many.
    pub wide_growth: f64,
    /// The same in instructions.
    pub wide_least: u64,
    /// Growth of the code in bytes, as a share of the baseline's.
    pub size_growth: f64,
    /// The same in bytes.
    pub size_least: u64,
}

impl Default for Thresholds {
    /// Twice as many wide instructions and 500 of them; a tenth more code and
    /// 16 KiB of it. The first is what set apart every widely vectorised build of
    /// the investigation that this check comes from (the narrowest had 11 times the
    /// ymm instructions) from rebuilds by another compiler; a hand-written kernel of
    /// one width is 300 to 2,000 instructions.
    fn default() -> Self {
        Self {
            wide_growth: 1.0,
            wide_least: 500,
            size_growth: 0.1,
            size_least: 16 << 10,
        }
    }
}

impl Thresholds {
    /// Whether a count of wide instructions grew beyond these.
    #[must_use]
    pub fn wide(&self, before: u64, after: u64) -> bool {
        beyond(before, after, self.wide_growth, self.wide_least)
    }

    /// Whether a number of bytes grew beyond these.
    #[must_use]
    pub fn size(&self, before: u64, after: u64) -> bool {
        beyond(before, after, self.size_growth, self.size_least)
    }
}

fn beyond(before: u64, after: u64, growth: f64, least: u64) -> bool {
    let more = after.saturating_sub(before);
    more >= least.max(1) && more as f64 > before as f64 * growth
}

/// Counts of one crate or function, as far as growth is told of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Amount {
    /// All instructions.
    pub instructions: u64,
    /// Bytes of those.
    pub bytes: u64,
    /// Instructions whose widest register has 128 bits.
    pub xmm: u64,
    /// Instructions whose widest register has 256 bits.
    pub ymm: u64,
    /// Instructions whose widest register has 512 bits.
    pub zmm: u64,
    /// Bytes of the 128-bit instructions.
    #[serde(default)]
    pub xmm_bytes: u64,
    /// Bytes of the 256-bit instructions.
    #[serde(default)]
    pub ymm_bytes: u64,
    /// Bytes of the 512-bit instructions.
    #[serde(default)]
    pub zmm_bytes: u64,
    /// AArch64: as [`Census::simd`].
    #[serde(default)]
    pub simd: u64,
    /// AArch64: as [`Census::sve`].
    #[serde(default)]
    pub sve: u64,
}

impl Amount {
    /// 256-bit and 512-bit instructions.
    #[must_use]
    pub const fn wide(&self) -> u64 {
        self.ymm + self.zmm
    }

    /// Adds the counts of a census.
    pub fn add(&mut self, census: &Census) {
        self.instructions += census.instructions;
        self.bytes += census.bytes;
        self.xmm += census.xmm;
        self.ymm += census.ymm;
        self.zmm += census.zmm;
        self.xmm_bytes += census.xmm_bytes;
        self.ymm_bytes += census.ymm_bytes;
        self.zmm_bytes += census.zmm_bytes;
        self.simd += census.simd;
        self.sve += census.sve;
    }
}

impl From<&Census> for Amount {
    fn from(census: &Census) -> Self {
        let mut amount = Self::default();
        amount.add(census);
        amount
    }
}

/// One crate or function in both binaries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// Its name. Parts and clones that compilers split off (`.cold`, `.part.0`,
    /// `.llvm.123` …) and instances of one name are taken together.
    pub name: String,
    /// In the baseline; zeros where it is not there.
    pub before: Amount,
    /// In the binary; zeros where it is not there.
    pub after: Amount,
}

impl Growth {
    /// How many wide instructions came, or went.
    #[must_use]
    pub fn wide_change(&self) -> i64 {
        self.after.wide() as i64 - self.before.wide() as i64
    }

    /// How many bytes came, or went.
    #[must_use]
    pub fn bytes_change(&self) -> i64 {
        self.after.bytes as i64 - self.before.bytes as i64
    }
}

/// A binary held against its baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bloat {
    /// What counts as a red flag.
    pub thresholds: Thresholds,
    /// The whole binaries.
    pub total: Growth,
    /// Crates whose counts differ: largest change of wide instructions first, then
    /// of bytes. All of them.
    pub crates: Vec<Growth>,
    /// Functions whose counts differ, in the same order: a prefix of the whole list.
    pub functions: Vec<Growth>,
    /// How many functions differ in their counts, those only one side has included.
    pub functions_differ: u64,
    /// Functions by name that the baseline lacks.
    pub functions_new: u64,
    /// Functions by name that only the baseline has.
    pub functions_gone: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_a_share_and_a_number_must_be_exceeded() {
        let limits = Thresholds::default();
        assert!(limits.wide(0, 500));
        assert!(!limits.wide(0, 499));
        assert!(!limits.wide(1_000, 2_000), "exactly twice");
        assert!(limits.wide(1_000, 2_001));
        assert!(!limits.wide(2_000, 1_000));
        assert!(!limits.size(1 << 20, (1 << 20) + (16 << 10)));
        assert!(limits.size(1 << 20, 1_200_000));
        let none = Thresholds {
            wide_least: 0,
            ..limits
        };
        assert!(!none.wide(0, 0), "no growth is no growth");
    }
}
