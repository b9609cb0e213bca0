//! What `karat audit` writes: one document for all files of a call.

use crate::audit::BinaryAudit;
use crate::finding::{Finding, Severity};
use serde::{Deserialize, Serialize};

/// Version of [`AuditDocument`]'s form.
pub const SCHEMA: u32 = 1;

/// One audited file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AuditedFile {
    /// The file, as it was named.
    pub path: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// What was found.
    pub audit: BinaryAudit,
}

/// A file that could not be audited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UnauditedFile {
    /// The file, as it was named.
    pub path: String,
    /// Why not, and what to do.
    pub why: String,
}

/// All that one call of `karat audit` found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AuditDocument {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Version of karat.
    pub karat: String,
    /// The files, in the order of the command line.
    pub files: Vec<AuditedFile>,
    /// Files that could not be audited.
    pub failed: Vec<UnauditedFile>,
    /// What the files are compared with, if anything.
    pub baseline: Option<AuditedFile>,
    /// Findings about all files; `variant` is the file's path.
    pub findings: Vec<Finding>,
}

impl AuditDocument {
    /// Findings about one file, the gravest first.
    #[must_use]
    pub fn findings_of(&self, path: &str) -> Vec<&Finding> {
        let mut found: Vec<&Finding> = self
            .findings
            .iter()
            .filter(|f| f.variant.as_deref() == Some(path))
            .collect();
        found.sort_by_key(|f| std::cmp::Reverse(f.severity));
        found
    }

    /// Whether a finding is an error.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }
}
