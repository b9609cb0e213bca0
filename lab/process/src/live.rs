//! A process that is looked at while it runs: its lines as they come, and its end when it
//! comes or is asked for.

use crate::finished::Ending;
use crate::leftovers::{Reach, Scope};
use crate::reap;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes that one call reads.
const CHUNK: usize = 64 << 10;

/// Reads of one stream in a row, so that a program that prints without end does not keep
/// its reader from everything else.
const TURN: usize = 16;

/// Longest line that is given whole; of a longer one its beginning is.
const LINE: usize = 64 << 10;

/// Last lines that are kept to tell why a program ended.
const LAST: usize = 5;

/// How a process that was looked at ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How.
    pub ending: Ending,
    /// User plus system seconds, with those of children it waited for.
    pub cpu: f64,
    /// Page faults without and with input, of it and of such children.
    pub faults: (u64, u64),
    /// Voluntary and involuntary context switches, likewise.
    pub switches: (u64, u64),
    /// Processes of its that were still running when it ended; they were killed.
    pub left_running: u32,
    /// Its last lines: those of stderr, or of stdout when stderr was silent.
    pub last_lines: Vec<String>,
}

/// A running process with its output in pipes and /dev/null as stdin. Dropped, it is
/// killed, with all that it started.
pub struct Live {
    scope: Scope,
    pid: i32,
    exit: OwnedFd,
    streams: [Lines; 2],
    started: Instant,
    /// Whether it has been waited for.
    reaped: bool,
}

impl Live {
    /// Starts `command`.
    ///
    /// # Errors
    /// When it cannot be started, or something that an earlier run left cannot be killed.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let scope = Scope::open()?;
        let (stdout, out) = io::pipe()?;
        let (stderr, err) = io::pipe()?;
        command
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err)
            .process_group(0);
        let started = Instant::now();
        let spawned = scope.spawn(command);
        // The command holds the pipes' ends that only the child may hold.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let pid = spawned?.id() as i32;
        let opened = reap::pidfd(pid).and_then(|exit| {
            let streams = [Lines::new(stdout)?, Lines::new(stderr)?];
            Ok((exit, streams))
        });
        match opened {
            Ok((exit, streams)) => Ok(Self {
                scope,
                pid,
                exit,
                streams,
                started,
                reaped: false,
            }),
            Err(error) => {
                let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
                let _ = reap::reap(pid);
                scope.reaped(pid);
                Err(error)
            }
        }
    }

    /// Its number.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid.unsigned_abs()
    }

    /// When it was started.
    #[must_use]
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Whether it has exited; reads nothing.
    ///
    /// # Errors
    /// When that cannot be asked.
    pub fn exited(&self) -> io::Result<bool> {
        let mut fds = [PollFd::new(self.exit.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, PollTimeout::ZERO) {
            Ok(_) => Ok(fds[0].revents().is_some_and(|r| !r.is_empty())),
            Err(nix::errno::Errno::EINTR) => Ok(false),
            Err(e) => Err(e.into()),
        }
    }

    /// Waits until `until`, and gives each whole line to `line` as it comes, of stdout and
    /// of stderr alike. Whether the process has exited, which ends the wait; so does a
    /// signal to karat.
    ///
    /// # Errors
    /// When the pipes cannot be waited for or read.
    pub fn wait(&mut self, until: Instant, line: &mut dyn FnMut(&str)) -> io::Result<bool> {
        let exited = Self::wait_any(&mut [self], until, &mut |_, text| line(text))?;
        Ok(exited.is_some())
    }

    /// The same of several at once: the place of one that has exited, and with each line
    /// the place of the one that printed it.
    ///
    /// # Errors
    /// When the pipes cannot be waited for or read.
    pub fn wait_any(
        all: &mut [&mut Self],
        until: Instant,
        line: &mut dyn FnMut(usize, &str),
    ) -> io::Result<Option<usize>> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (exited, interrupted) = Self::poll(all, left)?;
            let mut more = false;
            for (place, one) in all.iter_mut().enumerate() {
                for stream in &mut one.streams {
                    more |= stream.read_some(&mut |text| line(place, text))?;
                }
            }
            // What it printed last is read before its end is told.
            let told = exited.is_some() && !more;
            if told || interrupted || Instant::now() >= until {
                return Ok(exited);
            }
        }
    }

    /// Waits for an exit, for output, or for the time; which one has exited, and whether a
    /// signal ended the wait.
    fn poll(all: &[&mut Self], left: Duration) -> io::Result<(Option<usize>, bool)> {
        let exits = all.iter().map(|one| one.exit.as_fd());
        let mut fds: Vec<PollFd<'_>> = exits.map(|fd| PollFd::new(fd, PollFlags::POLLIN)).collect();
        let open = all.iter().flat_map(|one| &one.streams);
        let pipes = open.filter_map(|stream| stream.pipe.as_ref());
        fds.extend(pipes.map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)));
        // Rounded up: a wait of less than a millisecond would be a busy one.
        let millis = u16::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u16::MAX);
        match poll(&mut fds, PollTimeout::from(millis)) {
            Ok(_) => {
                let ended = |fd: &PollFd<'_>| fd.revents().is_some_and(|r| !r.is_empty());
                Ok((fds[..all.len()].iter().position(ended), false))
            }
            Err(nix::errno::Errno::EINTR) => Ok((None, true)),
            Err(e) => Err(e.into()),
        }
    }

    /// Ends it, if it still runs: SIGTERM to its process group, after `grace` SIGKILL to
    /// all that it started. Lines that it prints meanwhile are given to `line`.
    ///
    /// # Errors
    /// When it cannot be waited for, or something that it left cannot be killed.
    pub fn end(mut self, grace: Duration, line: &mut dyn FnMut(&str)) -> io::Result<Ended> {
        let group = Pid::from_raw(self.pid);
        let mut exited = self.exited()?;
        let asked = !exited;
        if !exited {
            let _ = killpg(group, Signal::SIGTERM);
            let until = Instant::now() + grace;
            while !exited && Instant::now() < until {
                exited = self.wait(until, line)?;
            }
        }
        self.finish(asked, line)
    }

    fn finish(&mut self, asked: bool, line: &mut dyn FnMut(&str)) -> io::Result<Ended> {
        let group = Pid::from_raw(self.pid);
        // It is not reaped yet, so that its number cannot be anybody else's.
        let _ = killpg(group, Signal::SIGKILL);
        // It may have joined another group.
        let _ = kill(group, Signal::SIGKILL);
        let (status, usage) = reap::reap(self.pid)?;
        self.reaped = true;
        self.scope.reaped(self.pid);
        let left = self.scope.clear(Reach::All)?;
        for stream in &mut self.streams {
            while stream.read_some(line)? {}
        }
        let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6;
        let count = |n: libc::c_long| u64::try_from(n).unwrap_or(0);
        let [stdout, stderr] = &self.streams;
        let said = if stderr.last.is_empty() {
            stdout
        } else {
            stderr
        };
        Ok(Ended {
            ending: Ending::from_status(status),
            cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            faults: (count(usage.ru_minflt), count(usage.ru_majflt)),
            switches: (count(usage.ru_nvcsw), count(usage.ru_nivcsw)),
            left_running: if asked { 0 } else { left },
            last_lines: said.last.clone(),
        })
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if !self.reaped {
            // Whoever drops it has an error of more weight to tell.
            let _ = self.finish(true, &mut |_| {});
        }
    }
}

/// One of its streams, line by line.
struct Lines {
    pipe: Option<PipeReader>,
    /// The beginning of a line whose end has not come.
    begun: Vec<u8>,
    last: Vec<String>,
}

impl Lines {
    fn new(pipe: PipeReader) -> io::Result<Self> {
        fcntl(&pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(Self {
            pipe: Some(pipe),
            begun: Vec::new(),
            last: Vec::new(),
        })
    }

    /// Reads what is there, some of it if that is much; whether there may be more at once.
    fn read_some(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<bool> {
        let mut buffer = [0; CHUNK];
        for _ in 0..TURN {
            let Some(pipe) = &mut self.pipe else {
                return Ok(false);
            };
            match pipe.read(&mut buffer) {
                Ok(0) => {
                    self.pipe = None;
                    if !self.begun.is_empty() {
                        self.whole(line);
                    }
                    return Ok(false);
                }
                Ok(n) => self.take(&buffer[..n], line),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(true)
    }

    fn take(&mut self, bytes: &[u8], line: &mut dyn FnMut(&str)) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let ends = piece.ends_with(b"\n");
            let room = LINE.saturating_sub(self.begun.len());
            self.begun
                .extend_from_slice(&piece[..piece.len().min(room)]);
            if ends {
                self.whole(line);
            }
        }
    }

    fn whole(&mut self, line: &mut dyn FnMut(&str)) {
        let bytes = std::mem::take(&mut self.begun);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        line(text);
        if self.last.len() == LAST {
            self.last.remove(0);
        }
        self.last.push(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Live {
        Live::start(Command::new("sh").args(["-c", script])).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn lines_come_while_it_runs_and_its_end_is_told() {
        let mut live = shell("echo one; echo two >&2; printf half; sleep 0.05; echo -line; exit 3");
        let mut lines = Vec::new();
        while !live
            .wait(soon(), &mut |l| lines.push(l.to_owned()))
            .unwrap()
        {}
        lines.sort();
        assert_eq!(lines, ["half-line", "one", "two"]);
        let ended = live.end(Duration::from_secs(5), &mut |_| {}).unwrap();
        assert_eq!(ended.ending, Ending::Exit(3));
        assert_eq!(ended.last_lines, ["two"]);
        assert_eq!(ended.left_running, 0);
    }

    #[test]
    fn the_wait_ends_with_its_time() {
        let mut live = shell("sleep 60");
        let until = Instant::now() + Duration::from_millis(30);
        assert!(!live.wait(until, &mut |_| {}).unwrap());
        assert!(Instant::now() >= until);
        let ended = live.end(Duration::from_secs(5), &mut |_| {}).unwrap();
        assert_eq!(ended.ending, Ending::Signal(libc::SIGTERM));
    }

    #[test]
    fn what_ignores_the_request_is_killed_with_its_children() {
        let mut live = shell("trap '' TERM; sleep 61 & echo $!; while :; do sleep 0.01; done");
        let mut child = String::new();
        while child.is_empty() {
            live.wait(Instant::now() + Duration::from_millis(5), &mut |l| {
                child = l.to_owned();
            })
            .unwrap();
        }
        let ended = live.end(Duration::from_millis(50), &mut |_| {}).unwrap();
        assert_eq!(ended.ending, Ending::Signal(libc::SIGKILL));
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat"));
        assert!(stat.is_err(), "{stat:?}");
    }

    #[test]
    fn a_dropped_one_is_gone() {
        let pid = shell("sleep 62").pid();
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    }
}
