//! A study carried out, from its run folder to its report: what `karat run` and `karat ab`
//! share.

use super::begin::{self, Begun};
use super::{catch_interrupts, failed, finish, kept};
use crate::args::{DEFAULT_RUNS, Runs};
use crate::event_file::EventFile;
use crate::exit;
use crate::progress::Progress;
use crate::run_folder::Keeper;
use anyhow::{Context, Result};
use karat_model::evidence::Evidence;
use karat_model::study::Study;
use karat_process::quote;
use karat_run::{Options, Plan, RunError, Sink, Sinks};
use karat_store::{RunFolder, Store};
use std::path::{Path, PathBuf};

/// What to carry out.
pub struct Asked<'a> {
    pub study: &'a Study,
    pub source: String,
    pub plan: &'a Plan,
    /// The file that the study was read from; `None`: the copy in the run's folder.
    pub file: Option<PathBuf>,
    pub runs: &'a Runs,
    /// Whether to go on with the newest run of this study.
    pub resume: bool,
    pub seed: Option<u64>,
    /// The command that goes on with this run, without `--runs`.
    pub again: &'a str,
    /// The file that gets the events.
    pub events: Option<&'a Path>,
    pub quiet: bool,
}

/// Carries it out. `explain` tells of an error and of what is kept, `show` of the evidence and
/// its folder.
pub fn carry_out(
    asked: Asked<'_>,
    explain: impl FnOnce(&RunError, RunFolder) -> anyhow::Error,
    show: impl FnOnce(&Evidence, &Path) -> Result<()>,
) -> Result<Evidence> {
    let mut events = asked.events.map(EventFile::create).transpose()?;
    let store = Store::at(&asked.runs.dir);
    let interrupt = catch_interrupts()?;
    let Begun {
        mut folder,
        prior,
        seed,
    } = if asked.resume {
        begin::again(&store, asked.study, &asked.source)?
    } else {
        begin::new(&store, asked.study, &asked.source, asked.seed)?
    };
    let options = Options {
        id: folder.id().to_owned(),
        source: asked.source,
        study_file: asked
            .file
            .unwrap_or_else(|| folder.path().join("study.toml")),
        cache: asked.runs.dir.join("cache"),
        wrapper: std::env::current_exe().context("cannot find karat's own program file")?,
        seed,
        interrupt: &interrupt,
        prior,
        resume: with_runs(asked.again, asked.runs),
    };
    let mut progress = Progress::new(asked.quiet);
    let mut keeper = Keeper(&mut folder);
    let mut sinks: Vec<&mut dyn Sink> = vec![&mut keeper, &mut progress];
    sinks.extend(events.iter_mut().map(|e| e as &mut dyn Sink));
    let outcome = karat_run::run(asked.study, asked.plan, options, &mut Sinks(sinks));
    progress.end_stage(match outcome {
        Ok(_) => "done in",
        Err(_) => "stopped after",
    });
    let evidence = match outcome {
        Ok(evidence) => evidence,
        Err(error) => {
            if let Some(events) = &mut events {
                events.failed(&error);
            }
            return Err(explain(&error, folder));
        }
    };
    let done = finish(folder, &evidence, &store)?;
    if let Some(events) = &mut events {
        events.finished(&evidence, &done)?;
    }
    match show(&evidence, &done) {
        // `karat run STUDY | head` wants the verdict's code as well.
        Err(error) if !crate::is_broken_pipe(&error) => Err(kept(&error, &done)),
        _ => Ok(evidence),
    }
}

/// What would run on this machine.
pub fn plan(study: &Study, smoke: bool) -> Result<Plan> {
    Plan::new(study, karat_cpu::detect(), smoke).map_err(|e| failed(exit::NOTHING, e.to_string()))
}

/// A command with the runs folder, where that is not the default.
pub fn with_runs(command: &str, runs: &Runs) -> String {
    if runs.dir == Path::new(DEFAULT_RUNS) {
        return command.to_owned();
    }
    format!("{command} --runs {}", quote(&runs.dir.to_string_lossy()))
}
