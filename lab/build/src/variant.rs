//! One variant: its binary, built or taken from the cache.

use crate::{BuildError, Built, Context, cargo, command};
use karat_model::evidence::BuildEvidence;
use karat_model::study::{Builder, Variant};
use karat_process::executable::unfit;
use std::path::Path;

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
