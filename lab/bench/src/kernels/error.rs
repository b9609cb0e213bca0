//! Why kernels were not measured.

use super::ProgramError;
use crate::BenchError;

/// Why kernels were not measured.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// No kernel has this name.
    #[error("no kernel is called `{name}`; there are {}", .known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// No task has this name.
    #[error("no task is called `{name}`; there are {}", .known.join(", "))]
    UnknownTask {
        /// The name.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// What was asked for leaves nothing to measure.
    #[error(
        "no task is left: those named are of other kernels, on several threads (`--threads`), or \
         for smaller inputs than the sizes asked for"
    )]
    NothingLeft,
    /// Two contenders compute different things. Their times would compare nothing.
    #[error(
        "{task}: `{first}` and `{second}` give different results for {input}; `karat kernels check` \
         tells whether one of karat's is wrong"
    )]
    Disagree {
        /// The task.
        task: &'static str,
        /// One contender.
        first: String,
        /// The other.
        second: String,
        /// What they computed it from.
        input: String,
    },
    /// A peer that is a program of its own failed.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Measuring failed.
    #[error(transparent)]
    Bench(#[from] BenchError),
}
