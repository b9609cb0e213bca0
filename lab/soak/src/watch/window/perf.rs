//! `perf stat` on the kernel's tracepoints: one that every call passes, and those of the
//! calls that programs make most. They count in the kernel, and the program never stops.

use super::{Method, PATIENCE};
use karat_process::Command;
use std::collections::HashSet;

pub(super) const METHOD: Method = Method {
    name: "perf stat (tracepoints raw_syscalls:sys_enter and syscalls:sys_enter_…)",
    command,
    read,
    marks: Some((BEGIN, END)),
};

const BEGIN: &str = "karat: perf counts";
const END: &str = "karat: perf has counted";

/// What every system call passes.
const ALL: &str = "raw_syscalls:sys_enter";
/// What a call of a name passes besides.
const ONE: &str = "syscalls:sys_enter_";

/// Calls that are counted by name too. All of the some 350 there are would take a quarter
/// of a minute to begin.
const NAMES: [&str; 44] = [
    "read",
    "write",
    "pread64",
    "pwrite64",
    "readv",
    "writev",
    "lseek",
    "openat",
    "close",
    "newfstat",
    "newfstatat",
    "statx",
    "access",
    "getdents64",
    "fcntl",
    "ioctl",
    "fsync",
    "fdatasync",
    "mmap",
    "munmap",
    "mprotect",
    "madvise",
    "mremap",
    "brk",
    "futex",
    "sched_yield",
    "nanosleep",
    "clock_nanosleep",
    "clock_gettime",
    "epoll_wait",
    "epoll_pwait",
    "epoll_ctl",
    "poll",
    "ppoll",
    "select",
    "sendto",
    "recvfrom",
    "sendmsg",
    "recvmsg",
    "accept4",
    "rt_sigprocmask",
    "rt_sigaction",
    "clone",
    "wait4",
];

/// perf attaches itself, starts the shell, and counts until that ends.
fn command(pids: &[u32], seconds: f64) -> Command {
    let known = known();
    let mut events = ALL.to_owned();
    for name in NAMES {
        let event = format!("{ONE}{name}");
        if known.contains(&event) {
            events += &format!(",{event}");
        }
    }
    let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
    let script = format!("echo '{BEGIN}'; sleep {seconds}; echo '{END}'");
    let mut command = Command::new("perf");
    command
        .args(["stat", "-x,", "-e", &events, "-p", &pids.join(",")])
        .args(["--", "sh", "-c", &script])
        .env("LC_ALL", "C");
    command
}

/// The named tracepoints there are. perf is asked and not the folder where the kernel lists
/// them: perf mounts that folder itself, so before its first start it may be empty.
fn known() -> HashSet<String> {
    let mut list = Command::new("perf");
    list.args(["list", &format!("{ONE}*")]).env("LC_ALL", "C");
    let answer = karat_process::output(&mut list, PATIENCE).ok().flatten();
    let answer = answer.map(|answer| answer.stdout).unwrap_or_default();
    let words = |line: &str| line.split_whitespace().next().map(str::to_owned);
    String::from_utf8_lossy(&answer)
        .lines()
        .filter_map(words)
        .collect()
}

/// Rows of a count, a unit and an event, and what does not matter here.
fn read(lines: &[String]) -> Option<(u64, Vec<(String, u64)>)> {
    let row = |line: &String| {
        let mut cells = line.split(',');
        let count: u64 = cells.next()?.parse().ok()?;
        Some((cells.nth(1)?.to_owned(), count))
    };
    let rows: Vec<(String, u64)> = lines.iter().filter_map(row).collect();
    let (_, all) = rows.iter().find(|(event, _)| event == ALL)?;
    let named = rows.iter().filter(|(_, count)| *count > 0);
    let named = named.filter_map(|(event, count)| Some((event.strip_prefix(ONE)?.into(), *count)));
    Some((*all, named.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_perf_are_read() {
        // perf 6.1, `perf stat -x,`.
        let text = "1326904,,raw_syscalls:sys_enter,902988617,100.00,,\n\
                    1326901,,syscalls:sys_enter_read,902988617,100.00,,\n\
                    3,,syscalls:sys_enter_write,902988617,100.00,,\n\
                    0,,syscalls:sys_enter_close,902988617,100.00,,\n";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (all, rows) = read(&lines).unwrap();
        assert_eq!(all, 1_326_904);
        let expected = [("read", 1_326_901), ("write", 3)];
        assert_eq!(rows, expected.map(|(name, n)| (name.to_owned(), n)));
        let not = "<not supported>,,raw_syscalls:sys_enter,0,100.00,,".to_owned();
        assert_eq!(read(&[not]), None);
        assert_eq!(read(&["event syntax error".to_owned()]), None);
    }
}
