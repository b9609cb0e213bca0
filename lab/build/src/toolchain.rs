//! The compilers and settings that decide a build besides its sources.

use super::cache::Key;
use karat_process::Command;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Longest time for a compiler to say what it is: rustup may have to fetch it first.
const LONGEST: Duration = Duration::from_secs(600);

/// Environment variables that compilers and build scripts read.
const DECIDING: &[&str] = &[
    "AR",
    "AS",
    "CARGO_",
    "CC",
    "CFLAGS",
    "CPP",
    "CXX",
    "HOST_",
    "LD",
    "RUSTC",
    "RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
    "TARGET_",
];

/// Adds the versions of the compilers that `dir` gets (rustup chooses by folder)
/// and deciding environment variables.
pub(super) fn add(key: &mut Key, rust: bool, dir: &Path, interrupt: &AtomicBool) {
    let mut programs: Vec<(&str, &[&str])> = vec![("cc", &["--version"])];
    if rust {
        programs.push(("rustc", &["-vV"]));
        programs.push(("cargo", &["-V"]));
    }
    for (program, args) in programs {
        key.add(program, &output(program, args, dir, interrupt));
    }
    let mut env: Vec<(String, String)> = std::env::vars()
        .filter(|(k, _)| DECIDING.iter().any(|d| k.starts_with(d)))
        // Cargo sets these for programs it starts (`cargo run`); they decide
        // nothing about a build of ours.
        .filter(|(k, _)| {
            !k.starts_with("CARGO_PKG_") && !k.starts_with("CARGO_MANIFEST") && k != "CARGO_HOME"
        })
        .collect();
    env.sort();
    for (name, value) in env {
        key.add(&name, value.as_bytes());
    }
}

/// Adds what `-Ctarget-cpu=native` and the like mean on this machine.
pub(super) fn add_target_cfg(
    key: &mut Key,
    rustflags: &[String],
    dir: &Path,
    interrupt: &AtomicBool,
) {
    let mut args = vec!["--print", "cfg"];
    args.extend(rustflags.iter().map(String::as_str));
    key.add("cfg", &output("rustc", &args, dir, interrupt));
    // `native` also chooses scheduling models, which --print cfg does not show.
    let id = karat_cpu::identity();
    if rustflags.iter().any(|f| f.contains("native")) {
        key.add(
            "cpu",
            format!("{:?}", (id.vendor, id.family, id.model)).as_bytes(),
        );
    }
}

/// Adds the cargo configuration files that apply in `dir`.
pub(super) fn add_cargo_config(key: &mut Key, dir: &Path) {
    let home = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
    let above = dir.ancestors().map(|d| d.join(".cargo"));
    for folder in above.chain(home) {
        for name in ["config.toml", "config"] {
            if let Ok(text) = std::fs::read(folder.join(name)) {
                key.add("cargo-config", &text);
            }
        }
    }
}

/// What the program prints. One that is not there or never answers has no say: the
/// build itself will tell.
fn output(program: &str, args: &[&str], dir: &Path, interrupt: &AtomicBool) -> Vec<u8> {
    let mut command = Command::new(program);
    command.args(args).current_dir(dir);
    match karat_process::run(&mut command, LONGEST, interrupt) {
        Ok(run) if matches!(run.ending, karat_process::Ending::Exit(_)) => run.stdout,
        _ => b"absent".to_vec(),
    }
}
