//! What is to be watched, and what came of it.

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A command: the program is searched in `PATH`; environment, folder, standard streams
/// and process group are the caller's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// As a shell would take it.
    pub program: OsString,
    /// What follows it.
    pub arguments: Vec<OsString>,
}

/// The files to watch.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Each file once.
    pub files: Vec<FileSites>,
}

/// Places in one file.
#[derive(Clone, Debug)]
pub struct FileSites {
    path: PathBuf,
    /// Device and inode: what tells that a mapping is of this file.
    identity: (u64, u64),
    /// Sorted, each once.
    offsets: Vec<u64>,
}

impl FileSites {
    /// Watches the instructions at `offsets`, in bytes from the file's start. Each must
    /// be the first byte of an instruction: a breakpoint elsewhere damages the program.
    ///
    /// # Errors
    /// When the file is not there.
    pub fn new(path: &Path, mut offsets: Vec<u64>) -> io::Result<Self> {
        let meta = std::fs::metadata(path)?;
        offsets.sort_unstable();
        offsets.dedup();
        Ok(Self {
            path: path.to_owned(),
            identity: (meta.dev(), meta.ino()),
            offsets,
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sites, sorted.
    #[must_use]
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    pub(crate) fn identity(&self) -> (u64, u64) {
        self.identity
    }
}

/// A place in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// Index into [`Plan::files`].
    pub file: usize,
    /// Index into [`FileSites::offsets`].
    pub index: usize,
}

/// A site is about to be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Which.
    pub site: Site,
    /// Number of the thread; that of its process if it is the first.
    pub thread: i32,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
}

/// What is known when the command has ended.
#[derive(Clone, Debug)]
pub struct Traced {
    /// Of the command itself.
    pub ending: Ending,
    /// From the start to its end.
    pub wall: Duration,
    /// Time on processors in its own code, of it and of the children it waited for.
    pub user: Duration,
    /// The same in the kernel, traps among it.
    pub system: Duration,
    /// Time in which one of its threads stood still for the tracer, summed.
    pub stopped: Duration,
    /// Breakpoints that trapped.
    pub traps: u64,
    /// Breakpoints planted, in all address spaces.
    pub planted: u64,
    /// Processes that were seen, the command itself among them.
    pub processes: u64,
    /// Threads that were seen, first ones of processes left out.
    pub threads: u64,
    /// By file of the plan: in how many address spaces its code was mapped.
    pub mapped: Vec<u64>,
    /// Tasks that still ran when the command ended, and were let go unwatched.
    pub left_running: u64,
    /// What limits the answer, in words.
    pub notes: Vec<String>,
}
