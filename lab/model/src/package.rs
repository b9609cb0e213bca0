//! Packages and folders whose binaries were audited, and what of them was not read.

use serde::{Deserialize, Serialize};

/// A package or a folder, as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// The package, as it was named.
    pub path: String,
    /// What it is, in words: `wheel`, `Debian package`, `folder`.
    pub kind: String,
    /// Files, folders and links in it, those of archives in it too; of a folder its
    /// files.
    pub members: u64,
    /// Binaries found in it, those that could not be read too; each copy counts.
    pub binaries: u64,
    /// Binaries and archives in it that were not read.
    #[serde(default)]
    pub skipped: Vec<SkippedPart>,
    /// What its ELF binaries are linked with, in the order of their paths. A binary
    /// that needs no library is not there.
    #[serde(default)]
    pub linked: Vec<Linked>,
}

/// What one binary of a package is linked with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Linked {
    /// The binary, by its path in the document.
    pub file: String,
    /// The libraries that it names (`DT_NEEDED`), in its order.
    pub needs: Vec<Needed>,
}

/// A library that a binary names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Needed {
    /// As it names it.
    pub name: String,
    /// Which file of the package that is, by its path in the document; none for one
    /// that comes from elsewhere.
    #[serde(default)]
    pub sibling: Option<String>,
    /// How that is known.
    #[serde(default)]
    pub by: Option<FoundBy>,
    /// Symbols that the binary imports and this sibling is the first to define.
    #[serde(default)]
    pub symbols: u64,
}

/// How a library was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FoundBy {
    /// By `DT_RPATH`.
    Rpath,
    /// By `DT_RUNPATH`.
    Runpath,
    /// In a folder where the loader looks by itself (`/lib`, `/usr/lib` …).
    SystemFolder,
    /// Only by its name: the package has one library that is called so, which the
    /// loader takes if it is told where, or has loaded it before.
    Name,
}

/// A part of a file that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SkippedPart {
    /// The member's name or the slice's machine.
    pub name: String,
    /// Why it was not read.
    pub why: String,
}
