//! `karat ab`: commands against each other, without a study file.
//!
//! The commands become the variants of a study made here, so that everything
//! behind it (rounds, judge, run folder, reports) is that of `karat run`.

use super::{catch_interrupts, check_outputs, execute, failed, finish, write_files};
use crate::args::{self, Format};
use crate::{exit, say};
use anyhow::{Context, Result};
use karat_model::evidence::Evidence;
use karat_report::brief;
use karat_run::{Options, Plan, RunError};
use karat_store::Store;
use std::path::{Path, PathBuf};

mod study;

/// Compares commands.
pub fn run(args: &args::Ab, quiet: bool) -> Result<u8> {
    check_outputs(&args.output)?;
    let study = study::of(args)?;
    let plan = Plan::new(&study, karat_cpu::detect(), false)
        .map_err(|e| failed(exit::NOTHING, e.to_string()))?;
    let interrupt = catch_interrupts()?;
    let store = Store::at(&args.runs.dir);
    let now = jiff::Timestamp::now();
    let stamp = now.strftime("%Y%m%d-%H%M%S").to_string();
    let seed = args.seed.unwrap_or(now.as_nanosecond() as u64);
    let source = source();
    let mut folder = store
        .begin(&stamp, &study.name, &source, seed)
        .context(super::NO_FOLDER)?;
    let options = Options {
        id: folder.id().to_owned(),
        source,
        study_file: PathBuf::from("ab"),
        cache: args.runs.dir.join("cache"),
        wrapper: std::env::current_exe().context("cannot find karat's own program file")?,
        seed,
        interrupt: &interrupt,
        prior: None,
    };
    let outcome = execute(&study, &plan, options, &mut folder, quiet);
    let evidence = match outcome {
        Ok(evidence) => evidence,
        Err(error) => {
            let mut message = error.to_string();
            if let Some(kept) = folder.discard() {
                message.push_str(&format!("\n  samples kept in {}", kept.display()));
            }
            return Err(failed(exit_of(&error), message));
        }
    };
    let done = finish(folder, &evidence, &store)?;
    show(args, &evidence, &done)?;
    Ok(if args.exit_zero {
        exit::GOOD
    } else {
        exit::of_evidence(&evidence)
    })
}

/// A command that cannot be found is a mistake on the command line.
fn exit_of(error: &RunError) -> u8 {
    match error {
        RunError::Build(_) => exit::USAGE,
        other => exit::of_error(other),
    }
}

fn show(args: &args::Ab, evidence: &Evidence, done: &Path) -> Result<()> {
    write_files(evidence, &args.output)?;
    let text = match args.output.format {
        Format::Human => brief::human(evidence, say::color_on_stdout()),
        Format::Json => serde_json::to_string_pretty(&brief::json(evidence))?,
        other => karat_report::render(other.into(), evidence, false, say::width()),
    };
    say::result(&text)?;
    say::note(&format!("all of it: {}", done.display()));
    Ok(())
}

/// What was typed, for the report.
fn source() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    format!("# karat {}\n", words.join(" "))
}
