//! Starts one process and waits for its end.

use super::finished::{Ending, Finished};
use super::reap;
use super::rss::Floor;
use super::stream::Stream;
use crate::counters::Counting;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a wait looks at the interrupt flag.
const GLANCE: Duration = Duration::from_millis(100);

/// Runs `command` to its end, with /dev/null as stdin.
///
/// # Errors
/// When the program cannot be started or waited for.
pub fn run(
    command: &mut Command,
    timeout: Duration,
    interrupt: &AtomicBool,
) -> io::Result<Finished> {
    run_with(command, Stdio::null(), None, timeout, interrupt)
}

/// Runs `command` to its end, with `stdin` and opened counters.
pub(super) fn run_with(
    command: &mut Command,
    stdin: Stdio,
    counting: Option<Counting>,
    timeout: Duration,
    interrupt: &AtomicBool,
) -> io::Result<Finished> {
    command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    reap::adopt_orphans();
    let floor = Floor::now();
    let start = Instant::now();
    let mut child = command.spawn()?;
    let pid = child.id() as i32;
    let group = Pid::from_raw(pid);
    let waited = wait(&mut child, start, timeout, interrupt);
    // Whatever the process started and left behind must not run into the next
    // measurement, nor hold the pipes open. It has exited but is not reaped yet,
    // so its number cannot be anybody else's.
    let _ = killpg(group, Signal::SIGKILL);
    let (status, usage) = reap::reap(pid)?;
    let left = reap::bury(group);
    let mut waited = waited?;
    let counts = match counting {
        Some(counting) => counting.read()?,
        None => Vec::new(),
    };
    waited.stdout.drain()?;
    waited.stderr.drain()?;
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6;
    let count = |n: libc::c_long| u64::try_from(n).unwrap_or(0);
    Ok(Finished {
        ending: waited.killed.unwrap_or_else(|| Ending::from_status(status)),
        stdout: waited.stdout.kept,
        stderr: waited.stderr.kept,
        wall: waited.wall,
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        switches: count(usage.ru_nivcsw),
        waits: count(usage.ru_nvcsw),
        minor_faults: count(usage.ru_minflt),
        major_faults: count(usage.ru_majflt),
        // Linux counts it in KiB.
        peak_rss: floor.told_apart(count(usage.ru_maxrss) * 1024),
        rss_floor: floor.bytes(),
        left_running: if waited.killed.is_some() { 0 } else { left },
        counts,
    })
}

/// What the wait for a process gives.
struct Waited {
    wall: f64,
    killed: Option<Ending>,
    stdout: Stream,
    stderr: Stream,
}

/// Waits for the exit and takes the output meanwhile; kills the group of a
/// process that runs too long. After an error the process may still run.
fn wait(
    child: &mut Child,
    start: Instant,
    timeout: Duration,
    interrupt: &AtomicBool,
) -> io::Result<Waited> {
    let pid = child.id() as i32;
    let exit = reap::pidfd(pid)?;
    let mut stdout = Stream::new(child.stdout.take().map(OwnedFd::from))?;
    let mut stderr = Stream::new(child.stderr.take().map(OwnedFd::from))?;
    let mut killed = None;
    let wall = loop {
        let left = timeout.saturating_sub(start.elapsed());
        if killed.is_none() && (left.is_zero() || interrupt.load(Ordering::Relaxed)) {
            killed = Some(if left.is_zero() {
                Ending::TimedOut
            } else {
                Ending::Interrupted
            });
            let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
            // It may have joined another group.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        let wait = if killed.is_some() {
            GLANCE
        } else {
            left.min(GLANCE)
        };
        let ready = wait_for(&exit, &stdout, &stderr, wait)?;
        if ready[0] {
            break start.elapsed().as_secs_f64();
        }
        if ready[1] {
            stdout.read_some()?;
        }
        if ready[2] {
            stderr.read_some()?;
        }
    };
    Ok(Waited {
        wall,
        killed,
        stdout,
        stderr,
    })
}

/// Which of exit, stdout and stderr have something to say.
fn wait_for(
    exit: &OwnedFd,
    stdout: &Stream,
    stderr: &Stream,
    wait: Duration,
) -> io::Result<[bool; 3]> {
    let open: Vec<(usize, BorrowedFd<'_>)> = [
        Some(exit.as_fd()),
        stdout.fd.as_ref().map(AsFd::as_fd),
        stderr.fd.as_ref().map(AsFd::as_fd),
    ]
    .into_iter()
    .enumerate()
    .filter_map(|(i, fd)| Some((i, fd?)))
    .collect();
    let mut fds: Vec<PollFd<'_>> = open
        .iter()
        .map(|(_, fd)| PollFd::new(*fd, PollFlags::POLLIN))
        .collect();
    let millis = u16::try_from(wait.as_millis() + 1).unwrap_or(u16::MAX);
    match poll(&mut fds, PollTimeout::from(millis)) {
        Ok(_) => {}
        Err(nix::errno::Errno::EINTR) => return Ok([false; 3]),
        Err(e) => return Err(e.into()),
    }
    let mut ready = [false; 3];
    for ((i, _), fd) in open.iter().zip(&fds) {
        ready[*i] = fd.revents().is_some_and(|r| !r.is_empty());
    }
    Ok(ready)
}
