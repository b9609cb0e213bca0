//! The kernels' tests on AArch64, under qemu's user emulation.

use super::apt;
use super::rustup;
use super::step::{Outcome, Skip};
use crate::command::{cargo, command, run};
use anyhow::Result;

/// What `--require` calls it.
pub const AARCH64: &str = "aarch64";

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATORS: [&str; 2] = ["qemu-aarch64-static", "qemu-aarch64"];

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
    // Optimised: emulation makes every instruction cost about ten.
    let mut test = cargo(&[
        "test",
        "--release",
        "--locked",
        "--target",
        TARGET,
        "--package=karat-cpu",
        "--package=karat-erasure",
        "--package=karat-hash",
        "--lib",
        "--test=it",
    ]);
    test.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    test.env(
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
        format!("{emulator} -L /usr/aarch64-linux-gnu"),
    );
    run(test)?;
    Ok(Outcome::Noted(format!("under {emulator}")))
}

fn emulator() -> Option<&'static str> {
    EMULATORS.into_iter().find(|e| starts(e))
}

fn starts(program: &str) -> bool {
    let output = command(program, &["--version"]).output();
    output.is_ok_and(|o| o.status.success())
}
