//! The kernel libraries with the oldest compiler that they promise to take.

use super::rustup;
use super::step::{Outcome, Skip};
use crate::command::run;
use crate::workspace::published_kernels;
use anyhow::{Context as _, Result};

/// What `--require` calls it.
pub const OLDEST: &str = "oldest-rust";

/// Checks each library by the compiler that its manifest names, with no features and
/// with all of them. Tests and their oracles may need a newer one.
pub fn step() -> Result<Outcome> {
    let packages = published_kernels()?;
    let mut versions = Vec::new();
    for package in &packages {
        let version = package.rust_version.as_deref();
        let version = version.with_context(|| format!("{} names no rust-version", package.name))?;
        if !versions.contains(&version) {
            versions.push(version);
        }
    }
    for version in &versions {
        if !rustup::has_toolchain(version, &[]) {
            return Ok(Outcome::Skipped(Skip {
                missing: OLDEST,
                remedy: format!("`rustup toolchain install {version} --profile minimal`"),
            }));
        }
    }
    for package in &packages {
        let version = package.rust_version.as_deref().unwrap_or_default();
        for features in ["--no-default-features", "--all-features"] {
            let check = ["check", "--locked", "--package", &package.name, features];
            run(rustup::cargo(version, &check))?;
        }
    }
    Ok(Outcome::Noted(format!("by {}", versions.join(", "))))
}
