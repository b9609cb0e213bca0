//! Python's wheels: one for each machine, for every CPython since 3.11.

use super::Dist;
use crate::command::{command, root, run, stdout};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// The machines, each with the Rust target that it is built for.
const MACHINES: [(&str, &str); 2] = [
    ("x86_64", "x86_64-unknown-linux-gnu"),
    ("aarch64", "aarch64-unknown-linux-gnu"),
];

/// What the package's tests take.
pub const TESTS_TAKE: &[&str] = &["pytest", "hypothesis", "numpy", "blake3", "pycryptodome"];

/// The wheel for that machine, if it was made.
pub fn of(dist: &Dist, machine: &str) -> Result<Option<PathBuf>> {
    let end = format!("_{machine}.whl");
    for file in std::fs::read_dir(&dist.out)? {
        let file = file?;
        if file.file_name().to_string_lossy().ends_with(&end) {
            return Ok(Some(file.path()));
        }
    }
    Ok(None)
}

/// Makes them by maturin. Zig's linker knows the symbols of old C libraries, and links for
/// other machines: without it there is one wheel, for systems as new as this one.
pub fn make(dist: &Dist) -> Result<()> {
    let has = |mut question: std::process::Command| {
        question
            .output()
            .is_ok_and(|answer| answer.status.success())
    };
    if !has(command("maturin", &["--version"])) {
        println!("SKIPPED: the wheels: no maturin; `pip install maturin ziglang` brings it");
        return Ok(());
    }
    if !has(command("python3", &["-m", "ziglang", "version"])) {
        println!(
            "SKIPPED: a wheel for old systems and one for AArch64: no Zig; `pip install ziglang` \
             brings it"
        );
        return run(build(dist));
    }
    for (machine, target) in MACHINES {
        if !has_target(target)? {
            println!(
                "SKIPPED: the wheel for {machine}: no such target; `rustup target add {target}`"
            );
            continue;
        }
        let mut maturin = build(dist);
        maturin.args([
            "--zig",
            "--compatibility",
            "manylinux2014",
            "--target",
            target,
        ]);
        run(maturin)?;
    }
    Ok(())
}

fn build(dist: &Dist) -> std::process::Command {
    let mut maturin = command(
        "maturin",
        &["build", "--release", "--locked", "--strip", "--out"],
    );
    maturin.arg(&dist.out);
    maturin.current_dir(root().join("bindings/python"));
    maturin
}

fn has_target(target: &str) -> Result<bool> {
    let folder = stdout(command(
        "rustc",
        &["--print", "target-libdir", "--target", target],
    ))?;
    Ok(Path::new(folder.trim()).is_dir())
}

/// The wheels are what their names promise: maturin's audit has looked at the symbols, and
/// karat itself looks at the machine.
pub fn check(dist: &Dist) -> Result<()> {
    for (machine, is) in [("x86_64", "ELF x86-64"), ("aarch64", "ELF AArch64")] {
        let Some(wheel) = of(dist, machine)? else {
            continue;
        };
        let mut audit = command(&dist.program, &["audit", "--color", "never"]);
        audit.arg(&wheel);
        let said = stdout(audit)?;
        if !said.contains(is) {
            bail!(
                "{}: karat audit does not say {is}:\n{said}",
                wheel.display()
            );
        }
    }
    Ok(())
}
