//! What `karat audit` writes: one document for all files of a call.

use crate::audit::BinaryAudit;
use crate::facts::FileFacts;
use crate::finding::{Finding, Severity};
use crate::package::Package;
use crate::tried::Tried;
use serde::{Deserialize, Serialize};

pub use crate::package::SkippedPart;

/// Version of [`AuditDocument`]'s form.
pub const SCHEMA: u32 = 1;

/// One audited file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AuditedFile {
    /// The file, as it was named; of one in a package or a folder, that with the place in
    /// it (`numpy.whl/numpy/_core/x.so`).
    pub path: String,
    /// Other places of the packages that hold the same bytes.
    #[serde(default)]
    pub same: Vec<String>,
    /// Of a file with code for several machines, the machine (`AArch64`).
    #[serde(default)]
    pub slice: Option<String>,
    /// Bytes of the file.
    pub bytes: u64,
    /// Parts of the file that were not read: members of an archive, slices of a fat
    /// file (named with its first slice).
    #[serde(default)]
    pub skipped: Vec<SkippedPart>,
    /// Other files that debug information was read from.
    #[serde(default)]
    pub debug: Vec<String>,
    /// Debug information that the file asks for and that was not found; what to do.
    #[serde(default)]
    pub debug_missing: Option<String>,
    /// What was asked and could not be answered of this file, and why.
    #[serde(default)]
    pub notes: Vec<String>,
    /// How it was built and hardened, and what it exports; none where that is not read.
    #[serde(default)]
    pub facts: Option<FileFacts>,
    /// What was found.
    pub audit: BinaryAudit,
}

impl AuditedFile {
    /// What findings call it ([`Finding::variant`]): its path, with the machine where
    /// the file has code for several.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.slice {
            Some(slice) => format!("{} ({slice})", self.path),
            None => self.path.clone(),
        }
    }
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
    /// The packages and folders among what was named, in the order of the command line.
    #[serde(default)]
    pub packages: Vec<Package>,
    /// The files, in the order of the command line; with packages, those with the gravest
    /// findings first.
    pub files: Vec<AuditedFile>,
    /// Files that could not be audited.
    pub failed: Vec<UnauditedFile>,
    /// What the files are compared with, if anything; of a baseline with code for
    /// several machines the first slice that one of the files is compared with.
    pub baseline: Option<AuditedFile>,
    /// What came of running a command on an emulated CPU, if that was asked for.
    #[serde(default)]
    pub tried: Option<Tried>,
    /// Findings about all files; `variant` is the file's [label](AuditedFile::label).
    pub findings: Vec<Finding>,
}

impl AuditDocument {
    /// Findings about one file, the gravest first.
    #[must_use]
    pub fn findings_of(&self, file: &AuditedFile) -> Vec<&Finding> {
        let label = file.label();
        let mut found: Vec<&Finding> = self
            .findings
            .iter()
            .filter(|f| f.variant.as_deref() == Some(&label))
            .collect();
        found.sort_by_key(|f| std::cmp::Reverse(f.severity));
        found
    }

    /// Puts the files with the gravest findings first.
    pub fn worst_first(&mut self) {
        let mut files = std::mem::take(&mut self.files);
        files.sort_by_cached_key(|file| {
            let found = self.findings_of(file);
            let count = |severity| found.iter().filter(|f| f.severity == severity).count();
            let graves = [Severity::Error, Severity::Warning, Severity::Note];
            std::cmp::Reverse(graves.map(count))
        });
        self.files = files;
    }

    /// Whether a finding is an error.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }
}
