//! `karat soak`: one program watched for a long time.

mod asked;
mod live;
pub mod pair;
mod study;

use super::carry_out::with_runs;
use super::{catch_interrupts, failed, kept, outputs};
use crate::args;
use crate::{exit, say};
use anyhow::{Context, Result};
use asked::Wanted;
use karat_model::soak::{Budget, Soak, SoakSample};
use karat_model::verdict::Verdict;
use karat_report::{Format, Setting, render};
use karat_soak::{Asked, Begun, Facts, SoakError, Stopped, Target, judge, pattern, watch};
use karat_store::{SoakFolder, SoakState, Store, StoreError};
use live::Live;
use std::io;
use std::path::PathBuf;

/// Watches a program and writes what was found.
pub fn run(args: &args::Soak, quiet: bool) -> Result<u8> {
    outputs::check::<Soak>(&args.output)?;
    let store = Store::at(&args.runs.dir);
    let interrupt = catch_interrupts()?;
    let args = &match &args.study {
        Some(file) => study::command(args, file, &interrupt)?,
        None => args.clone(),
    };
    let (folder, state, earlier) = if args.resume {
        resumed(&store)?
    } else {
        let state = asked::state(args)?;
        let stamp = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string();
        let folder = store
            .begin_soak(&stamp, &state)
            .context("cannot begin a soak; `--runs` chooses another folder for it")?;
        (folder, state, Vec::new())
    };
    let wanted = Wanted::of(&state.plan)?;
    let mut samples = earlier;
    let (folder, stopped) = {
        let mut folder = folder;
        let asked = Asked {
            target: target(&state),
            plan: &state.plan,
            pattern: wanted.pattern.as_ref(),
            begun: Begun {
                at: samples.last().map_or(0.0, |s| s.at),
                starts: samples.last().map_or(0, |s| s.start + 1),
            },
            interrupt: &interrupt,
        };
        let live = Live::new(&state.plan, quiet || args.samples);
        let mut keep = |sample: &SoakSample| {
            folder.sample(sample).map_err(io::Error::other)?;
            if args.samples {
                say::result(&serde_json::to_string(sample)?)?;
            }
            samples.push(sample.clone());
            live.show(&samples);
            Ok(())
        };
        let stopped = watch(&asked, &mut keep);
        live.end();
        (folder, stopped)
    };
    let stopped = match stopped {
        Ok(stopped) => stopped,
        Err(error) => return Err(failed_to_watch("", &error, folder, &samples, &args.runs)),
    };
    if stopped.interrupted {
        let kept = kept_text(folder, &samples, Some(&args.runs));
        return Err(failed(exit::INTERRUPTED, format!("interrupted{kept}")));
    }
    let soak = judge(
        &state.plan,
        &wanted.budgets,
        &samples,
        facts(&state, &stopped),
    );
    let done = keep_all(folder, &soak)?;
    let written = write(args, &soak);
    match written {
        Err(error) if !crate::is_broken_pipe(&error) => return Err(kept(&error, &done)),
        _ => {}
    }
    if !quiet {
        say::note(&format!("all of it: {}", done.display()));
    }
    if stopped.failed {
        return Err(failed(
            exit::MEASURE,
            format!(
                "{}: {}{}",
                soak.plan.program,
                stopped.ending,
                last(&stopped)
            ),
        ));
    }
    Ok(if args.exit_zero {
        exit::GOOD
    } else {
        code(&soak)
    })
}

/// The code of a soak that is whole.
fn code(soak: &Soak) -> u8 {
    match soak.verdict {
        Some(Verdict::NoGo) => exit::NO_GO,
        Some(Verdict::Inconclusive) => exit::INCONCLUSIVE,
        Some(Verdict::Go | Verdict::Same) => exit::GOOD,
        None if soak.complete => exit::GOOD,
        None => exit::INCONCLUSIVE,
    }
}

fn target(state: &SoakState) -> Target {
    match state.process {
        Some(pid) => Target::Process(pid),
        None => Target::Command(state.words.iter().map(Into::into).collect()),
    }
}

fn facts(state: &SoakState, stopped: &Stopped) -> Facts {
    let mut notes = Vec::new();
    if stopped.dropped > 0 {
        notes.push(format!(
            "{} times of operations were left out: more came between two samples than are kept.",
            stopped.dropped
        ));
    }
    if let Some(Err(why)) = &stopped.counted {
        notes.push(why.clone());
    }
    Facts {
        karat: env!("CARGO_PKG_VERSION").to_owned(),
        started: state.started.clone(),
        machine: karat_host::machine::probe(),
        resumed: state.resumed,
        ending: stopped.ending.clone(),
        complete: stopped.complete,
        system_calls: stopped.counted.clone().and_then(Result::ok),
        floor: stopped.floor.clone(),
        notes,
    }
}

fn resumed(store: &Store) -> Result<(SoakFolder, SoakState, Vec<SoakSample>)> {
    let (folder, left) = store.resume_soak().map_err(|e| match e {
        StoreError::NothingToResume { .. } | StoreError::InUse { .. } => {
            failed(exit::USAGE, e.to_string())
        }
        other => other.into(),
    })?;
    for warning in &left.warnings {
        say::note(&format!("warning: {warning}"));
    }
    Ok((folder, left.state, left.samples))
}

/// Writes the reports that the folder keeps, and gives it its final name.
fn keep_all(folder: SoakFolder, soak: &Soak) -> Result<PathBuf> {
    let text = |format| render(format, soak, Setting::default());
    let reports = [
        ("report.html", text(Format::Html)?),
        ("epochs.csv", text(Format::Csv)?),
    ];
    Ok(folder.finish(&text(Format::Json)?, &reports)?)
}

fn write(args: &args::Soak, soak: &Soak) -> Result<()> {
    if args.samples {
        return outputs::files(&args.output, soak, &[]);
    }
    outputs::write(&args.output, soak, &[])
}

/// The error of a watching that gave nothing more.
fn failed_to_watch(
    what: &str,
    error: &SoakError,
    folder: SoakFolder,
    samples: &[SoakSample],
    runs: &args::Runs,
) -> anyhow::Error {
    let code = match error {
        SoakError::Start { .. } | SoakError::Watch(_) => exit::USAGE,
        SoakError::AtOnce { .. } | SoakError::Failed { .. } | SoakError::Io(_) => exit::MEASURE,
        SoakError::Keep(_) => exit::INTERNAL,
    };
    let kept = kept_text(folder, samples, Some(runs));
    failed(code, format!("{what}{error}{kept}"))
}

/// Samples are kept, and how to go on where that can be; a folder without any is thrown
/// away.
fn kept_text(folder: SoakFolder, samples: &[SoakSample], runs: Option<&args::Runs>) -> String {
    if samples.is_empty() {
        folder.discard();
        return String::new();
    }
    let again = runs.map(|runs| {
        let command = with_runs("karat soak --resume", runs);
        format!("; `{command}` goes on")
    });
    format!(
        "\n  {} samples kept in {}{}",
        samples.len(),
        folder.path().display(),
        again.unwrap_or_default()
    )
}

fn last(stopped: &Stopped) -> String {
    let lines = stopped.last_lines.iter();
    lines.map(|line| format!("\n  | {line}")).collect()
}

/// The limits that were typed.
pub(super) fn budgets(texts: &[String]) -> Result<Vec<Budget>> {
    let parse = |t: &String| {
        Budget::parse(t).map_err(|why| failed(exit::USAGE, format!("--budget: {why}")))
    };
    let all = texts.iter().map(parse).collect::<Result<Vec<Budget>>>()?;
    for (i, one) in all.iter().enumerate() {
        if all[..i].iter().any(|other| other.kind == one.kind) {
            let message = format!("--budget: {} is limited twice", one.kind.name());
            return Err(failed(exit::USAGE, message));
        }
    }
    Ok(all)
}

/// The pattern that was typed.
pub(super) fn line(text: Option<&str>) -> Result<Option<pattern::LinePattern>> {
    text.map(|t| {
        pattern::LinePattern::new(t).map_err(|why| failed(exit::USAGE, format!("--line: {why}")))
    })
    .transpose()
}
