//! One fact worth a reader's attention, with its severity and its place.

use serde::{Deserialize, Serialize};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Good to know; changes no verdict.
    Note,
    /// Likely to mislead or to cost something; changes no verdict.
    Warning,
    /// Blocks a GO.
    Error,
}

/// Where a finding is, so that an editor or a code host can show it there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// A source file or a binary, as a path with `/`.
    pub file: String,
    /// Line, from 1; none for a place in a binary without line tables.
    #[serde(default)]
    pub line: Option<u32>,
    /// Column, from 1.
    #[serde(default)]
    pub column: Option<u32>,
    /// Address as linked, for a place in a binary.
    #[serde(default)]
    pub address: Option<u64>,
}

/// One fact from audit, parity or measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The check that found it, such as `KA001`.
    pub code: String,
    /// How much it weighs.
    pub severity: Severity,
    /// The variant it is about, if it is about one.
    pub variant: Option<String>,
    /// Function, workload or file it is about.
    pub place: Option<String>,
    /// Where that is, if there is one place to show.
    #[serde(default)]
    pub location: Option<Location>,
    /// One sentence: what was found and what follows.
    pub message: String,
}
