//! `karat init`: the beginning of a study.

use super::failed;
use crate::{args, exit, say};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Writes a study.toml that fits what is in the folder.
pub fn run(args: &args::Init) -> Result<u8> {
    let path = args.dir.join("study.toml");
    if path.exists() {
        return Err(failed(
            exit::USAGE,
            format!(
                "{} exists already; karat init overwrites nothing",
                path.display()
            ),
        ));
    }
    if args.dir.exists() && !args.dir.is_dir() {
        return Err(failed(
            exit::USAGE,
            format!(
                "{} is no folder; name one for the study",
                args.dir.display()
            ),
        ));
    }
    fs::create_dir_all(&args.dir).with_context(|| format!("cannot make {}", args.dir.display()))?;
    fs::write(&path, template(&args.dir))
        .with_context(|| format!("cannot write {}", path.display()))?;
    say::note(&format!(
        "wrote {0}\nnext: edit its workload, then\n  karat run {1} --smoke",
        path.display(),
        karat_process::quote(&args.dir.to_string_lossy())
    ));
    Ok(exit::GOOD)
}

/// A study for the cargo package in `dir`, or for a Makefile.
fn template(dir: &Path) -> String {
    let folder = std::path::absolute(dir)
        .ok()
        .and_then(|d| d.file_name().map(|n| n.to_string_lossy().into_owned()))
        .unwrap_or_default();
    let good = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let mut name: String = folder
        .trim_start_matches('.')
        .chars()
        .map(|c| if good(c) { c } else { '-' })
        .collect();
    if name.is_empty() {
        name = "study".into();
    }
    let subject = match package_name(&dir.join("Cargo.toml")) {
        Some(package) => CARGO.replace("PACKAGE", &package),
        None => MAKE.to_owned(),
    };
    STUDY
        .replace("NAME", &name)
        .replace("SUBJECT", subject.trim_end())
}

fn package_name(manifest: &Path) -> Option<String> {
    let text = fs::read_to_string(manifest).ok()?;
    let package = text.split("[package]").nth(1)?;
    let line = package.lines().find(|l| l.trim().starts_with("name"))?;
    Some(line.split('"').nth(1)?.to_owned())
}

const STUDY: &str = r#"schema = 1
name = "NAME"
title = "Does target-cpu=native help NAME?"
baseline = "default"

SUBJECT

# Behaviour that must be the same in every variant: exit code, output, warnings.
[[parity]]
name = "version"
args = ["--version"]

# What is measured. A run should take 20 ms to 1 s.
[[workload]]
name = "main"
args = []
# CPU time of the process. Or a number that the program prints:
# metric = { json = "value", unit = "GiB/s", better = "higher" }
# metric = { regex = 'speed: (?<value>[0-9.]+)', unit = "MB/s", better = "higher" }
metric = "cpu"

# Functions whose survival the audit follows.
# [[expect]]
# function = "my_crate::avx2::kernel"
# workloads = ["main"]

[measure]
margin = "1%" # the smallest change that matters
max-time = "5 min" # after the builds; it ends earlier when all is decided
"#;

const CARGO: &str = r#"[subject]
cargo = "."
bin = "PACKAGE"

[[variant]]
name = "default"

[[variant]]
name = "native"
rustflags = ["-Ctarget-cpu=native"]
"#;

const MAKE: &str = r#"[subject]
dir = "."
artifact = "program" # what the command leaves

[[variant]]
name = "default"
command = ["make", "CFLAGS=-O2 -g1"]

[[variant]]
name = "native"
command = ["make", "CFLAGS=-O2 -g1 -march=native"]
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::study::Study;

    #[test]
    fn both_templates_are_valid_studies() {
        let dir = tempfile::tempdir().unwrap();
        Study::parse(&template(dir.path())).unwrap();
        fs::write(
            dir.path().join("Cargo.toml"),
            "[package]\nname = \"my-tool\"\n",
        )
        .unwrap();
        let text = template(dir.path());
        assert!(text.contains("bin = \"my-tool\""));
        Study::parse(&text).unwrap();
    }
}
