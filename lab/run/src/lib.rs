//! Plans a study, has its variants built, checks and measures them.
//!
//! [`run`] takes a checked [`Study`](karat_model::study::Study) and gives
//! [`Evidence`](karat_model::evidence::Evidence); on the way it emits
//! [`Event`]s. It knows neither terminal nor store nor report.

pub mod cachegrind;
pub mod doctor;
mod events;
mod executor;
mod findings;
pub mod gates;
mod measure;
mod metric;
mod modified;
pub mod pages;
mod parity;
mod pipeline;
mod plan;
pub mod preflight;
mod probe;

pub use events::{Event, JsonLines, Sink, Sinks, Stage};
pub use pipeline::{Options, Prior, run};
pub use plan::{Plan, PlanError};

use std::path::PathBuf;

/// Why a run ended without evidence. What it had built and measured is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Builds that failed; the others are in the cache.
    #[error("{}", build_failures(.0))]
    Build(Vec<karat_build::BuildError>),
    /// A binary could not be audited.
    #[error("variant `{variant}`: cannot audit {}: {what}", binary.display())]
    Audit {
        /// The variant.
        variant: String,
        /// Its binary.
        binary: PathBuf,
        /// Why not.
        what: String,
    },
    /// A parity check could not be run at all.
    #[error("parity check `{check}`, variant `{variant}`: {what}")]
    Parity {
        /// The check.
        check: String,
        /// The variant.
        variant: String,
        /// Why not.
        what: String,
    },
    /// A variant's program is no file that can be executed here.
    #[error("variant `{variant}`: cannot execute {}: {what}", binary.display())]
    Execute {
        /// The variant.
        variant: String,
        /// The file.
        binary: PathBuf,
        /// Why not, and what to do.
        what: String,
    },
    /// A measured run failed, hung or printed no metric.
    #[error("workload `{workload}`, variant `{variant}`: {what}\n  command: {command}")]
    Measure {
        /// The variant.
        variant: String,
        /// The workload.
        workload: String,
        /// The command.
        command: String,
        /// What happened.
        what: String,
    },
    /// The processor that runs are measured on was taken away.
    #[error(
        "processor {processor} can no longer be used: {why}; measured samples are kept, and \
         `--resume` goes on with another processor"
    )]
    ProcessorGone {
        /// Its number.
        processor: u32,
        /// What the system says.
        why: String,
    },
    /// The study asks for layouts that cannot be had.
    #[error("layouts: {0}")]
    Layout(String),
    /// The A/A arm's copy of the baseline's program cannot be written.
    #[error("cannot write {}, the copy of the baseline that the A/A arm runs: {error}", path.display())]
    Copy {
        /// The copy.
        path: PathBuf,
        /// What the system said.
        error: String,
    },
    /// The samples of an interrupted run belong to other binaries.
    #[error(
        "this run cannot be resumed: binaries, workloads or machine are no longer those of its \
         samples; start a new run"
    )]
    Stale,
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// A sink could not keep what was measured.
    #[error("cannot keep what was measured: {0}")]
    Sink(#[from] std::io::Error),
}

fn build_failures(errors: &[karat_build::BuildError]) -> String {
    let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
    list.join("\n")
}
