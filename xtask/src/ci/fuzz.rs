//! Every fuzz target on a fixed number of inputs: the targets build, and what is quickly
//! found is found before a change is taken.
//!
//! The compiler that runs us builds them with coverage and without AddressSanitizer, so a
//! nightly compiler and cargo-fuzz are not needed, and nothing is optimised: building is
//! what takes time here. Who fuzzes for hours follows `fuzz/README.md`.

use super::apt;
use super::step::{Outcome, Skip};
use crate::command::{cargo, command, root, run, stdout};
use crate::tasks::words;
use crate::workspace;
use anyhow::{Context as _, Result, ensure};
use std::path::{Path, PathBuf};

/// What `--require` calls it: libFuzzer is C++.
pub const CXX: &str = "c++";

const MANIFEST: &str = "fuzz/Cargo.toml";

/// How libFuzzer sees which code an input reaches, as cargo-fuzz asks for it.
const COVERAGE: &str = "-Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    --cfg fuzzing";

/// The same inputs every time.
const ARGUMENTS: [&str; 6] = [
    "-seed=1",
    "-runs=2000",
    "-max_len=8192",
    "-timeout=120",
    "-verbosity=0",
    "-print_funcs=0",
];

/// What a target begins with: committed files, by beginning and end of their paths.
const SEEDS: [(&str, &str, &str); 4] = [
    ("logs", "lab/readers/tests/samples/log/", ""),
    ("readers", "lab/readers/tests/samples/", ""),
    ("scan", "lab/scan/src/", ".rs"),
    ("study", "studies/", "/study.toml"),
];

/// The source of the object file that `audit` begins with.
const OBJECT: &str = "lab/audit/tests/it/fixtures/gates.c";

/// Builds all targets and runs each.
pub fn step() -> Result<Outcome> {
    if apt::in_ci() && !has_cxx() {
        apt::install(&["g++"]);
    }
    if !has_cxx() {
        return Ok(Outcome::Skipped(Skip {
            missing: CXX,
            remedy: "a C++ compiler; on Debian `apt-get install g++`".to_owned(),
        }));
    }
    let targets = targets()?;
    let host = host()?;
    let folder = workspace::target_folder()?.join("ci-fuzz");
    let mut build = cargo(&["build", "--quiet", "--locked", "--manifest-path", MANIFEST]);
    // With a target, the flags are not those of build scripts and macros.
    build
        .args(["--target", &host])
        .arg("--target-dir")
        .arg(&folder);
    build.args(["--config", "profile.dev.debug='none'"]);
    build
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_INCREMENTAL", "0");
    run(build)?;
    for target in &targets {
        let corpus = corpus(&folder, target)?;
        let mut fuzz = command(folder.join(&host).join("debug").join(target), &ARGUMENTS);
        // What it finds is written there.
        fuzz.arg(format!("-artifact_prefix={}/", folder.display()));
        fuzz.arg(corpus);
        run(fuzz)?;
    }
    Ok(Outcome::Noted(targets.join(", ")))
}

fn has_cxx() -> bool {
    let output = command("c++", &["--version"]).output();
    output.is_ok_and(|o| o.status.success())
}

/// Names of the targets. Each source must be one: cargo does not find them by itself.
fn targets() -> Result<Vec<String>> {
    let packages = workspace::packages(&workspace::metadata(Some(MANIFEST))?)?;
    let targets = packages.into_iter().flat_map(|package| package.targets);
    let targets: Vec<String> = targets.map(|target| target.name).collect();
    for file in words::files(&root())? {
        if let Some(name) = file.strip_prefix("fuzz/fuzz_targets/") {
            let name = name.trim_end_matches(".rs");
            ensure!(
                targets.iter().any(|t| t == name),
                "{MANIFEST} lacks a [[bin]] for {file}"
            );
        }
    }
    Ok(targets)
}

/// What the compiler that runs us builds for.
fn host() -> Result<String> {
    let version = stdout(command("rustc", &["-vV"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

/// A fresh folder with the inputs that a target begins with.
fn corpus(folder: &Path, target: &str) -> Result<PathBuf> {
    let corpus = folder.join("corpus").join(target);
    if corpus.exists() {
        std::fs::remove_dir_all(&corpus)?;
    }
    std::fs::create_dir_all(&corpus)?;
    for (of, begin, end) in SEEDS {
        if of == target {
            for file in words::files(&root())? {
                if file.starts_with(begin) && file.ends_with(end) {
                    let name = file.replace('/', "-");
                    std::fs::copy(root().join(file), corpus.join(name))?;
                }
            }
        }
    }
    if target == "audit" {
        let mut compile = command("cc", &["-c", "-g", "-O1", OBJECT, "-o"]);
        compile.arg(corpus.join("object"));
        run(compile)?;
    }
    Ok(corpus)
}

#[cfg(test)]
mod tests {
    use super::{SEEDS, targets};
    use crate::command::root;
    use crate::tasks::words;

    #[test]
    fn seeds_are_those_of_a_target_and_exist() {
        let targets = targets().expect("targets");
        let files = words::files(&root()).expect("files");
        for (target, begin, end) in SEEDS {
            assert!(targets.iter().any(|t| t == target), "{target}");
            let mut files = files.iter();
            assert!(
                files.any(|f| f.starts_with(begin) && f.ends_with(end)),
                "{begin}"
            );
        }
    }
}
