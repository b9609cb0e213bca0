//! The kernel libraries in a program that is built for the CPU at hand.

use super::step::Outcome;
use crate::command::{cargo, root, run};
use crate::workspace::published_kernels;
use anyhow::Result;

/// Runs the tests of the kernels as `-Ctarget-cpu=native` compiles them: the assembly is the
/// same there, and what Rust is around it is not.
///
/// In a folder of its own, so that the other steps need not build anew.
pub fn step() -> Result<Outcome> {
    let packages = published_kernels()?;
    // Tests start the examples.
    for what in [&["build", "--examples"][..], &["test", "--lib", "--tests"]] {
        let mut command = cargo(what);
        command.args(["--quiet", "--locked"]);
        command.args(packages.iter().map(|p| format!("--package={}", p.name)));
        command.env("RUSTFLAGS", "-Ctarget-cpu=native");
        command.env("CARGO_TARGET_DIR", root().join("target/native"));
        run(command)?;
    }
    Ok(Outcome::Passed)
}
