//! The kernel libraries built for machines without an operating system.

use super::rustup;
use super::step::{Outcome, Skip};
use crate::command::{cargo, run};
use crate::workspace::{Package, published_kernels};
use anyhow::Result;

/// What `--require` calls it.
pub const BARE: &str = "bare-targets";

/// Targets that have no `std`: one for each of the three ways through the kernels.
const TARGETS: [&str; 3] = [
    // x86-64 without vector registers: all assembly stays away.
    "x86_64-unknown-none",
    // AArch64 without Linux, which is asked for the ISAs.
    "aarch64-unknown-none",
    // Plain Rust only, on 32 bits.
    "thumbv7em-none-eabihf",
];

/// Builds each library of crates.io's category `no-std` without its default features,
/// for each target, by itself: together, one would turn on another's features. They are
/// not only checked: assembly is read when code is made.
pub fn step() -> Result<Outcome> {
    if !TARGETS.into_iter().all(rustup::has_target) {
        return Ok(Outcome::Skipped(Skip {
            missing: BARE,
            remedy: format!("`rustup target add {}`", TARGETS.join(" ")),
        }));
    }
    let mut packages = published_kernels()?;
    packages.retain(Package::no_std);
    for target in TARGETS {
        for package in &packages {
            let mut build = cargo(&["build", "--quiet", "--locked", "--no-default-features"]);
            build.args(["--package", &package.name, "--target", target]);
            // What only vector code uses lies idle there.
            build.env("RUSTFLAGS", "-Adead_code");
            run(build)?;
        }
    }
    let names: Vec<&str> = packages.iter().map(|p| p.name.as_str()).collect();
    Ok(Outcome::Noted(names.join(", ")))
}
