//! The library as it is built, and programs with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, Mutex};

/// Switches for all ways in which the allocator can work; the first three differ most.
pub const WAYS: [&[(&str, &str)]; 6] = [
    &[],
    &[("KARAT_ALLOC_PROFILE", "balanced")],
    &[("KARAT_ALLOC_DEBUG", "2")],
    &[("KARAT_ALLOC_HARDENED", "1")],
    &[("KARAT_ALLOC_DEBUG", "1")],
    &[("KARAT_ALLOC_DEBUG", "3")],
];

/// Cargo builds no shared library for tests, so it is asked to.
static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--locked",
            "--package=karat-alloc-preload",
        ])
        .args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .arg("--target-dir")
        .arg(target)
        .status();
    assert!(built.unwrap().success(), "the library cannot be built");
    target.join("debug/libkarat_alloc.so")
});

/// The library's file.
pub fn library() -> &'static Path {
    &LIBRARY
}

/// A command with the allocator and switches.
pub fn preloaded(program: &str, switches: &[(&str, &str)]) -> Command {
    let mut command = Command::new(program);
    command.env("LD_PRELOAD", library());
    command.envs(switches.iter().copied());
    command
}

/// Compiles one of this crate's programs, once. Nothing if there is no compiler.
pub fn compiled(source: &'static str) -> Option<PathBuf> {
    static DONE: Mutex<BTreeMap<&str, Option<PathBuf>>> = Mutex::new(BTreeMap::new());
    let mut done = DONE.lock().unwrap();
    done.entry(source)
        .or_insert_with(|| compile(source))
        .clone()
}

fn compile(source: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/programs")
        .join(source);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(source.replace('.', "-"));
    let compiler = if source.ends_with(".cc") {
        "g++"
    } else {
        "gcc"
    };
    let done = Command::new(compiler)
        .args(["-O1", "-w", "-fno-builtin", "-pthread", "-o"])
        .arg(&out)
        .arg(path)
        .status();
    let Ok(status) = done else {
        println!("SKIPPED: no {compiler}");
        return None;
    };
    assert!(status.success(), "{source} cannot be compiled");
    Some(out)
}

/// What a finished program said, for messages.
pub fn said(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "{}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    )
}
