//! `karat ab`: commands against each other, without a study file.
//!
//! The commands become the variants of a study made here, so that everything
//! behind it (rounds, judge, run folder, reports) is that of `karat run`. The study
//! is kept as `study.toml` in the run folder, where `karat run` can read it.

use super::{
    catch_interrupts, check_outputs, execute, failed, finish, kept, rendered, write_report,
};
use crate::args::{self, Format};
use crate::{exit, say};
use anyhow::{Context, Result};
use karat_model::diagnostic;
use karat_model::evidence::Evidence;
use karat_model::study::Study;
use karat_report::brief;
use karat_run::build::quote;
use karat_run::{Options, Plan, RunError};
use karat_store::{RunFolder, Store};
use std::path::Path;

mod commands;
mod study;
mod text;

/// Compares commands.
pub fn run(args: &args::Ab, quiet: bool) -> Result<u8> {
    check_outputs(&args.output)?;
    let (study, source) = recorded(study::of(args)?)?;
    let plan = Plan::new(&study, karat_cpu::detect(), false)
        .map_err(|e| failed(exit::NOTHING, e.to_string()))?;
    let interrupt = catch_interrupts()?;
    let store = Store::at(&args.runs.dir);
    let now = jiff::Timestamp::now();
    let stamp = now.strftime("%Y%m%d-%H%M%S").to_string();
    let seed = args.seed.unwrap_or(now.as_nanosecond() as u64);
    let mut folder = store
        .begin(&stamp, &study.name, &source, seed)
        .context(super::NO_FOLDER)?;
    let options = Options {
        id: folder.id().to_owned(),
        source,
        study_file: folder.path().join("study.toml"),
        cache: args.runs.dir.join("cache"),
        wrapper: std::env::current_exe().context("cannot find karat's own program file")?,
        seed,
        interrupt: &interrupt,
        prior: None,
    };
    let outcome = execute(&study, &plan, options, &mut folder, quiet);
    let evidence = match outcome {
        Ok(evidence) => evidence,
        Err(error) => return Err(explain(&error, folder, args)),
    };
    let done = finish(folder, &evidence, &store)?;
    match show(args, &evidence, &done, quiet) {
        // `karat ab … | head` wants the verdict's code as well.
        Err(error) if !crate::is_broken_pipe(&error) => return Err(kept(&error, &done)),
        _ => {}
    }
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

/// Tells what happened and what is kept.
fn explain(error: &RunError, folder: RunFolder, args: &args::Ab) -> anyhow::Error {
    let mut message = error.to_string();
    if let Some(kept) = folder.discard() {
        let study = kept.join("study.toml");
        message += &format!(
            "\n  samples kept in {}; `karat run {} --runs {} --resume` goes on",
            kept.display(),
            quote(&study.to_string_lossy()),
            quote(&args.runs.dir.to_string_lossy())
        );
    }
    failed(exit::of_error(error), message)
}

fn show(args: &args::Ab, evidence: &Evidence, done: &Path, quiet: bool) -> Result<()> {
    let text = match args.output.format {
        Format::Human => brief::human(evidence, say::color_on_stdout()),
        _ => rendered(evidence, &args.output),
    };
    write_report(evidence, &args.output, &text)?;
    if !quiet {
        say::note(&format!("all of it: {}", done.display()));
    }
    Ok(())
}
