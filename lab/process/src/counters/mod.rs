//! Hardware counters of one run, by perf_event_open(2).
//!
//! The counters are opened on karat's own thread right before the start, switched
//! off, with `inherit` and `enable_on_exec`: the child gets a copy that counts
//! from its exec on, with all children and threads it starts, while karat itself,
//! which never calls exec, stays uncounted. At its exit the kernel adds a child's
//! count to the original, which is read after that. No counter has to be attached
//! to a process that already runs, and the program is not held up.
//!
//! Each event is a counter of its own, not a member of a group: a group that does
//! not fit on the processor's counters never runs at all, and on most machines five
//! events fit. Where they do not, the kernel takes turns; a count is then scaled
//! by the time it was wanted over the time it ran, and [`Count::share`] says so.

use karat_host::clock;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::FromRawFd;

/// What can be counted: a type and a number of perf_event_open(2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    name: &'static str,
    kind: u32,
    config: u64,
}

impl Event {
    /// Core cycles, at whatever clock.
    pub const CYCLES: Self = Self::hardware("cycles", 0);
    /// Instructions retired.
    pub const INSTRUCTIONS: Self = Self::hardware("instructions", 1);
    /// Branches retired.
    pub const BRANCHES: Self = Self::hardware("branches", 4);
    /// Branches predicted wrongly.
    pub const BRANCH_MISSES: Self = Self::hardware("branch-misses", 5);
    /// Instruction fetches that missed the first-level cache: cache 1 (L1I),
    /// operation 0 (read), result 1 (miss).
    pub const L1_ICACHE_LOAD_MISSES: Self = Self {
        name: "L1-icache-load-misses",
        kind: 3,
        config: 1 | 1 << 16,
    };

    const fn hardware(name: &'static str, config: u64) -> Self {
        Self {
            name,
            kind: 0,
            config,
        }
    }

    /// Its name in perf-list(1).
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

/// Every event, the most useful first.
const EVENTS: [Event; 5] = [
    Event::INSTRUCTIONS,
    Event::CYCLES,
    Event::BRANCHES,
    Event::BRANCH_MISSES,
    Event::L1_ICACHE_LOAD_MISSES,
];

/// Events that this machine counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    events: Vec<Event>,
    kernel: bool,
}

impl Set {
    /// The events.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether what the kernel does for the program counts too; otherwise user
    /// code only, since `perf_event_paranoid` forbids the kernel's.
    #[must_use]
    pub const fn kernel(&self) -> bool {
        self.kernel
    }

    /// Opens the counters for what this thread starts next.
    ///
    /// # Errors
    /// When the kernel refuses one of them, such as for want of descriptors.
    pub(crate) fn open(&self) -> io::Result<Counting> {
        let open = |event: &Event| Ok((*event, open(*event, self.kernel, When::AtExec)?));
        let counters: io::Result<_> = self.events.iter().map(open).collect();
        Ok(Counting(counters?))
    }
}

/// Counters that are open.
#[derive(Debug)]
pub(crate) struct Counting(Vec<(Event, File)>);

impl Counting {
    /// Reads and closes them. To be called after the exit; an event that never
    /// ran is left out.
    pub(crate) fn read(self) -> io::Result<Vec<Count>> {
        let mut counts = Vec::new();
        for (event, mut file) in self.0 {
            counts.extend(Reading::of(&mut file)?.count(event));
        }
        Ok(counts)
    }
}

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Which event.
    pub event: Event,
    /// How often it happened: exact when `share` is 1, otherwise scaled up from
    /// the time in which it was counted.
    pub value: u64,
    /// Part of the program's processor time in which it was counted, above 0 to 1.
    pub share: f64,
}

/// The hardware counters that work here.
///
/// # Errors
/// With a plain sentence that says why there are none and what would help.
pub fn available() -> Result<Set, String> {
    let first = EVENTS[0];
    let kernel = match open(first, true, When::AtExec) {
        Ok(_) => true,
        Err(e) if denied(&e) => match open(first, false, When::AtExec) {
            Ok(_) => false,
            Err(e) => return Err(explain(&e, paranoid())),
        },
        Err(e) => return Err(explain(&e, paranoid())),
    };
    // Some virtual machines offer counters that stand still.
    let counted = || -> io::Result<u64> {
        let mut file = open(first, kernel, When::Now)?;
        clock::chain(SPIN);
        Ok(Reading::of(&mut file)?.value)
    };
    match counted() {
        Ok(n) if n >= SPIN => {}
        Ok(_) => {
            return Err(
                "the hardware counters can be opened but do not count, as in virtual machines \
                 with a broken virtual PMU"
                    .into(),
            );
        }
        Err(e) => return Err(format!("the hardware counters cannot be read: {e}")),
    }
    let works = |event: &Event| open(*event, kernel, When::AtExec).is_ok();
    let events = EVENTS.into_iter().filter(works).collect();
    Ok(Set { events, kernel })
}

/// Instructions that a working counter must see.
const SPIN: u64 = 16_000;

/// When a counter starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In this thread, at once.
    Now,
    /// In what this thread starts, at its exec.
    AtExec,
}

/// `struct perf_event_attr` of linux/perf_event.h, in its first published size
/// (PERF_ATTR_SIZE_VER0, 64 bytes), which every kernel knows.
#[repr(C)]
struct Attr {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    bp_type: u32,
    config1: u64,
}

const DISABLED: u64 = 1;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const ENABLE_ON_EXEC: u64 = 1 << 12;
/// PERF_FORMAT_TOTAL_TIME_ENABLED and PERF_FORMAT_TOTAL_TIME_RUNNING.
const WITH_TIMES: u64 = 1 | 1 << 1;
const PERF_FLAG_FD_CLOEXEC: libc::c_ulong = 1 << 3;

fn open(event: Event, kernel: bool, when: When) -> io::Result<File> {
    let mut flags = EXCLUDE_HYPERVISOR;
    if !kernel {
        flags |= EXCLUDE_KERNEL;
    }
    if when == When::AtExec {
        flags |= DISABLED | INHERIT | ENABLE_ON_EXEC;
    }
    let attr = Attr {
        kind: event.kind,
        size: size_of::<Attr>() as u32,
        config: event.config,
        sample_period: 0,
        sample_type: 0,
        read_format: WITH_TIMES,
        flags,
        wakeup_events: 0,
        bp_type: 0,
        config1: 0,
    };
    let (this_thread, any_processor, no_group) = (0, -1, -1);
    // SAFETY: the kernel reads `size` bytes of `attr`, which is alive and that
    // large, and returns a new descriptor or -1.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attr,
            this_thread,
            any_processor,
            no_group,
            PERF_FLAG_FD_CLOEXEC,
        )
    };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us alone.
    Ok(unsafe { File::from_raw_fd(fd as i32) })
}

/// What read(2) gives with [`WITH_TIMES`]; times in nanoseconds.
struct Reading {
    value: u64,
    enabled: u64,
    running: u64,
}

impl Reading {
    fn of(file: &mut File) -> io::Result<Self> {
        let mut bytes = [0_u8; 24];
        file.read_exact(&mut bytes)?;
        let (words, _) = bytes.as_chunks::<8>();
        let [value, enabled, running] = [0, 1, 2].map(|i| u64::from_ne_bytes(words[i]));
        Ok(Self {
            value,
            enabled,
            running,
        })
    }

    /// Scaled by time enabled over time running, as perf-stat(1) does.
    fn count(&self, event: Event) -> Option<Count> {
        if self.running == 0 {
            return None;
        }
        let exact = self.running >= self.enabled;
        let scaled = u128::from(self.value) * u128::from(self.enabled) / u128::from(self.running);
        Some(Count {
            event,
            value: if exact { self.value } else { scaled as u64 },
            share: if exact {
                1.0
            } else {
                self.running as f64 / self.enabled as f64
            },
        })
    }
}

fn denied(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EACCES | libc::EPERM))
}

/// The kernel's level of distrust: 2 lets everybody count user code; some
/// distributions have 3 and 4, which forbid that as well.
fn paranoid() -> Option<i32> {
    let text = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?;
    text.trim().parse().ok()
}

/// Why a counter of user code could not be opened, in a sentence.
fn explain(error: &io::Error, paranoid: Option<i32>) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV | libc::ENXIO) => {
            "this machine has no hardware PMU that the kernel knows, as most virtual machines: \
             counters need bare metal or a host that passes them on"
                .into()
        }
        Some(libc::ENOSYS) => "the system call perf_event_open is missing: the kernel was built \
                               without it, or a seccomp filter of the container hides it"
            .into(),
        Some(libc::EACCES | libc::EPERM) => match paranoid {
            Some(level) if level > 2 => format!(
                "kernel.perf_event_paranoid is {level}, which forbids counting: \
                 `sysctl kernel.perf_event_paranoid=2` as root, or CAP_PERFMON, would allow it"
            ),
            _ => "perf_event_open is forbidden although perf_event_paranoid allows counting user \
                  code: a seccomp filter of the container or a security module refuses it"
                .into(),
        },
        _ => format!("perf_event_open fails: {error}"),
    }
}

#[cfg(test)]
mod tests;
