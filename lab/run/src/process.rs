//! Starts one process, waits for it with a time-out, and accounts for it.
//!
//! The child gets a process group of its own: what it leaves running is killed,
//! and a Ctrl-C at the terminal reaches karat first.

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Output kept of each stream; what exceeds it is read and dropped.
const KEEP: usize = 16 << 20;

/// How often a wait looks at the interrupt flag.
const GLANCE: Duration = Duration::from_millis(100);

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
    /// User plus system seconds, with those of children it waited for.
    pub cpu: f64,
    /// Largest resident memory in bytes, if it can be told.
    pub rss: Option<u64>,
    /// Page faults, minor and major.
    pub faults: u64,
    /// Voluntary context switches.
    pub waits: u64,
    /// Involuntary context switches.
    pub switches: u64,
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

/// Runs `command` to its end.
///
/// # Errors
/// When the program cannot be started or waited for.
pub fn run(
    command: &mut Command,
    timeout: Duration,
    interrupt: &AtomicBool,
) -> io::Result<Finished> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let pid = child.id() as i32;
    let group = Pid::from_raw(pid);
    let exit = pidfd(pid)?;
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
            let _ = killpg(group, Signal::SIGKILL);
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
    // Whatever the process started and left behind must not run into the next
    // measurement, nor hold the pipes open. It has exited but is not reaped yet,
    // so its number cannot be anybody else's.
    let _ = killpg(group, Signal::SIGKILL);
    let (status, usage) = reap(pid)?;
    stdout.drain()?;
    stderr.drain()?;
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6;
    Ok(Finished {
        ending: killed.unwrap_or_else(|| decode(status)),
        stdout: stdout.kept,
        stderr: stderr.kept,
        wall,
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        rss: Some(usage.ru_maxrss as u64 * 1024),
        faults: (usage.ru_minflt + usage.ru_majflt).max(0) as u64,
        waits: usage.ru_nvcsw.max(0) as u64,
        switches: usage.ru_nivcsw.max(0) as u64,
    })
}

fn decode(status: i32) -> Ending {
    if libc::WIFEXITED(status) {
        Ending::Exit(libc::WEXITSTATUS(status))
    } else {
        Ending::Signal(libc::WTERMSIG(status))
    }
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

/// The read end of one of the child's streams.
struct Stream {
    fd: Option<OwnedFd>,
    kept: Vec<u8>,
}

impl Stream {
    fn new(fd: Option<OwnedFd>) -> io::Result<Self> {
        use nix::fcntl::{FcntlArg, OFlag, fcntl};
        if let Some(fd) = &fd {
            fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        Ok(Self {
            fd,
            kept: Vec::new(),
        })
    }

    /// Reads what is there; closes at the end of the stream.
    fn read_some(&mut self) -> io::Result<bool> {
        let Some(fd) = self.fd.take() else {
            return Ok(false);
        };
        let mut file = std::fs::File::from(fd);
        let mut buffer = [0_u8; 16 << 10];
        let more = match file.read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(n) => {
                let room = KEEP.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&buffer[..n.min(room)]);
                true
            }
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => false,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => true,
            Err(e) => return Err(e),
        };
        self.fd = Some(file.into());
        Ok(more)
    }

    fn drain(&mut self) -> io::Result<()> {
        while self.read_some()? {}
        Ok(())
    }
}

/// A descriptor that becomes readable when the process exits (Linux 5.3).
fn pidfd(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: pidfd_open takes two integers and returns a new descriptor or -1.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// Waits for an exited child and takes its accounts, which std does not give.
fn reap(pid: i32) -> io::Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: rusage is plain numbers, for which all-zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live locals of the right type; `pid` is
        // our child, and nobody else waits for it (std's Child never does
        // unless asked).
        let got = unsafe { libc::wait4(pid, &mut status, 0, &mut usage) };
        if got == pid {
            return Ok((status, usage));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, seconds: f64) -> Finished {
        let never = AtomicBool::new(false);
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&mut command, Duration::from_secs_f64(seconds), &never).unwrap()
    }

    #[test]
    fn output_and_endings_are_told_apart() {
        let done = sh("echo out; echo err >&2; exit 3", 10.0);
        assert_eq!(done.ending, Ending::Exit(3));
        assert_eq!(done.stdout, b"out\n");
        assert_eq!(done.stderr, b"err\n");
        assert_eq!(sh("kill -SEGV $$", 10.0).ending, Ending::Signal(11));
        assert_eq!(done.last_lines(1), "err");
    }

    #[test]
    fn a_hung_process_is_bounded_with_its_children() {
        let start = Instant::now();
        let done = sh("sleep 60 & sleep 60", 0.2);
        assert_eq!(done.ending, Ending::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn children_left_behind_do_not_hold_us_up() {
        let start = Instant::now();
        let done = sh("sleep 60 & echo done", 30.0);
        assert_eq!(done.stdout, b"done\n");
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn more_output_than_a_pipe_holds_is_read() {
        let done = sh("head -c 3000000 /dev/zero", 30.0);
        assert_eq!(done.stdout.len(), 3_000_000);
    }

    #[test]
    fn an_interrupt_ends_the_wait() {
        let yes = AtomicBool::new(true);
        let mut command = Command::new("sleep");
        command.arg("60");
        let done = run(&mut command, Duration::from_secs(60), &yes).unwrap();
        assert_eq!(done.ending, Ending::Interrupted);
    }

    #[test]
    fn cpu_time_is_the_childs() {
        let done = sh("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", 60.0);
        assert!(done.cpu > 0.01 && done.cpu <= done.wall + 0.05);
    }
}
