//! The smoke run: the main study from its file to its report.

use super::step::Outcome;
use crate::command::{cargo, command, root, shown, stdout};
use crate::tasks::schema;
use crate::validate;
use anyhow::{Context as _, Result, bail, ensure};
use karat_model::evidence::Evidence;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The study that must always work.
const STUDY: &str = "studies/blake2-dispatch";

/// What a run leaves behind.
const FILES: [&str; 3] = ["report.html", "report.md", "evidence.json"];

/// Folder for what CI makes, inside of cargo's target folder.
pub fn folder() -> Result<PathBuf> {
    let metadata = ["metadata", "--no-deps", "--offline", "--format-version=1"];
    let metadata: Value = serde_json::from_str(&stdout(cargo(&metadata))?)?;
    let target = metadata["target_directory"].as_str();
    Ok(Path::new(target.context("cargo names no target folder")?).join("ci-runs"))
}

/// Runs the study in a fresh folder and checks what it left.
pub fn run() -> Result<Outcome> {
    let runs = folder()?;
    if runs.exists() {
        std::fs::remove_dir_all(&runs)?;
    }
    std::fs::create_dir_all(&runs)?;
    let mut study = cargo(&[
        "run",
        "--release",
        "--locked",
        "--",
        "run",
        STUDY,
        "--smoke",
    ]);
    study.arg("--runs").arg(&runs);
    eprintln!("$ {}", shown(&study));
    let said = stdout(study)?;
    println!("{}", said.trim_end());

    let last = said.lines().last().unwrap_or_default();
    let run = root().join(last);
    ensure!(
        run.starts_with(&runs) && run.is_dir(),
        "the last line should be the run's folder, but is `{last}`"
    );
    check(&run)
}

fn check(run: &Path) -> Result<Outcome> {
    for name in FILES {
        let file = run.join(name);
        let bytes = std::fs::metadata(&file).map_or(0, |m| m.len());
        ensure!(bytes > 0, "{} is missing or empty", file.display());
    }
    let evidence = evidence(run)?;
    let built = evidence.variants.iter().filter(|v| v.build.is_some());
    let built = built.count();
    ensure!(built > 1, "only {built} variant(s) were built");
    ensure!(!evidence.samples.is_empty(), "nothing was measured");
    if let Some(failed) = evidence.parity.iter().find(|p| !p.passed) {
        bail!("parity `{}` of {} failed", failed.name, failed.variant);
    }
    ensure!(
        evidence.run.smoke && evidence.verdict.verdict.is_none(),
        "a smoke run must give no verdict"
    );
    Ok(Outcome::Noted(format!(
        "{} of {} variants built, {} samples",
        built,
        evidence.variants.len(),
        evidence.samples.len()
    )))
}

/// The evidence of a run, once the committed schema and the types accept it.
pub fn evidence(run: &Path) -> Result<Evidence> {
    let text = std::fs::read_to_string(run.join("evidence.json"))?;
    let committed = std::fs::read_to_string(root().join(schema::FILE))
        .with_context(|| format!("cannot read {}", schema::FILE))?;
    let problems = validate::problems(
        &serde_json::from_str(&committed)?,
        &serde_json::from_str(&text)?,
    );
    if !problems.is_empty() {
        bail!(
            "evidence.json does not fit {}:\n  {}",
            schema::FILE,
            problems.join("\n  ")
        );
    }
    serde_json::from_str(&text).context("evidence.json fits its schema but not its types")
}

/// The run that [`run`] left.
pub fn last_run() -> Result<PathBuf> {
    let runs = folder()?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&runs).into_iter().flatten() {
        let path = entry?.path();
        if path.join("evidence.json").is_file() {
            found.push(path);
        }
    }
    let newest = found.into_iter().max();
    newest.with_context(|| format!("no run in {}; run the step `smoke` first", runs.display()))
}

/// Which git revision is checked, for the log.
pub fn revision() -> String {
    let describe = ["describe", "--always", "--dirty", "--abbrev=12"];
    let mut describe = command("git", &describe);
    let output = describe.stderr(std::process::Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "a copy without git".to_owned(),
    }
}
