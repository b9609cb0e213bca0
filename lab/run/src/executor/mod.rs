//! Where runs are made, and what is seen around them: the only way from measuring to
//! processes.

mod local;
#[cfg(test)]
pub(crate) mod scripted;

pub(crate) use local::Local;

use crate::RunError;
use karat_host::disturbance::Disturbance;
use karat_host::pin::Pinned;
use karat_process::{Command, Failure, Finished, Setup};
use std::path::Path;
use std::time::Duration;

/// Makes runs. Time is the executor's own, so that a script can do without waiting.
pub(crate) trait Executor {
    /// Time since some moment in the past.
    fn now(&self) -> Duration;

    /// Makes a run that is not measured.
    fn run(
        &self,
        command: &mut Command,
        setup: &Setup,
        timeout: Duration,
    ) -> Result<Finished, Trouble>;

    /// Makes a run in a quiet moment, if one comes, and says what was seen around it.
    fn observe(
        &self,
        command: &mut Command,
        setup: &Setup,
        timeout: Duration,
    ) -> Result<Observed, Trouble>;

    /// Reads the core clock before and while `work` makes a run.
    fn with_clock(&self, work: &mut dyn FnMut()) -> Clock;

    /// New frames of memory for the programs.
    fn redraw(&self, programs: &mut dyn Iterator<Item = &Path>, draw: u64);

    /// Keeps this thread, and what it starts, where runs are made as long as the result lives.
    fn stay(&self) -> Option<Pinned>;
}

/// A run, and what was seen around it.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    pub(crate) run: Finished,
    /// Additions a cycle before and after; `None` where the core cannot be probed.
    pub(crate) width: Option<[f64; 2]>,
    /// Whether nobody else used the core at either end; true where it cannot be probed.
    pub(crate) quiet: bool,
    /// Seconds of waiting for a quiet moment.
    pub(crate) waited: f64,
    pub(crate) disturbance: Disturbance,
    /// Whether the run was moved to another processor.
    pub(crate) moved: bool,
    /// Core clock right after it, in GHz.
    pub(crate) clock: f64,
}

/// Clock readings in GHz.
pub(crate) struct Clock {
    pub(crate) before: f64,
    pub(crate) during: Vec<f64>,
}

/// Why there was no run.
#[derive(Debug)]
pub(crate) enum Trouble {
    Run(Failure),
    /// The processor is gone.
    Gone(RunError),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Run(failure)
    }
}
