//! What a run leaves running: found, killed, and waited for.
//!
//! karat is the reaper of its descendants (`PR_SET_CHILD_SUBREAPER`): one whose
//! parent ends becomes karat's own child, whatever process group or session it has
//! moved to. So everything that a program leaves hangs on a child of karat that
//! karat did not start: a stranger. Killing a stranger makes strangers of its
//! children; when none is left, nothing is left. The kernel hands orphans to the
//! first thread of the reaper that lives (`find_new_reaper` in kernel/exit.c), so
//! the children of the main thread are all there is to read.
//!
//! A control group would be killed in one call, but needs to be delegated, and a
//! child enters it only by a slow move or by a start that std does not know. It
//! would find the same processes, and could kill those of other users.

use super::guard;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpgrp};
use std::fmt::Write as _;
use std::fs::read_to_string;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A killed process is gone in microseconds, unless it waits for a device or has
/// much memory to give back.
const LONGEST_DEATH: Duration = Duration::from_secs(10);

/// Between two looks at a process that dies.
const GLANCE: Duration = Duration::from_micros(50);

/// Processes named in an error.
const NAMED: usize = 4;

/// All runs of this process, on whatever thread.
static RUNS: Mutex<Runs> = Mutex::new(Runs {
    begun: false,
    opened: 0,
    known: Vec::new(),
    active: Vec::new(),
});

struct Runs {
    begun: bool,
    /// Numbers given so far.
    opened: u64,
    /// Children from before the first run, and the guard.
    known: Vec<i32>,
    active: Vec<Active>,
}

struct Active {
    number: u64,
    /// When it began, in ticks since the system's start.
    since: u64,
    /// The process groups of what it started.
    groups: Vec<i32>,
    /// Its child, until that is reaped.
    child: Option<i32>,
    /// What its setup left for the program.
    spared: Vec<i32>,
}

fn runs() -> MutexGuard<'static, Runs> {
    // Numbers only, which are whole at every moment.
    RUNS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One run from before its setup until after its cleanup. Until it is dropped,
/// what other runs find is told from its own.
pub(super) struct Scope {
    number: u64,
}

/// What to look for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// What is still in a process group of the run.
    Groups,
    /// Whatever the run started.
    All,
}

impl Scope {
    /// Begins a run, after the end of everything that earlier ones left.
    ///
    /// # Errors
    /// See [`Scope::clear`].
    pub(super) fn open() -> io::Result<Self> {
        let scope = {
            let mut runs = runs();
            if !runs.begun {
                runs.begin();
            }
            runs.opened += 1;
            let number = runs.opened;
            runs.active.push(Active {
                number,
                since: ticks_now(),
                groups: Vec::new(),
                child: None,
                spared: Vec::new(),
            });
            Self { number }
        };
        scope.clear(Reach::All)?;
        Ok(scope)
    }

    /// Starts a child that is known to be karat's.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        // Held over the start: in between the child would be a stranger to others.
        let mut runs = runs();
        let child = command.spawn()?;
        let pid = child.id() as i32;
        guard::watch(pid);
        let own = runs.own(self.number);
        own.groups.push(pid);
        own.child = Some(pid);
        Ok(child)
    }

    /// To be said when the child has been waited for.
    pub(super) fn reaped(&self, pid: i32) {
        guard::forget(pid);
        runs().own(self.number).child = None;
    }

    /// Lets live what the setup has left, until [`Scope::clear_spared`].
    pub(super) fn spare(&self) {
        let mut runs = runs();
        let found = runs.strangers(self.number, Reach::All);
        runs.own(self.number).spared = found;
    }

    /// Whether the setup left something.
    pub(super) fn clear_spared(&self) -> io::Result<()> {
        let spared = std::mem::take(&mut runs().own(self.number).spared);
        if spared.is_empty() {
            return Ok(());
        }
        self.clear(Reach::All).map(drop)
    }

    /// Kills what the run has left, waits until nothing of it is there, so that no
    /// exit falls into the next measurement, and counts those that the kill ended.
    ///
    /// # Errors
    /// When something cannot be killed: it names what.
    pub(super) fn clear(&self, reach: Reach) -> io::Result<u32> {
        let start = Instant::now();
        let mut killed = 0;
        loop {
            let found = runs().strangers(self.number, reach);
            if found.is_empty() {
                return Ok(killed);
            }
            let mut refused = Vec::new();
            for pid in found.iter().copied().map(Pid::from_raw) {
                if kill(pid, Signal::SIGKILL) == Err(Errno::EPERM) {
                    refused.push(pid.as_raw());
                }
                // Not those that had ended before the kill.
                let ended = waitpid(pid, Some(WaitPidFlag::WNOHANG));
                if matches!(ended, Ok(WaitStatus::Signaled(_, Signal::SIGKILL, _))) {
                    killed += 1;
                }
            }
            if found.iter().all(|pid| refused.contains(pid)) {
                return Err(survivors(&refused, "which karat may not kill"));
            }
            if start.elapsed() > LONGEST_DEATH {
                return Err(survivors(&found, "which do not end when killed"));
            }
            std::thread::sleep(GLANCE);
        }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        // An error on the way here is told; this one would only hide it.
        let _ = self.clear_spared();
        runs().active.retain(|a| a.number != self.number);
    }
}

impl Runs {
    fn begin(&mut self) {
        // Without it (Linux before 3.4) what leaves its group is not found.
        let _ = nix::sys::prctl::set_child_subreaper(true);
        self.known = children();
        self.known.extend(guard::start());
        self.begun = true;
    }

    fn own(&mut self, number: u64) -> &mut Active {
        let found = self.active.iter_mut().find(|a| a.number == number);
        found.expect("a run is active as long as its scope")
    }

    /// Children of karat that the run left.
    ///
    /// Of those that are in no group of a run that is under way, nothing says who
    /// started them: they are this run's if no other is under way that could have.
    fn strangers(&self, number: u64, reach: Reach) -> Vec<i32> {
        let ours = getpgrp().as_raw();
        let mut out = Vec::new();
        for pid in children() {
            let known = self.known.contains(&pid)
                || self
                    .active
                    .iter()
                    .any(|a| a.child == Some(pid) || a.spared.contains(&pid));
            let Some(stat) = (!known).then(|| Stat::of(pid)).flatten() else {
                continue;
            };
            // What std started elsewhere in karat stays in karat's own group.
            if stat.group == ours {
                continue;
            }
            let in_group = self.active.iter().find(|a| a.groups.contains(&stat.group));
            let is_ours = match in_group {
                Some(run) => run.number == number,
                None => {
                    let older = |a: &Active| a.number == number || stat.started < a.since;
                    reach == Reach::All && self.active.iter().all(older)
                }
            };
            if is_ours {
                out.push(pid);
            }
        }
        out
    }
}

/// Children of the main thread.
fn children() -> Vec<i32> {
    let own = std::process::id();
    let numbers = |text: &str| text.split_whitespace().flat_map(str::parse).collect();
    match read_to_string(format!("/proc/self/task/{own}/children")) {
        Ok(text) => numbers(&text),
        // A kernel without CONFIG_PROC_CHILDREN.
        Err(_) => {
            let Ok(all) = std::fs::read_dir("/proc") else {
                return Vec::new();
            };
            let pid = |e: io::Result<std::fs::DirEntry>| e.ok()?.file_name().to_str()?.parse().ok();
            let own = own as i32;
            all.filter_map(pid)
                .filter(|pid| Stat::of(*pid).is_some_and(|s| s.parent == own))
                .collect()
        }
    }
}

/// What /proc/PID/stat says (proc_pid_stat(5)).
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    parent: i32,
    group: i32,
    /// Ticks since the system's start.
    started: u64,
}

impl Stat {
    fn of(pid: i32) -> Option<Self> {
        Self::parse(&read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        // The name, in parentheses, may hold anything.
        let (_, rest) = text.rsplit_once(')')?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        Some(Self {
            parent: words.get(1)?.parse().ok()?,
            group: words.get(2)?.parse().ok()?,
            started: words.get(19)?.parse().ok()?,
        })
    }
}

/// The present in ticks since the system's start, rounded down as the kernel does.
fn ticks_now() -> u64 {
    // SAFETY: sysconf takes a number and returns one.
    let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    let seconds = karat_host::disturbance::clock_seconds(libc::CLOCK_BOOTTIME);
    (seconds * per_second as f64) as u64
}

fn survivors(pids: &[i32], why: &str) -> io::Error {
    let mut text = format!("the run left processes behind, {why}:");
    for pid in pids.iter().take(NAMED) {
        let name = read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        let status = read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("Uid:"));
        let user = line.and_then(|l| l.split_whitespace().next());
        let _ = write!(
            text,
            " {pid} ({} of user {}),",
            name.trim_end(),
            user.unwrap_or("?")
        );
    }
    if pids.len() > NAMED {
        let _ = write!(text, " and {} more,", pids.len() - NAMED);
    }
    let text = text.trim_end_matches(',');
    io::Error::other(format!(
        "{text}; they would disturb every run after it: end them by hand, or let the program \
         wait for what it starts"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_break_the_reading_of_a_process() {
        let text = "7 (a) b (c) S 3 5 5 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 1234 0 0\n";
        let expected = Stat {
            parent: 3,
            group: 5,
            started: 1234,
        };
        assert_eq!(Stat::parse(text), Some(expected));
        assert_eq!(Stat::parse("7 (a) S 3"), None);
        assert_eq!(Stat::parse(""), None);
    }

    #[test]
    fn a_process_started_now_is_not_older_than_now() {
        let before = ticks_now();
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let started = Stat::of(child.id() as i32).unwrap().started;
        child.kill().unwrap();
        child.wait().unwrap();
        let after = ticks_now();
        assert!(
            (before..=after).contains(&started),
            "{before} {started} {after}"
        );
    }
}
