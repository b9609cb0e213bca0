//! Starts one process and waits for its end.

use super::failure::Failure;
use super::finished::{Ending, Finished};
use super::leftovers::{Reach, Scope};
use super::reap;
use super::rss::Floor;
use super::stream::Reader;
use crate::counters;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::io::{self, PipeReader};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a wait looks at the interrupt flag.
const GLANCE: Duration = Duration::from_millis(100);

/// Runs `command` to its end, with /dev/null as stdin.
///
/// # Errors
/// When the program cannot be started or waited for, or has left something running
/// that cannot be killed.
pub fn run(
    command: &mut Command,
    timeout: Duration,
    interrupt: &AtomicBool,
) -> io::Result<Finished> {
    let scope = Scope::open()?;
    let run = run_with(&scope, command, Around::default(), timeout, interrupt);
    run.map_err(|failure| match failure {
        Failure::Start(error) | Failure::Left(error) => error,
        other => io::Error::other(other),
    })
}

/// Where a program's stdout goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stdout {
    /// To karat, by a pipe.
    #[default]
    Read,
    /// To /dev/null. Some programs see that and do less: GNU grep ends at the first
    /// match.
    Null,
}

/// What a run gets from its setup.
pub(super) struct Around {
    pub(super) stdin: Stdio,
    pub(super) stdout: Stdout,
    pub(super) counters: Option<counters::Set>,
    /// What of its leavings to kill at its end.
    pub(super) reach: Reach,
}

impl Default for Around {
    fn default() -> Self {
        Self {
            stdin: Stdio::null(),
            stdout: Stdout::Read,
            counters: None,
            reach: Reach::All,
        }
    }
}

/// Runs `command` to its end, and to the end of what it left.
pub(super) fn run_with(
    scope: &Scope,
    command: &mut Command,
    around: Around,
    timeout: Duration,
    interrupt: &AtomicBool,
) -> Result<Finished, Failure> {
    command.stdin(around.stdin).process_group(0);
    let output = output(command, around.stdout)?;
    // Counters are this thread's until the next exec: the thread that reads the
    // output, which was started before, has none of them.
    let counting = match &around.counters {
        Some(set) => Some(set.open().map_err(Failure::Counters)?),
        None => None,
    };
    let floor = Floor::now();
    let start = Instant::now();
    let spawned = scope.spawn(command);
    // The command holds the pipes' ends that only the child may hold.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let pid = spawned?.id() as i32;
    let group = Pid::from_raw(pid);
    let waited = wait(pid, start, timeout, interrupt);
    // Whatever the process started and left behind must not run into the next
    // measurement, nor hold the pipes open. It has exited but is not reaped yet,
    // so its number cannot be anybody else's.
    let _ = killpg(group, Signal::SIGKILL);
    let (status, usage) = reap::reap(pid)?;
    scope.reaped(pid);
    let left = scope.clear(around.reach);
    let [stdout, stderr] = output.finish()?;
    let waited = waited?;
    let left = left.map_err(Failure::Left)?;
    let counts = match counting {
        Some(counting) => counting.read()?,
        None => Vec::new(),
    };
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6;
    let count = |n: libc::c_long| u64::try_from(n).unwrap_or(0);
    Ok(Finished {
        ending: waited.killed.unwrap_or_else(|| Ending::from_status(status)),
        stdout,
        stderr,
        wall: waited.wall,
        overslept: waited.overslept,
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        switches: count(usage.ru_nivcsw),
        waits: count(usage.ru_nvcsw),
        minor_faults: count(usage.ru_minflt),
        major_faults: count(usage.ru_majflt),
        // Linux counts it in KiB.
        peak_rss: floor.of_child(count(usage.ru_maxrss) * 1024),
        rss_floor: floor.bytes(),
        left_running: if waited.killed.is_some() { 0 } else { left },
        counts,
    })
}

/// Gives the command its stdout and stderr, and reads what is to be read of them.
fn output(command: &mut Command, stdout: Stdout) -> io::Result<Reader> {
    let mut pipe = |give: fn(&mut Command, Stdio) -> &mut Command| -> io::Result<PipeReader> {
        let (reader, writer) = io::pipe()?;
        give(command, writer.into());
        Ok(reader)
    };
    let stderr = pipe(Command::stderr)?;
    let stdout = match stdout {
        Stdout::Read => Some(pipe(Command::stdout)?),
        Stdout::Null => {
            command.stdout(Stdio::null());
            None
        }
    };
    Reader::start([stdout, Some(stderr)])
}

/// What the wait for a process gives.
struct Waited {
    wall: f64,
    overslept: f64,
    killed: Option<Ending>,
}

/// Waits for the exit; kills the group of a process that runs too long. After an
/// error the process may still run.
fn wait(pid: i32, start: Instant, timeout: Duration, interrupt: &AtomicBool) -> io::Result<Waited> {
    let exit = reap::pidfd(pid)?;
    let mut killed = None;
    let mut overslept = Duration::ZERO;
    let kill_as = |ending| {
        let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
        // It may have joined another group.
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        Some(ending)
    };
    loop {
        // Before the first nap as well: short runs end within one.
        if killed.is_none() && interrupt.load(Ordering::Relaxed) {
            killed = kill_as(Ending::Interrupted);
        }
        let left = timeout.saturating_sub(start.elapsed());
        let nap = if killed.is_some() {
            GLANCE
        } else {
            left.min(GLANCE)
        };
        let before = Instant::now();
        // Also with no time left: karat may have slept through the exit.
        let exited = has_exited(&exit, nap)?;
        let now = Instant::now();
        overslept = overslept.max((now - before).saturating_sub(nap));
        if exited {
            return Ok(Waited {
                wall: (now - start).as_secs_f64(),
                overslept: overslept.as_secs_f64(),
                killed,
            });
        }
        if killed.is_none() && now - start >= timeout {
            killed = kill_as(Ending::TimedOut);
        }
    }
}

/// Whether the process has exited after at most `nap`.
fn has_exited(exit: &OwnedFd, nap: Duration) -> io::Result<bool> {
    let mut fds = [PollFd::new(exit.as_fd(), PollFlags::POLLIN)];
    let millis = u16::try_from(nap.as_millis() + 1).unwrap_or(u16::MAX);
    match poll(&mut fds, PollTimeout::from(millis)) {
        Ok(_) => Ok(fds[0].revents().is_some_and(|r| !r.is_empty())),
        Err(nix::errno::Errno::EINTR) => Ok(false),
        Err(e) => Err(e.into()),
    }
}
