//! The hashes on 32-bit x86, whose bodies are not those of x86-64.

use super::rustup;
use super::step::{Outcome, Skip};
use crate::command::{cargo, run};
use anyhow::Result;

/// What `--require` calls it.
pub const X86_32: &str = "x86-32";

/// Brings its own C library, so nothing but the compiler is needed; x86-64 runs it.
const TARGET: &str = "i686-unknown-linux-musl";

/// Runs the unit tests of what differs there, and compares all implementations that the CPU
/// has.
pub fn step() -> Result<Outcome> {
    if !cfg!(target_arch = "x86_64") || !rustup::has_target(TARGET) {
        return Ok(Outcome::Skipped(Skip {
            missing: X86_32,
            remedy: format!("on x86-64: `rustup target add {TARGET}`"),
        }));
    }
    for what in [
        &["--package=karat-cpu", "--package=karat-sha2", "--lib"][..],
        &["--package=karat-hash", "--features=kit", "--test=check"],
    ] {
        // Optimised, because the checks of plain Rust take minutes otherwise.
        let mut test = cargo(&["test", "--release", "--locked", "--target", TARGET]);
        test.args(what);
        run(test)?;
    }
    Ok(Outcome::Passed)
}
