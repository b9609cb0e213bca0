//! Why a run gave nothing.

use std::io;
use std::path::PathBuf;

/// Which of the commands around a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// The one before.
    Setup,
    /// The one after.
    Cleanup,
}

impl std::fmt::Display for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Setup => "setup",
            Self::Cleanup => "cleanup",
        })
    }
}

/// Why a run with a setup gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The input is not there or cannot be one.
    #[error(
        "stdin file {}: {what}; it must be a regular file that karat can read",
        path.display()
    )]
    Stdin {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The working directory is not there.
    #[error("working directory {}: {what}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A relative program would be searched for in the working directory.
    #[error(
        "program {}: give an absolute path, since the run has a working directory of its own",
        .0.display()
    )]
    RelativeProgram(PathBuf),
    /// A command around the run failed.
    #[error("`{script}` command: {what}\n  command: {command}")]
    Script {
        /// Which.
        script: Script,
        /// Its text.
        command: String,
        /// How it ended and what it said last.
        what: String,
    },
    /// The counters cannot be opened.
    #[error("hardware counters cannot be opened: {0}")]
    Counters(io::Error),
    /// The user interrupted the setup.
    #[error("interrupted")]
    Interrupted,
    /// Something that the run left running cannot be killed.
    #[error("{0}")]
    Left(io::Error),
    /// The program cannot be started or waited for.
    #[error("cannot be started: {0}")]
    Start(#[from] io::Error),
}
