//! The kernels' tests on AArch64, under qemu's user emulation; and those of the tracer that
//! need no ptrace, which qemu does not emulate.

use super::apt;
use super::rustup;
use super::step::{Outcome, Skip};
use crate::command::{cargo, run, starts};
use crate::emulator::emulator;
use crate::workspace::published_kernels;
use anyhow::Result;
use std::process::Command;

/// What `--require` calls it.
pub const AARCH64: &str = "aarch64";

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const ALLOCATOR: &str = "karat-alloc";

/// Builds and runs the tests of the kernel crates for AArch64.
pub fn step() -> Result<Outcome> {
    if apt::in_ci() && (emulator().is_none() || !starts(LINKER)) {
        apt::install(&[
            "gcc-aarch64-linux-gnu",
            "libc6-dev-arm64-cross",
            "qemu-user-static",
        ]);
    }
    let tools = (emulator(), starts(LINKER), rustup::has_target(TARGET));
    let (Some(emulator), true, true) = tools else {
        return Ok(Outcome::Skipped(Skip {
            missing: AARCH64,
            remedy: format!(
                "`rustup target add {TARGET}`, and on Debian `apt-get install \
                 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static`"
            ),
        }));
    };
    let mut kernels = tests(emulator);
    kernels.arg("--test=it");
    for package in published_kernels()? {
        if package.name != ALLOCATOR {
            kernels.args(["--package", &package.name]);
        }
    }
    run(kernels)?;
    // The tests of refused calls fork most, and a child of a small process is born faster.
    for part in [["refused"].as_slice(), &["--skip", "refused"]] {
        let mut allocator = tests(emulator);
        allocator.args([
            "--test=it",
            "--package",
            ALLOCATOR,
            "--",
            "--test-threads=1",
        ]);
        allocator.args(part);
        // qemu 7.2 holds a lock of its own while it makes a thread, and one of glib's slices
        // while it translates; a child that is born meanwhile waits for it for ever. So one
        // test runs at a time, and memory is the C library's, which minds forks.
        allocator.env("G_SLICE", "always-malloc");
        run(allocator)?;
    }
    let mut tracer = tests(emulator);
    tracer.args(["--package", "karat-trace"]);
    run(tracer)?;
    Ok(Outcome::Noted(format!("under {emulator}")))
}

/// The command that builds unit tests and runs them emulated; whose, and what more, is for
/// the caller to say.
fn tests(emulator: &str) -> Command {
    // Optimised: emulation makes every instruction cost about ten.
    let mut test = cargo(&["test", "--release", "--locked", "--target", TARGET, "--lib"]);
    test.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    test.env(
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
        // A program that waits for ever is a failure, not the end of all time there is.
        format!("timeout 600 {emulator} -L /usr/aarch64-linux-gnu"),
    );
    test
}
