//! What builds are given, and what comes of one.

use crate::files::NotSources;
use karat_model::evidence::BuildEvidence;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Where finished builds lie in the cache.
pub const BUILDS: &str = "builds";

/// Where builds happen.
pub struct Context<'a> {
    /// Folder of the study file; its paths are relative to this.
    pub study_dir: &'a Path,
    /// Folder of the build cache.
    pub cache: &'a Path,
    /// The program that serves as rustc wrapper (see [`crate::wrapper`]) and stands in
    /// for linkers (see [`crate::layout`]).
    pub wrapper: &'a Path,
    /// What below a subject's folder is none of its sources.
    pub not_sources: &'a NotSources,
    /// Becomes true when the user wants to stop.
    pub interrupt: &'a AtomicBool,
}

/// A variant's binary.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its evidence.
    pub evidence: BuildEvidence,
    /// The binary, in the cache.
    pub binary: PathBuf,
    /// The compiler's output.
    pub log: String,
}
