//! The kernels' plain code under Miri, which sees what the machine does not: pointers out
//! of their place, memory that nobody wrote, references that alias.

use super::rustup;
use super::step::{Outcome, Skip};
use crate::command::run;
use anyhow::Result;

/// What `--require` calls it.
pub const MIRI: &str = "miri";

const TOOLCHAIN: &str = "nightly";

/// Runs a selection of the tests. Miri runs Rust only, so every kernel takes its portable
/// implementation; and it is slow, so tests that hash much are left out.
pub fn step() -> Result<Outcome> {
    if !rustup::has_toolchain(TOOLCHAIN, &["miri", "rust-src"]) {
        return Ok(Outcome::Skipped(Skip {
            missing: MIRI,
            remedy: format!(
                "`rustup toolchain install {TOOLCHAIN} --profile minimal --component miri \
                 --component rust-src`"
            ),
        }));
    }
    let test = [
        "miri",
        "test",
        "--locked",
        "--package=karat-cpu",
        "--package=karat-hash",
        "--lib",
    ];
    run(rustup::cargo(TOOLCHAIN, &test))?;
    Ok(Outcome::Passed)
}
