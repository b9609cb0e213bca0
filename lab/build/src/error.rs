//! Why there is no binary.

use karat_process::Ending;
use std::io;
use std::path::PathBuf;

/// Why there is no binary.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The command ran and failed.
    #[error(
        "variant `{variant}`: {ending}\n  command: {command}\n  whole output: {}\n  last lines:\n{tail}",
        log.display()
    )]
    Failed {
        /// The variant.
        variant: String,
        /// The command, as one would type it.
        command: String,
        /// How it ended.
        ending: Ending,
        /// File that holds all of its output.
        log: PathBuf,
        /// The last lines of its output, indented.
        tail: String,
    },
    /// The command could not be started.
    #[error("variant `{variant}`: cannot start `{program}`: {source}")]
    Start {
        /// The variant.
        variant: String,
        /// The program.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// The command succeeded but left no artifact.
    #[error("variant `{variant}`: the build succeeded but left no {}{}\n  command: {command}", artifact.display(), crate::left::told(programs))]
    NoArtifact {
        /// The variant.
        variant: String,
        /// The command, as one would type it.
        command: String,
        /// The missing file.
        artifact: PathBuf,
        /// Programs that the build left in its folder.
        programs: Vec<String>,
    },
    /// A patch does not apply, or patches something that is not there.
    #[error("variant `{variant}`: {message}")]
    Patch {
        /// The variant.
        variant: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// A file could not be read or written.
    #[error("variant `{variant}`: {}: {source}", path.display())]
    Io {
        /// The variant.
        variant: String,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A variant that needs no build names no program.
    #[error("variant `{variant}`: cannot execute {}: {what}", path.display())]
    Program {
        /// The variant.
        variant: String,
        /// The file.
        path: PathBuf,
        /// Why not, and what to do.
        what: String,
    },
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}
