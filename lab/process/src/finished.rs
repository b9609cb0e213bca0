//! What a finished process leaves.

use crate::counters::Count;
use nix::sys::signal::Signal;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this exit code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// Killed by karat: it ran longer than the time-out.
    TimedOut,
    /// Killed by karat: the user interrupted the run.
    Interrupted,
}

impl Ending {
    /// From the status that wait4 gives for a process that has ended.
    pub(super) fn from_status(status: i32) -> Self {
        if libc::WIFEXITED(status) {
            Self::Exit(libc::WEXITSTATUS(status))
        } else {
            Self::Signal(libc::WTERMSIG(status))
        }
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => match Signal::try_from(*signal) {
                Ok(name) => write!(f, "killed by {}", name.as_str()),
                Err(_) => write!(f, "killed by signal {signal}"),
            },
            Self::TimedOut => f.write_str("still running at the time-out, killed"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// What a finished process leaves.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// First 16 MiB of stdout.
    pub stdout: Vec<u8>,
    /// First 16 MiB of stderr.
    pub stderr: Vec<u8>,
    /// Seconds from just before the start to the exit.
    pub wall: f64,
    /// Longest time in seconds by which karat slept longer than it had asked for
    /// while it waited: it was stopped, the machine was suspended, or its processor
    /// was not to be had.
    pub overslept: f64,
    /// User plus system seconds, with those of children it waited for.
    pub cpu: f64,
    /// Involuntary context switches.
    pub switches: u64,
    /// Voluntary context switches: it waited for something.
    pub waits: u64,
    /// Page faults without input: memory touched for the first time.
    pub minor_faults: u64,
    /// Page faults that had to read from a device.
    pub major_faults: u64,
    /// Peak resident memory in bytes, of the largest single process among it and
    /// the children it waited for. `None` when it is not above `rss_floor`: what
    /// the kernel then says may be karat's own.
    pub peak_rss: Option<u64>,
    /// The smallest peak in bytes that could have been told from karat's own
    /// memory. A process without `peak_rss` had at most this.
    pub rss_floor: u64,
    /// Processes that it had started and that were still running when it exited,
    /// whatever their process group or session; they were killed. 0 when karat
    /// killed it itself. Its time may lack theirs.
    pub left_running: u32,
    /// Hardware counters, if the run was set up with some: those that ran.
    pub counts: Vec<Count>,
}

impl Finished {
    /// Whether it exited with code 0.
    #[must_use]
    pub fn success(&self) -> bool {
        self.ending == Ending::Exit(0)
    }

    /// The last lines of stderr, or of stdout when stderr is empty.
    #[must_use]
    pub fn last_lines(&self, count: usize) -> String {
        let text = if self.stderr.is_empty() {
            &self.stdout
        } else {
            &self.stderr
        };
        let text = String::from_utf8_lossy(text);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(count)..].join("\n")
    }
}
