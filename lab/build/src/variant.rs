//! One variant: its binary, built or taken from the cache.

use crate::files::NotSources;
use crate::{BuildError, cargo, command};
use karat_model::evidence::BuildEvidence;
use karat_model::study::{Builder, Variant};
use karat_process::executable::unfit;
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

/// Builds one variant, or takes it from the cache.
///
/// # Errors
/// See [`BuildError`]; every message names the variant.
pub fn build(variant: &Variant, context: &Context<'_>) -> Result<Built, BuildError> {
    match &variant.builder {
        Builder::Cargo(cargo) => cargo::build(&variant.name.value, cargo, context),
        Builder::Command(command) => command::build(&variant.name.value, command, context),
        Builder::Binary(path) => {
            existing(&variant.name.value, &context.study_dir.join(&path.value))
        }
    }
}

fn existing(variant: &str, path: &Path) -> Result<Built, BuildError> {
    let io = |source| BuildError::Io {
        variant: variant.to_owned(),
        path: path.to_owned(),
        source,
    };
    if let Some(what) = unfit(path) {
        return Err(BuildError::Program {
            variant: variant.to_owned(),
            path: path.to_owned(),
            what,
        });
    }
    let sha256 = crate::files::hash_file(path).map_err(io)?;
    Ok(Built {
        evidence: BuildEvidence {
            key: sha256[..16].to_owned(),
            cached: true,
            seconds: 0.0,
            bytes: std::fs::metadata(path).map_err(io)?.len(),
            sha256,
            warnings: 0,
        },
        binary: std::path::absolute(path).map_err(io)?,
        log: String::new(),
    })
}
