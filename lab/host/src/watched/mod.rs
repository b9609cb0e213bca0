//! A process and all that descend from it, watched through files of /proc: nothing is
//! attached to them, and they notice nothing but that the kernel holds the lock of their
//! memory map for the moment in which it adds the map up.

mod group;
mod numbers;

use crate::disturbance::clock_seconds;
use karat_model::soak::{Memory, Reading};
use numbers::{Stat, field, rollup, switches};
use std::fmt;
use std::fs::{self, read_to_string};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Share of the time between two samples that adding up memory maps may take. The cost
/// grows with the memory: some milliseconds a GiB in small pages.
const MEMORY_SHARE: f64 = 0.005;

/// Descendants that are looked for at most: a tree that grows without end must not hold
/// its watcher for ever.
const MOST: usize = 4096;

/// Why a process cannot be watched.
#[derive(Debug)]
pub enum WatchError {
    /// There is none of this number.
    NoSuch(u32),
    /// It is a thread of the kernel.
    Kernel(u32),
    /// It belongs to somebody else.
    Denied {
        /// Its number.
        pid: u32,
        /// The number of its user, if that can be read.
        user: Option<String>,
    },
    /// It was there, and is gone.
    Gone,
    /// Something else is wrong.
    Io(io::Error),
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuch(pid) => write!(f, "there is no process {pid}; `ps` lists those there are"),
            Self::Kernel(pid) => write!(
                f,
                "process {pid} is a thread of the kernel, which has no memory of its own"
            ),
            Self::Denied { pid, user } => {
                write!(f, "karat may not look into process {pid}")?;
                if let Some(user) = user {
                    write!(f, " of user {user}")?;
                }
                f.write_str("; run karat as that user or as root")
            }
            Self::Gone => f.write_str("the process has ended"),
            Self::Io(error) => write!(f, "the process cannot be looked at: {error}"),
        }
    }
}

impl std::error::Error for WatchError {}

/// A watched process.
#[derive(Debug)]
pub struct Watched {
    pid: u32,
    /// Ticks since the system's start: with the number, they name a process.
    started: u64,
    /// The file that tells the memory of its control group.
    group: Option<PathBuf>,
    /// When memory is added up again.
    due: Option<Instant>,
}

impl Watched {
    /// The process `pid`.
    ///
    /// # Errors
    /// When there is none, or karat may not look into it.
    pub fn new(pid: u32) -> Result<Self, WatchError> {
        let stat = match Stat::of(pid) {
            Ok(stat) => stat,
            Err(e) if gone(&e) => return Err(WatchError::NoSuch(pid)),
            Err(e) => return Err(WatchError::Io(e)),
        };
        if stat.is_kernel() {
            return Err(WatchError::Kernel(pid));
        }
        // What needs the right to trace it (ptrace(2), access mode checks).
        for file in ["smaps_rollup", "fd"] {
            let path = of(pid, file);
            let read = match file {
                "fd" => fs::read_dir(&path).map(drop),
                _ => read_to_string(&path).map(drop),
            };
            match read {
                Err(e) if e.kind() == ErrorKind::PermissionDenied => {
                    return Err(WatchError::Denied {
                        pid,
                        user: user(pid),
                    });
                }
                Err(e) if gone(&e) && !of(pid, "").exists() => return Err(WatchError::Gone),
                // A kernel before 4.14 has no rollup, and a process that is just ending
                // has no memory any more: both are told by what is missing later.
                _ => {}
            }
        }
        Ok(Self {
            pid,
            started: stat.started,
            group: group::memory_file(pid),
            due: None,
        })
    }

    /// Its number.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// What names the process among all since the system's start.
    #[must_use]
    pub fn identity(&self) -> (u32, u64) {
        (self.pid, self.started)
    }

    /// It and all that descend from it.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        tree(self.pid)
    }

    /// Whether it still runs. One that nobody has waited for yet has ended all the same.
    #[must_use]
    pub fn runs(&self) -> bool {
        Stat::of(self.pid).is_ok_and(|s| s.started == self.started && !s.is_over())
    }

    /// Looks at it and at its descendants. Memory is added up when it is due: always, unless
    /// that takes more than 0.5 % of the time `every` between two looks.
    ///
    /// # Errors
    /// [`WatchError::Gone`] when it has ended.
    pub fn read(&mut self, every: Duration) -> Result<Reading, WatchError> {
        let own = Stat::of(self.pid).map_err(|_| WatchError::Gone)?;
        if own.started != self.started || own.is_over() {
            return Err(WatchError::Gone);
        }
        let now = Instant::now();
        let due = self.due.is_none_or(|due| now >= due);
        let mut out = Reading::default();
        let mut memory = due.then(Memory::default);
        let mut spent = 0.0;
        for pid in tree(self.pid) {
            // One that ended in between is left out.
            let Ok(stat) = Stat::of(pid) else { continue };
            out.processes += 1;
            out.threads += stat.threads;
            out.cpu += stat.cpu;
            out.minor_faults += stat.minor_faults;
            out.major_faults += stat.major_faults;
            out.files += files(pid);
            let (waits, forced) = switched(pid);
            out.waits += waits;
            out.switches += forced;
            if let Some(count) = transfers(pid) {
                *out.transfers.get_or_insert(0) += count;
            }
            if let Some(sum) = &mut memory {
                // Its own time: waiting for a processor costs the program nothing.
                let begun = clock_seconds(libc::CLOCK_THREAD_CPUTIME_ID);
                match read_to_string(of(pid, "smaps_rollup")) {
                    Ok(text) => add(sum, rollup(&text)),
                    // Without the main process's the sum is none.
                    Err(_) if pid == self.pid => memory = None,
                    Err(_) => {}
                }
                spent += clock_seconds(libc::CLOCK_THREAD_CPUTIME_ID) - begun;
            }
        }
        if due {
            // Rounded down: a look a moment before the next sample must not miss it.
            let rest = Duration::from_secs_f64((spent / MEMORY_SHARE).max(0.0));
            self.due = Some(now + rest.saturating_sub(every / 2));
        }
        out.memory = memory.filter(|m| m.rss > 0);
        Ok(out)
    }

    /// Bytes charged to the control group that the process is in, whoever else is in it;
    /// `None` where there is no such account.
    #[must_use]
    pub fn group_memory(&self) -> Option<u64> {
        let text = read_to_string(self.group.as_ref()?).ok()?;
        text.trim().parse().ok()
    }
}

/// The command line of a process, its words apart; nothing of one that has none.
#[must_use]
pub fn command_line(pid: u32) -> Vec<String> {
    let bytes = fs::read(of(pid, "cmdline")).unwrap_or_default();
    let words = bytes.split(|byte| *byte == 0);
    let mut words: Vec<String> = words
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    // Each word ends in a zero byte.
    words.pop();
    words
}

fn of(pid: u32, file: &str) -> PathBuf {
    Path::new("/proc").join(pid.to_string()).join(file)
}

/// What the kernel says of a process that ended before or while it was read.
fn gone(error: &io::Error) -> bool {
    error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(libc::ESRCH)
}

fn user(pid: u32) -> Option<String> {
    let status = read_to_string(of(pid, "status")).ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("Uid:"))?;
    Some(line.split_whitespace().next()?.to_owned())
}

/// The process and all that descend from it.
fn tree(root: u32) -> Vec<u32> {
    let mut all = vec![root];
    let mut next = 0;
    while next < all.len() && all.len() < MOST {
        let pid = all[next];
        next += 1;
        for task in tasks(pid) {
            let path = of(pid, "task").join(task.to_string()).join("children");
            let text = read_to_string(path).unwrap_or_default();
            all.extend(
                text.split_whitespace()
                    .filter_map(|w| w.parse::<u32>().ok()),
            );
        }
    }
    all
}

/// The threads of a process.
fn tasks(pid: u32) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(of(pid, "task")) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.parse().ok())
        .collect()
}

/// Voluntary and involuntary context switches of the threads that live.
fn switched(pid: u32) -> (u64, u64) {
    let mut sum = (0, 0);
    for task in tasks(pid) {
        let path = of(pid, "task").join(task.to_string()).join("status");
        let (waits, forced) = switches(&read_to_string(path).unwrap_or_default());
        sum = (sum.0 + waits, sum.1 + forced);
    }
    sum
}

/// Open file descriptors. Linux 6.2 and later tell their number as the folder's size.
fn files(pid: u32) -> u64 {
    let path = of(pid, "fd");
    match fs::metadata(&path) {
        Ok(meta) if meta.len() > 0 => meta.len(),
        _ => fs::read_dir(&path).map_or(0, |entries| entries.count() as u64),
    }
}

/// System calls that read or write (proc_pid_io(5): `syscr` and `syscw`).
fn transfers(pid: u32) -> Option<u64> {
    let text = read_to_string(of(pid, "io")).ok()?;
    Some(field(&text, "syscr:")? + field(&text, "syscw:")?)
}

fn add(sum: &mut Memory, one: Memory) {
    sum.rss += one.rss;
    sum.pss += one.pss;
    sum.anonymous += one.anonymous;
    sum.huge += one.huge;
    sum.swap += one.swap;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_read() {
        let mut watched = Watched::new(std::process::id()).unwrap();
        let before = watched.read(Duration::from_secs(1)).unwrap();
        let memory = before.memory.expect("memory is due at first");
        assert!(
            memory.rss >= memory.anonymous && memory.anonymous > 0,
            "{memory:?}"
        );
        assert!(memory.pss <= memory.rss && before.files > 2 && before.threads >= 1);
        let block = std::hint::black_box(vec![1_u8; 32 << 20]);
        watched.due = None;
        let after = watched.read(Duration::from_secs(1)).unwrap();
        let grown = after
            .memory
            .unwrap()
            .anonymous
            .saturating_sub(memory.anonymous);
        assert!(grown >= 31 << 20, "{grown}");
        assert!(after.minor_faults > before.minor_faults && after.cpu >= before.cpu);
        drop(block);
    }

    #[test]
    fn memory_is_added_up_seldom_where_it_costs_much() {
        let mut watched = Watched::new(std::process::id()).unwrap();
        let every = Duration::from_nanos(10);
        assert!(watched.read(every).unwrap().memory.is_some());
        assert!(watched.read(every).unwrap().memory.is_none());
    }

    #[test]
    fn what_cannot_be_watched_says_why() {
        // Above the largest number that a process can have.
        let none = Watched::new((1 << 22) + 1).unwrap_err();
        assert!(none.to_string().contains("no process 4194305"), "{none}");
        // In a container there may be no such thread, and process 2 may be a program.
        if command_line(2).is_empty() && of(2, "").exists() {
            let kernel = Watched::new(2).unwrap_err();
            assert!(kernel.to_string().contains("kernel"), "{kernel}");
        }
        let mut other = Watched::new(std::process::id()).unwrap();
        other.started += 1;
        assert!(!other.runs());
        let read = other.read(Duration::from_secs(1));
        assert!(matches!(read, Err(WatchError::Gone)), "{read:?}");
    }

    #[test]
    fn a_command_line_has_its_words() {
        let words = command_line(std::process::id());
        assert_eq!(words[0], std::env::args().next().unwrap());
        assert_eq!(words.len(), std::env::args().count());
    }
}
