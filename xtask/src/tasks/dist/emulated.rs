//! The wheel for AArch64 in an AArch64 Python, on whatever machine this is: qemu is the CPU,
//! Debian has the interpreter, and pip the packages that the tests need.

use super::tree::write;
use super::wheel::TESTS_TAKE;
use crate::command::{command, root, run};
use crate::emulator::emulator;
use anyhow::{Context as _, Result};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Tests that start no other Python: qemu runs one program, and the kernel could not start
/// another for AArch64.
const TESTS: [&str; 5] = ["hashes", "nmt", "erasure", "numbers", "wrong"];

/// Runs the core of the package's tests, or says what is missing for that.
pub fn check(wheel: &Path, scratch: &Path) -> Result<()> {
    let skipped = "SKIPPED: tests of the wheel for AArch64";
    let Some(emulator) = emulator() else {
        println!("{skipped}: no qemu-aarch64; on Debian: `apt-get install qemu-user-static`");
        return Ok(());
    };
    let (system, packages) = (scratch.join("system"), scratch.join("packages"));
    if let Err(error) = interpreter(&system).and_then(|()| tests_need(&system, &packages)) {
        println!("{skipped}: no Python with pytest for it: {error:#}");
        return Ok(());
    }
    run(install(
        &system,
        &packages,
        &[&wheel.to_string_lossy(), "--no-deps"],
    )?)?;
    let mut tests = command(emulator, &["-L"]);
    tests.arg(&system).arg(system.join("usr/bin/python3"));
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    tests.env("PYTHONPATH", &packages);
    // Fewer random examples: emulation makes every instruction cost about ten.
    tests.env("CI", "true");
    let folder = root().join("bindings/python/tests");
    tests.args(TESTS.map(|name| folder.join(format!("test_{name}.py"))));
    run(tests).context("the wheel for AArch64, emulated")
}

/// Unpacks Debian's Python for AArch64, beside everything that is installed here.
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
    let apt = |args: &[&str]| {
        let mut apt = command("apt-get", args);
        apt.env("APT_CONFIG", &config).stdout(Stdio::null());
        run(apt)
    };
    apt(&["update", "-qq"])?;
    let only = ["--download-only", "--no-install-recommends"];
    // numpy is in C++.
    let packages = ["python3", "libstdc++6"];
    apt(&[&["install", "-y", "-qq"][..], &only[..], &packages[..]].concat())?;
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

fn tests_need(system: &Path, packages: &Path) -> Result<()> {
    run(install(system, packages, TESTS_TAKE)?)
}

/// This machine's pip, which chooses as that Python's would.
fn install(system: &Path, packages: &Path, what: &[&str]) -> Result<Command> {
    let python = fs::read_link(system.join("usr/bin/python3"))?;
    let version = python.to_string_lossy().replace("python", "");
    let mut pip = command("python3", &["-m", "pip", "install", "--quiet"]);
    pip.args(["--only-binary=:all:", "--python-version", &version]);
    for platform in ["manylinux2014_aarch64", "manylinux_2_28_aarch64"] {
        pip.args(["--platform", platform]);
    }
    pip.arg("--target").arg(packages).args(what);
    Ok(pip)
}
