//! `karat run`: a study from its file to its verdict.

use super::carry_out::{Asked, carry_out, plan, with_runs};
use super::{begin, failed, outputs};
use crate::args;
use crate::{exit, say};
use anyhow::Result;
use karat_model::diagnostic;
use karat_model::evidence::Evidence;
use karat_model::study::{AUTO_ROUNDS, AUTO_SECONDS, MaxTime, ParityOutput, Study};
use karat_model::units;
use karat_process::quote;
use karat_report::Format;
use karat_run::{Plan, RunError};
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
        return dry_run(&study, &plan, &Store::at(&args.runs.dir));
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

fn dry_run(study: &Study, plan: &Plan, store: &Store) -> Result<u8> {
    let mut out = format!("study {}: {}\n\nvariants\n", study.name, study.title);
    for (i, variant) in study.variants.iter().enumerate() {
        let name = &variant.name.value;
        let settings = karat_build::settings(variant).join("; ");
        let note = match (&plan.left_out[i], i == study.baseline) {
            (Some(why), _) => format!("left out: {why}"),
            (None, true) => format!("baseline {settings}"),
            (None, false) => settings,
        };
        out.push_str(&format!("  {name:24} {note}\n"));
    }
    out.push_str("workloads\n");
    for w in &study.workloads {
        let metric = |m: &karat_model::study::MetricPlan| match m.metric.unit.as_str() {
            "" => m.metric.name.clone(),
            unit => format!("{} in {unit}", m.metric.name),
        };
        let metrics: Vec<String> = w.metrics.iter().map(metric).collect();
        out.push_str(&format!(
            "  {:24} {} ({})\n",
            w.name,
            w.args.join(" "),
            metrics.join(", ")
        ));
    }
    out.push_str("parity checks\n");
    for p in &study.parity {
        let mut line = format!("  {:24} {}", p.name, p.args.join(" "));
        if let ParityOutput::Events { reader, logs } = &p.output {
            let logs: Vec<String> = logs.iter().map(ToString::to_string).collect();
            let reader = reader.as_ref().map_or("auto", |r| r.value.as_str());
            line += &format!(" (reads {}, reader {reader})", logs.join(", "));
        }
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str("time\n  ");
    out.push_str(&if plan.smoke {
        format!(
            "no longer than {} rounds take (smoke: no verdict)",
            plan.max_rounds
        )
    } else {
        promised(study.measure.time)
    });
    out.push_str("; builds and their audit come before and are cached\n");
    // Only for the estimate: a folder that cannot be read spoils no plan.
    let last = store.history().unwrap_or_default().rows;
    if let Some(last) = last
        .into_iter()
        .find(|r| r.study == study.name && r.samples > 0)
    {
        out.push_str(&format!(
            "  run {} took {}, builds and all\n",
            last.id,
            units::seconds(last.seconds)
        ));
    }
    say::result(&out)?;
    Ok(exit::GOOD)
}

/// What is promised of the time for measuring.
fn promised(time: MaxTime) -> String {
    match time {
        MaxTime::Seconds(seconds) => format!(
            "at most {} of measuring, less if all is decided earlier (`max-time` in [measure], \
             `--max-time`)",
            units::seconds(seconds)
        ),
        MaxTime::Auto => format!(
            "as long as {AUTO_ROUNDS} rounds take, {} to {}, less if all is decided earlier",
            units::seconds(AUTO_SECONDS[0]),
            units::seconds(AUTO_SECONDS[1])
        ),
    }
}
