//! The smoke runs: every study from its file to its report.

use super::step::Outcome;
use crate::command::{cargo, command, root, shown, stdout};
use crate::tasks::schema;
use crate::{validate, workspace};
use anyhow::{Context as _, Result, bail, ensure};
use karat_model::evidence::Evidence;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The study that must always work, and whose report is looked at in a browser.
const STUDY: &str = "studies/blake2-dispatch";

/// Studies whose smoke runs take minutes: dozens of workloads by a dozen builds.
const LONG: [&str; 2] = ["studies/kernel-flags", "studies/kernel-throughput"];

/// What a run leaves behind.
const FILES: [&str; 3] = ["report.html", "report.md", "evidence.json"];

/// Folder for what CI makes, inside of cargo's target folder.
pub fn folder() -> Result<PathBuf> {
    Ok(workspace::target_folder()?.join("ci-runs"))
}

/// Runs the main study in a fresh folder and checks what it left.
pub fn run() -> Result<Outcome> {
    let runs = empty_folder(folder()?)?;
    let evidence = smoke(STUDY, &runs)?;
    let built = evidence.variants.iter().filter(|v| v.build.is_some());
    Ok(Outcome::Noted(format!(
        "{} of {} variants built, {} samples",
        built.count(),
        evidence.variants.len(),
        evidence.samples.len()
    )))
}

/// Runs all other studies but the long ones.
pub fn others() -> Result<Outcome> {
    let mut others = studies()?;
    others.retain(|study| study != STUDY && !LONG.contains(&study.as_str()));
    each(&others)
}

/// Runs the long ones.
pub fn long() -> Result<Outcome> {
    each(&LONG.map(str::to_owned))
}

/// Runs studies. Their runs lie elsewhere, so that the newest run of [`folder`] is the main
/// study's.
fn each(studies: &[String]) -> Result<Outcome> {
    let runs = empty_folder(folder()?.with_file_name("ci-runs-studies"))?;
    let mut notes = Vec::new();
    for study in studies {
        let begin = Instant::now();
        smoke(study, &runs).with_context(|| format!("{study} failed"))?;
        let name = study.rsplit('/').next().unwrap_or_default();
        notes.push(format!("{name} {:.0} s", begin.elapsed().as_secs_f64()));
    }
    Ok(Outcome::Noted(notes.join(", ")))
}

/// Folders in `studies/` that hold a study, as paths from the root.
fn studies() -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("studies"))? {
        let entry = entry?;
        if entry.path().join("study.toml").is_file() {
            found.push(format!("studies/{}", entry.file_name().to_string_lossy()));
        }
    }
    found.sort();
    Ok(found)
}

fn empty_folder(runs: PathBuf) -> Result<PathBuf> {
    if runs.exists() {
        std::fs::remove_dir_all(&runs)?;
    }
    std::fs::create_dir_all(&runs)?;
    Ok(runs)
}

/// Runs a study and checks what it left.
fn smoke(study: &str, runs: &Path) -> Result<Evidence> {
    // Not optimised: the tests have built that already, and no verdict is asked for.
    let mut karat = cargo(&["run", "--locked", "--", "run", study, "--smoke"]);
    karat.arg("--runs").arg(runs);
    eprintln!("$ {}", shown(&karat));
    let said = stdout(karat)?;
    println!("{}", said.trim_end());

    let last = said.lines().last().unwrap_or_default();
    let run = root().join(last);
    ensure!(
        run.starts_with(runs) && run.is_dir(),
        "the last line should be the run's folder, but is `{last}`"
    );
    check(&run)
}

fn check(run: &Path) -> Result<Evidence> {
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
    Ok(evidence)
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

#[cfg(test)]
mod tests {
    use super::{LONG, STUDY, studies};
    use crate::command::root;
    use karat_model::study::Study;

    #[test]
    fn the_studies_are_found_and_can_be_read() {
        let found = studies().unwrap();
        assert!(found.iter().any(|study| study == STUDY));
        assert!(
            LONG.iter()
                .all(|long| found.iter().any(|study| study == long))
        );
        for study in found {
            let text = std::fs::read_to_string(root().join(&study).join("study.toml")).unwrap();
            assert!(Study::parse(&text).is_ok(), "{study}");
        }
    }
}
