//! `cargo xtask commands`: what documents tell a reader to type exists.

use super::words;
use crate::command::{cargo, root, stdout};
use crate::said::{Cli, Known, commands, problem};
use crate::{Task, workspace};
use anyhow::{Result, bail};

pub const TASK: Task = Task {
    name: "commands",
    help: "fail when a document names a command, flag or example that does not exist",
    run,
};

fn run(args: &[String]) -> Result<bool> {
    if !args.is_empty() {
        bail!("usage: cargo xtask commands");
    }
    let count = check()?;
    println!("{count} commands in documents exist");
    Ok(true)
}

/// Fails with file and line of each command that cannot be typed; counts the others.
pub fn check() -> Result<usize> {
    let known = known()?;
    let mut count = 0;
    let mut wrong = Vec::new();
    for file in words::files(&root())? {
        if !file.ends_with(".md") {
            continue;
        }
        // Deleted, and not committed yet.
        let Ok(text) = std::fs::read_to_string(root().join(&file)) else {
            continue;
        };
        for said in commands(&text) {
            count += 1;
            if let Some(problem) = problem(&said.words, &known) {
                let shown = said.words.join(" ");
                wrong.push(format!("{file}:{}: `{shown}`: {problem}", said.line));
            }
        }
    }
    if wrong.is_empty() {
        return Ok(count);
    }
    bail!(
        "{} command(s) in documents do not exist:\n  {}",
        wrong.len(),
        wrong.join("\n  ")
    )
}

fn known() -> Result<Known> {
    let help = |path: &[&str]| {
        let karat = ["run", "--quiet", "--locked", "--"];
        stdout(cargo(&[&karat, path, &["--help"]].concat()))
    };
    let fuzz = workspace::packages(&workspace::metadata(Some("fuzz/Cargo.toml"))?)?;
    let targets = fuzz.into_iter().flat_map(|package| package.targets);
    Ok(Known {
        karat: Cli::ask(&help, &[])?,
        xtask: crate::wrong,
        packages: workspace::packages(&workspace::metadata(None)?)?,
        fuzz_targets: targets.map(|target| target.name).collect(),
        exists: |path| root().join(path).exists(),
    })
}
