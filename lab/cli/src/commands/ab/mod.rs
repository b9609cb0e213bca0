//! `karat ab`: commands against each other, without a study file.
//!
//! The commands become the variants of a study made here, so that everything
//! behind it (rounds, judge, run folder, reports) is that of `karat run`. The study
//! is kept as `study.toml` in the run folder, where `karat run` can read it.

use super::carry_out::{Asked, carry_out, plan};
use super::{begin, failed, outputs};
use crate::args;
use crate::{exit, say};
use anyhow::Result;
use karat_model::diagnostic;
use karat_model::evidence::Evidence;
use karat_model::study::Study;
use karat_process::quote;
use karat_report::{Format, brief};
use karat_run::RunError;
use karat_store::{RunFolder, Store};
use std::path::Path;

mod commands;
mod study;
mod text;

/// Compares commands.
pub fn run(args: &args::Ab, quiet: bool) -> Result<u8> {
    if args.soak {
        return super::soak::pair::run(args, quiet);
    }
    if args.watching.given() {
        let message = "--for, --every, --epoch, --warm, --line, --progress, --load and --budget \
                       are options of `karat ab --soak`";
        return Err(failed(exit::USAGE, message));
    }
    outputs::check::<Evidence>(&args.output)?;
    let (study, source) = if args.resume {
        earlier(args, &Store::at(&args.runs.dir))?
    } else {
        recorded(study::of(args)?)?
    };
    let plan = plan(&study, false)?;
    let asked = Asked {
        study: &study,
        source,
        plan: &plan,
        file: None,
        runs: &args.runs,
        resume: args.resume,
        seed: args.seed,
        again: "karat ab --resume",
        events: args.follow.events.as_deref(),
        quiet,
    };
    let evidence = carry_out(
        asked,
        |error, folder| explain(error, folder, args),
        |evidence, done| show(args, evidence, done, quiet),
    )?;
    Ok(if args.exit_zero {
        exit::GOOD
    } else {
        exit::of_evidence(&evidence)
    })
}

/// The study as it is kept: its text, and what is read from that.
fn recorded(asked: Study) -> Result<(Study, String)> {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| quote(&word.to_string_lossy()))
        .collect();
    let source = text::of(&asked, &format!("karat {}", words.join(" ")));
    match Study::parse(&source) {
        Ok(study) => Ok((study, source)),
        Err(problems) => {
            let shown = diagnostic::render(&problems, "study.toml", &source, false);
            Err(failed(
                exit::USAGE,
                format!("no study can say this:\n{}", shown.trim_end()),
            ))
        }
    }
}

/// The study of the newest comparison, with the time that is asked for now.
fn earlier(args: &args::Ab, store: &Store) -> Result<(Study, String)> {
    let Some((file, source)) = store.newest_study(study::NAME)? else {
        return Err(failed(
            exit::USAGE,
            format!(
                "no run of `karat ab` in {} to go on with",
                args.runs.dir.display()
            ),
        ));
    };
    let mut study = Study::parse(&source).map_err(|problems| {
        let shown = diagnostic::render(&problems, &file.to_string_lossy(), &source, false);
        failed(exit::USAGE, shown.trim_end())
    })?;
    begin::set_time(&mut study, Some(&args.max_time))?;
    Ok((study, source))
}

/// Tells what happened and what is kept.
fn explain(error: &RunError, folder: RunFolder, args: &args::Ab) -> anyhow::Error {
    let mut message = error.to_string();
    if let Some(kept) = folder.discard() {
        // By its own text, since a later comparison may have been interrupted too.
        let study = kept.join("study.toml");
        message += &format!(
            "\n  samples kept in {}; `karat run {} --resume --runs {}` goes on",
            kept.display(),
            quote(&study.to_string_lossy()),
            quote(&args.runs.dir.to_string_lossy())
        );
    }
    failed(exit::of_error(error), message)
}

fn show(args: &args::Ab, evidence: &Evidence, done: &Path, quiet: bool) -> Result<()> {
    match args.output.format {
        Format::Human => {
            let written = outputs::files(&args.output, evidence, &[]);
            let text = brief::human(evidence, say::color_on_stdout(), say::width());
            let said = say::result(&text);
            written?;
            said?;
        }
        _ => outputs::write(&args.output, evidence, &[])?,
    }
    if !quiet {
        say::note(&format!("all of it: {}", done.display()));
    }
    Ok(())
}
