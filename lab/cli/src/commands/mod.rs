//! One file for each command.

pub mod ab;
pub mod audit;
mod begin;
mod carry_out;
pub mod compare;
pub mod completions;
pub mod doctor;
pub mod explain;
pub mod gates;
pub mod history;
pub mod init;
pub mod kernels;
mod outputs;
pub mod report;
pub mod run;
pub mod scan;
pub mod soak;
mod toml_text;

use crate::failed::failed;
use crate::say;
use anyhow::Result;
use karat_model::evidence::Evidence;
use karat_model::study::quantity;
use karat_report::{Format, Setting};
use karat_store::{RunFolder, Store};
use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The value of `--margin`.
pub fn margin(text: &str) -> Result<f64> {
    quantity::margin(text).ok_or_else(|| {
        let mut message = format!("--margin: `{text}` is not more than 0 % and at most 50 %");
        if let Some(meant) = quantity::percent_meant(text) {
            message += &format!("; did you mean `{meant}`?");
        }
        failed(crate::exit::USAGE, message)
    })
}

/// The first Ctrl-C asks for an orderly end, the second ends at once. So do SIGTERM
/// and the end of the terminal, unless karat was started to outlive it (`nohup`).
pub fn catch_interrupts() -> Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let flag = Arc::new(AtomicBool::new(false));
    // None of them between two registrations: the first one would be lost.
    let all = SigSet::from_iter([Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM]);
    let before = all.thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    // Both a shell and the kernel may say that the terminal is gone: that is not an
    // impatient user.
    if !karat_process::ignores(SIGHUP) {
        signal_hook::flag::register(SIGHUP, Arc::clone(&flag))?;
    }
    for signal in [SIGINT, SIGTERM] {
        let code = i32::from(crate::exit::INTERRUPTED);
        signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(&flag))?;
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    before.thread_set_mask()?;
    Ok(flag)
}

/// Writes the reports that a run folder keeps, and gives it its final name.
pub fn finish(folder: RunFolder, evidence: &Evidence, store: &Store) -> Result<PathBuf> {
    let rendered = |format| karat_report::render(format, evidence, Setting::default());
    let reports = [
        ("report.html", rendered(Format::Html)?),
        ("report.md", rendered(Format::Markdown)?),
    ];
    let done = folder.finish(evidence, &reports)?;
    // The index is made from the folders: bring it up to date while we are here.
    // If that fails, the run is whole all the same.
    if let Err(error) = store.history() {
        say::note(&format!("the index of runs is not up to date: {error}"));
    }
    Ok(done)
}

/// An error after a run, which is whole all the same.
pub fn kept(error: &anyhow::Error, done: &Path) -> anyhow::Error {
    let run = karat_process::quote(&done.to_string_lossy());
    failed(
        crate::exit::INTERNAL,
        format!(
            "{error:#}\n  the run itself is kept in {run}; `karat report {run}` renders it again"
        ),
    )
}
