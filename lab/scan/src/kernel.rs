//! Functions that are compiled for CPU features of their own.

use std::path::PathBuf;

/// A function that is compiled for CPU features of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Name of the package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// Its folder.
    pub root: PathBuf,
    /// The file.
    pub file: PathBuf,
    /// Path of the module.
    pub module: String,
    /// What `#[target_feature]` enables.
    pub features: Vec<String>,
    /// First byte of that attribute.
    pub start: usize,
    /// Whether other modules may call it and no `#[inline]` is on it.
    pub open: bool,
}
