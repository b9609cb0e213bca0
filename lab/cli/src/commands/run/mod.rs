//! `karat run`: a study from its file to its verdict.

mod dry;

use super::carry_out::{Asked, carry_out, plan, with_runs};
use super::{begin, failed, outputs};
use crate::args;
use crate::{exit, say};
use anyhow::Result;
use karat_model::diagnostic;
use karat_model::evidence::Evidence;
use karat_model::study::Study;
use karat_process::quote;
use karat_report::Format;
use karat_run::RunError;
use karat_store::{RunFolder, Store};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Runs a study.
pub fn run(args: &args::Run, quiet: bool) -> Result<u8> {
    outputs::check::<Evidence>(&args.output)?;
    let file = study_file(&args.study)?;
    let source = read(&file)?;
    let study_dir = file.parent().map(Path::to_owned).unwrap_or_default();
    let mut study = load(&file, &source, &study_dir)?;
    begin::set_time(&mut study, args.max_time.as_deref())?;
    let plan = plan(&study, args.smoke)?;
    if args.dry_run {
        return dry::run(&study, &plan, &study_dir, &Store::at(&args.runs.dir));
    }
    let again = format!(
        "karat run {} --resume",
        quote(&args.study.to_string_lossy())
    );
    let asked = Asked {
        study: &study,
        source,
        plan: &plan,
        file: Some(file),
        runs: &args.runs,
        resume: args.resume,
        seed: args.seed,
        again: &again,
        events: args.follow.events.as_deref(),
        quiet,
    };
    let resume = with_runs(&again, &args.runs);
    let evidence = carry_out(
        asked,
        |error, folder| explain(error, folder, &resume),
        |evidence, done| show(evidence, args, done),
    )?;
    Ok(
        if args.exit_zero && evidence.parity.iter().all(|p| p.passed) {
            exit::GOOD
        } else {
            exit::of_evidence(&evidence)
        },
    )
}

/// Writes the report where it was asked for, and the run's place last.
fn show(evidence: &Evidence, args: &args::Run, done: &Path) -> Result<()> {
    outputs::write(&args.output, evidence, &[])?;
    let place = done.display().to_string();
    if args.output.format == Format::Human {
        say::result(&place)?;
    } else {
        say::note(&place);
    }
    Ok(())
}

pub(super) fn study_file(path: &Path) -> Result<PathBuf> {
    let file = if path.is_dir() {
        path.join("study.toml")
    } else {
        path.to_owned()
    };
    let why = match std::fs::metadata(&file) {
        Ok(meta) if meta.is_file() => return Ok(file),
        Err(error) if error.kind() != ErrorKind::NotFound => format!(" ({error})"),
        _ => String::new(),
    };
    Err(failed(
        exit::USAGE,
        format!(
            "no study at {}{why}: expected a study file or a folder with a study.toml; `karat \
             init` writes one",
            path.display()
        ),
    ))
}

/// The text of a study.
pub(super) fn read(file: &Path) -> Result<String> {
    let wrong = |what: String| failed(exit::USAGE, format!("{}: {what}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| {
        wrong(format!(
            "cannot be read: {error}; a study is a text file that you may read"
        ))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        wrong(format!(
            "not a study: byte {} is not UTF-8, and a study is a TOML file",
            error.utf8_error().valid_up_to() + 1
        ))
    })
}

pub(super) fn load(file: &Path, source: &str, study_dir: &Path) -> Result<Study> {
    let problems = match Study::parse(source) {
        Ok(study) => {
            let mut problems = study.missing_paths(|p| study_dir.join(p).exists());
            problems.extend(study.unknown_readers(&karat_compare::reader_names()));
            if problems.is_empty() {
                return Ok(study);
            }
            problems
        }
        Err(problems) => problems,
    };
    let color = say::color_on_stderr();
    let text = diagnostic::render(&problems, &file.display().to_string(), source, color);
    say::note(text.trim_end());
    Err(failed(
        exit::USAGE,
        format!("{} problem(s) in the study", problems.len()),
    ))
}

/// Tells what happened and what is kept.
fn explain(error: &RunError, folder: RunFolder, resume: &str) -> anyhow::Error {
    let code = exit::of_error(error);
    let mut message = error.to_string();
    if matches!(error, RunError::Interrupted) {
        message += &format!("; what was built and measured is kept, `{resume}` goes on");
        return failed(code, message);
    }
    if code == exit::BUILD {
        message.push_str("\n  builds that succeeded are kept in the cache");
    }
    if let Some(kept) = folder.discard() {
        message += &format!("\n  samples kept in {}", kept.display());
        if !matches!(error, RunError::Stale) {
            message += &format!("; when the cause is gone, `{resume}` goes on");
        }
    }
    failed(code, message)
}
