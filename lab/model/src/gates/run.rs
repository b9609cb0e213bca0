//! A command that was traced, and how often places were executed in it.

use serde::{Deserialize, Serialize};

/// How often a place was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hits {
    /// Times that were seen.
    pub count: u64,
    /// Whether those are all: nobody looked any further after the last one.
    pub exact: bool,
}

impl Hits {
    /// Whether it was executed at all.
    #[must_use]
    pub fn any(self) -> bool {
        self.count > 0
    }
}

/// One run of a command, in all the processes that it started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TracedRun {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its exit code; none when a signal ended it.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(default)]
    pub signal: Option<i32>,
    /// Seconds from its start to its end.
    pub wall: f64,
    /// Seconds on processors in its own code, its children among it.
    pub user: f64,
    /// Seconds on processors in the kernel, traps among it.
    pub system: f64,
    /// Seconds that its threads stood still for karat, summed.
    pub stopped: f64,
    /// Breakpoints that trapped.
    pub traps: u64,
    /// Breakpoints that were planted, in all address spaces.
    pub planted: u64,
    /// Processes.
    pub processes: u64,
    /// Threads besides the first one of each process.
    pub threads: u64,
    /// Address spaces that the file's code was mapped into. With 0, nothing is known
    /// of it.
    pub loaded: u64,
    /// Threads that still ran at its end, and what they did later was not seen.
    pub left_running: u64,
    /// Up to how many hits a place were counted; none when only the first was seen.
    #[serde(default)]
    pub counted: Option<u64>,
    /// What limits the answer.
    #[serde(default)]
    pub notes: Vec<String>,
}

impl TracedRun {
    /// Whether the command ended well.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.exit_code == Some(0)
    }
}
