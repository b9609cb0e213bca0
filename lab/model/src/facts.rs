//! How a binary was built and hardened, and what it exports: what its headers and its
//! debug information say, as facts and not as measurements.

use serde::{Deserialize, Serialize};

/// What a file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FileFacts {
    /// The compilers and linkers that left their names, those of most units first.
    pub tools: Vec<Tool>,
    /// What the file declares that it needs: an ISA, a version of the C library or of the
    /// system.
    pub declares: Vec<Declared>,
    /// What guards it against being taken over.
    pub hardening: Vec<Hardening>,
    /// Symbols that it exports; none for a kind of file where that is not read.
    #[serde(default)]
    pub exports: Option<u64>,
    /// What became of the baseline's exported symbols.
    #[serde(default)]
    pub exports_changed: Option<ExportsChanged>,
}

/// A compiler or a linker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name and version, in its own words.
    pub name: String,
    /// Where it says so: `.comment`, `DWARF`, `Go build info`, `PE header`.
    pub from: String,
    /// Compile units that it made; 0 where that is not told.
    #[serde(default)]
    pub units: u64,
    /// Its flags, as far as they choose instructions or optimisation; those of several
    /// units together.
    #[serde(default)]
    pub flags: Vec<String>,
}

/// Something a file declares that it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Declared {
    /// What: `glibc`, `GOAMD64`, `x86 ISA needed`.
    pub what: String,
    /// Which: `2.28`, `v3`, `x86-64-v2`.
    pub value: String,
}

/// One guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hardening {
    /// Its usual name: `RELRO`, `PIE`, `NX`, `stack canary`, `FORTIFY`, `CET`.
    pub name: String,
    /// Whether it is there, in a word or two.
    pub state: String,
    /// How good that is.
    pub grade: Grade,
}

/// How good the state of a guard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// There.
    Good,
    /// Not there, or only in part.
    Weak,
    /// A state that no present-day toolchain makes unless asked to, such as a stack that
    /// may be executed.
    Bad,
    /// Says nothing: the file has no code that would need it, or no sign can be read.
    Unknown,
}

/// The exported symbols beside the baseline's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExportsChanged {
    /// Symbols that only the baseline exports.
    pub gone: u64,
    /// The first of them, by name; readable.
    pub gone_names: Vec<String>,
    /// Symbols that only this file exports.
    pub new: u64,
    /// The first of them, by name; readable.
    pub new_names: Vec<String>,
}
