//! The wheel for AArch64 in an AArch64 Python, on whatever machine this is: qemu is the CPU,
//! and Debian has the interpreter and what the tests need.

use super::tree::write;
use crate::ci::aarch64::emulator;
use crate::command::{command, root, run};
use anyhow::{Context as _, Result};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const PACKAGES: [&str; 4] = [
    "python3",
    "python3-pytest",
    "python3-hypothesis",
    "python3-numpy",
];

/// Tests that need no child process: qemu runs this one program, and the kernel could not
/// start another for AArch64.
const TESTS: [&str; 6] = ["hashes", "nmt", "erasure", "numbers", "threads", "wrong"];

/// Runs the core of the package's tests, or says what is missing for that.
pub fn check(wheel: &Path, scratch: &Path) -> Result<()> {
    let Some(emulator) = emulator() else {
        println!(
            "SKIPPED: the wheel for AArch64 in use: no qemu-aarch64; on Debian: qemu-user-static"
        );
        return Ok(());
    };
    let system = scratch.join("system");
    if let Err(error) = interpreter(&system) {
        println!("SKIPPED: the wheel for AArch64 in use: no Python for it by apt-get: {error:#}");
        return Ok(());
    }
    let package = scratch.join("package");
    let mut unpack = command("python3", &["-m", "zipfile", "-e"]);
    unpack.arg(wheel).arg(&package);
    run(unpack)?;
    let mut tests = command(emulator, &["-L"]);
    tests.arg(&system).arg(system.join("usr/bin/python3"));
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir"]);
    let folder = root().join("bindings/python");
    tests.arg(&folder).env("PYTHONPATH", &package);
    // Fewer random examples: emulation makes every instruction cost about ten.
    tests.env("CI", "true");
    tests.args(TESTS.map(|name| folder.join(format!("tests/test_{name}.py"))));
    run(tests).context("the wheel for AArch64, emulated")
}

/// Unpacks an AArch64 Python beside everything that is installed here.
fn interpreter(system: &Path) -> Result<()> {
    let state = system.join("apt");
    for folder in ["lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(state.join(folder))?;
    }
    let status = state.join("status");
    write(&status, "")?;
    let options = format!(
        "APT::Architecture \"arm64\";\nAPT::Architectures {{ \"arm64\"; }};\n\
         Dir::State::status \"{}\";\nDir::State::lists \"{}\";\nDir::Cache \"{}\";\n",
        status.display(),
        state.join("lists").display(),
        state.join("cache").display()
    );
    let config = state.join("apt.conf");
    write(&config, &options)?;
    let apt = |args: &[&str]| -> Command {
        let mut apt = command("apt-get", args);
        apt.env("APT_CONFIG", &config).stdout(Stdio::null());
        apt
    };
    run(apt(&["update", "-qq"]))?;
    let mut download = apt(&["install", "-y", "-qq", "--download-only"]);
    download.arg("--no-install-recommends").args(PACKAGES);
    run(download)?;
    for file in fs::read_dir(state.join("cache/archives"))? {
        let file = file?.path();
        if file.extension().is_some_and(|end| end == "deb") {
            let mut unpack = command("dpkg-deb", &["--extract"]);
            unpack.arg(file).arg(system);
            run(unpack)?;
        }
    }
    Ok(())
}
