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
    /// One sentence: what was found and what follows.
    pub message: String,
}
