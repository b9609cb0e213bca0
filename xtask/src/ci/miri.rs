//! The kernels' plain code under Miri, which sees what the machine does not: pointers out
//! of their place, memory that nobody wrote, references that alias (by Stacked Borrows, the
//! stricter of Miri's two models).

use super::rustup;
use super::step::{Outcome, Skip};
use crate::command::run;
use crate::workspace::published_kernels;
use anyhow::Result;

/// What `--require` calls it.
pub const MIRI: &str = "miri";

const TOOLCHAIN: &str = "nightly";

/// Runs the unit tests. Miri runs Rust only, so every kernel takes its portable
/// implementation; and it is slow, so tests that do much are marked, and those that
/// compare with other crates are left out.
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
    let mut test = rustup::cargo(TOOLCHAIN, &["miri", "test", "--locked", "--lib"]);
    for package in published_kernels()? {
        test.args(["--package", &package.name]);
    }
    run(test)?;
    Ok(Outcome::Passed)
}
