//! What the static audit found in one binary.

use crate::bloat::Bloat;
use crate::catalogue::KnownKernel;
use crate::leaks::LeakReport;
use serde::{Deserialize, Serialize};

pub use crate::census::{Census, CrateCensus, FunctionCensus, SectionCensus};
pub use crate::survival::{InlineHost, Survival, SurvivalState};

/// Code of one section that the totals leave out, or say less about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ApartRegion {
    /// Name of the section.
    pub section: String,
    /// Bytes of that code.
    pub bytes: u64,
    /// Positions of them that do not decode; 0 for code that was not decoded.
    pub undecodable: u64,
    /// What sets it apart: a dead copy or data, which are in no total, or code with
    /// bytes that do not decode, whose extensions are in none (its other counts are).
    pub why: String,
}

/// The audit of one binary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BinaryAudit {
    /// Object format and machine, such as `ELF x86-64`, `Mach-O AArch64 object` or
    /// `archive of 12 ELF x86-64 members`.
    pub format: String,
    /// Bytes of executable sections, dead copies and data (see
    /// [`BinaryAudit::apart`]) left out.
    pub code_bytes: u64,
    /// Whether DWARF line and inline information was there to attribute by.
    pub has_line_tables: bool,
    /// The whole binary.
    pub total: Census,
    /// Functions, those with most 256-bit and 512-bit instructions first, then those
    /// with most vector instructions; a prefix of the whole list (see [`BinaryAudit::functions_total`]).
    pub functions: Vec<FunctionCensus>,
    /// How many functions the binary has.
    pub functions_total: u64,
    /// Crates, those with most instructions first; all of them.
    pub crates: Vec<CrateCensus>,
    /// Sections with code, by address (in archives by first member).
    #[serde(default)]
    pub sections: Vec<SectionCensus>,
    /// What is counted in no total or has its extensions withheld, by address of
    /// the section; empty when all code was read and believed.
    #[serde(default)]
    pub apart: Vec<ApartRegion>,
    /// Expected functions, in the study's order.
    pub survival: Vec<Survival>,
    /// Growth against the baseline; none in the baseline itself.
    #[serde(default)]
    pub bloat: Option<Bloat>,
    /// Kernels of well-known libraries that were recognised, those with most
    /// instructions first.
    #[serde(default)]
    pub known: Vec<KnownKernel>,
    /// Code above a declared baseline; none when no baseline was declared.
    #[serde(default)]
    pub leaks: Option<LeakReport>,
    /// Seconds the audit took.
    pub seconds: f64,
}

/// Machines, as [`BinaryAudit::format`] names them.
const MACHINES: [&str; 2] = ["x86-64", "AArch64"];

impl BinaryAudit {
    /// Whether any of the code is for `machine`, such as `AArch64`: an archive may
    /// have members for several.
    #[must_use]
    pub fn is_for(&self, machine: &str) -> bool {
        self.format.contains(machine)
    }

    /// The machine that the code is for; of an archive for several the first.
    #[must_use]
    pub fn machine(&self) -> Option<&'static str> {
        MACHINES.into_iter().find(|machine| self.is_for(machine))
    }

    /// Whether both have code for one machine: else there is nothing to compare.
    #[must_use]
    pub fn same_machine(&self, other: &Self) -> bool {
        let both = |machine: &str| self.is_for(machine) && other.is_for(machine);
        MACHINES.into_iter().any(both)
    }
}
