//! A child's peak memory, told apart from karat's own.
//!
//! At exec the kernel takes the peak of the memory that the process had until
//! then into its account (`exec_mmap` in fs/exec.c: `setmax_mm_hiwater_rss` of
//! the old memory), and a child that std starts shares karat's memory until
//! then. `ru_maxrss` of a child smaller than karat is therefore karat's peak.
//!
//! karat's peak is set back to what it holds at the moment (`5` to
//! /proc/self/clear_refs, proc_pid_clear_refs(5), Linux 4.0) before every start,
//! and then read as `VmHWM`: what a child has beyond it is its own. That leaves a
//! floor of karat's current memory; exact alternatives cost more than they give:
//! stopping the child at its exit with ptrace disturbs it at every signal,
//! taskstats needs CAP_NET_ADMIN, a cgroup needs to be delegated and counts the
//! page cache, and a small process that starts all others needs a protocol of its
//! own for files, directories, environments, affinities and exits.

use std::sync::OnceLock;

/// Bytes of memory that a child must exceed to be told from karat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor(u64);

impl Floor {
    /// Sets karat's peak back and takes it. To be called right before a start.
    pub(super) fn now() -> Self {
        // Without it (no permission, or a kernel without CONFIG_PROC_PAGE_MONITOR)
        // the floor is karat's peak since its start: higher, not wrong.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        match std::fs::read_to_string("/proc/self/status") {
            Ok(status) => match high_water(&status) {
                Some(peak) => Self(peak + *SLACK.get_or_init(slack)),
                None => Self::unknown(),
            },
            Err(_) => Self::unknown(),
        }
    }

    /// Nothing can be told apart.
    const fn unknown() -> Self {
        Self(u64::MAX)
    }

    pub(super) const fn bytes(self) -> u64 {
        self.0
    }

    /// `peak` in bytes, if it must be the child's.
    pub(super) fn of_child(self, peak: u64) -> Option<u64> {
        (peak > self.0).then_some(peak)
    }
}

/// Bytes by which two readings of one memory may differ.
static SLACK: OnceLock<u64> = OnceLock::new();

/// Since Linux 6.2 a process's pages are counted in batches on each processor,
/// of at most max(32, 2 × processors) pages (`compute_batch_value` in
/// lib/percpu_counter.c), for each of anonymous, file and shared pages; `VmHWM`
/// may be exact where the account of the child is not. Allowed are full batches
/// on two processors: the measured one and one that karat came from.
fn slack() -> u64 {
    // SAFETY: sysconf takes a number and returns one, -1 where it does not know.
    let value = |what| u64::try_from(unsafe { libc::sysconf(what) });
    let processors = value(libc::_SC_NPROCESSORS_ONLN).unwrap_or(1);
    let page = value(libc::_SC_PAGESIZE).unwrap_or(4096);
    2 * 3 * (2 * processors).max(32) * page
}

/// `VmHWM` of /proc/PID/status, in bytes.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Gives memory that karat has freed back to the kernel, so that smaller
/// children can be told apart. To be called once before measuring: it takes
/// milliseconds after large allocations, microseconds otherwise. Does nothing
/// where the C library is not glibc.
pub fn lower_floor() {
    #[cfg(target_env = "gnu")]
    // SAFETY: malloc_trim takes a number and may be called at any time, by any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read_in_bytes() {
        let status = "Name:\tx\nVmPeak:\t  10 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n";
        assert_eq!(high_water(status), Some(2 << 20));
        assert_eq!(high_water("Name:\tx\n"), None);
    }

    #[test]
    fn only_what_exceeds_the_floor_is_the_childs() {
        let floor = Floor(100);
        assert_eq!(floor.of_child(100), None);
        assert_eq!(floor.of_child(101), Some(101));
        assert_eq!(Floor::unknown().of_child(u64::MAX), None);
    }
}
