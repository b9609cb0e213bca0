//! Numbers in the files of /proc/PID.

use karat_model::soak::Memory;
use std::fs::read_to_string;
use std::io;

/// Seconds of a tick: USER_HZ is 100 on every architecture that karat runs on.
const TICK: f64 = 0.01;

/// A kernel thread's flag (`PF_KTHREAD` in include/linux/sched.h).
const KERNEL: u32 = 0x0020_0000;

/// What /proc/PID/stat says (proc_pid_stat(5)); counts include children waited for.
#[derive(Debug, PartialEq)]
pub(super) struct Stat {
    state: char,
    flags: u32,
    pub(super) threads: u32,
    /// User plus system seconds.
    pub(super) cpu: f64,
    pub(super) minor_faults: u64,
    pub(super) major_faults: u64,
    /// Ticks since the system's start.
    pub(super) started: u64,
}

impl Stat {
    pub(super) fn of(pid: u32) -> io::Result<Self> {
        let text = read_to_string(format!("/proc/{pid}/stat"))?;
        let strange = || io::Error::new(io::ErrorKind::InvalidData, "its stat file is strange");
        Self::parse(&text).ok_or_else(strange)
    }

    fn parse(text: &str) -> Option<Self> {
        // The name, in parentheses, may hold anything.
        let (_, rest) = text.rsplit_once(')')?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        // Fields are counted from 1 in the manual, and `state`, the third, is the first here.
        let number = |field: usize| words.get(field - 3)?.parse::<u64>().ok();
        let ticks = number(14)? + number(15)? + number(16)? + number(17)?;
        Some(Self {
            state: words.first()?.chars().next()?,
            flags: words.get(6)?.parse().ok()?,
            threads: u32::try_from(number(20)?).ok()?,
            cpu: ticks as f64 * TICK,
            minor_faults: number(10)? + number(11)?,
            major_faults: number(12)? + number(13)?,
            started: number(22)?,
        })
    }

    pub(super) fn is_kernel(&self) -> bool {
        self.flags & KERNEL != 0
    }

    /// Ended, whether or not it was waited for.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

/// The first number behind `name` at the beginning of a line.
pub(super) fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// /proc/PID/smaps_rollup (Linux 4.14), whose numbers are in KiB.
pub(super) fn rollup(text: &str) -> Memory {
    let bytes = |name| field(text, name).unwrap_or(0) * 1024;
    Memory {
        rss: bytes("Rss:"),
        pss: bytes("Pss:"),
        anonymous: bytes("Anonymous:"),
        huge: bytes("AnonHugePages:"),
        swap: bytes("Swap:"),
    }
}

/// Voluntary and involuntary context switches of /proc/PID/task/TID/status.
pub(super) fn switches(text: &str) -> (u64, u64) {
    let count = |name| field(text, name).unwrap_or(0);
    (
        count("voluntary_ctxt_switches:"),
        count("nonvoluntary_ctxt_switches:"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_whatever_its_name() {
        let text = "7 (a) b (c) S 3 5 5 0 -1 4194304 10 1 2 3 100 50 20 5 20 0 4 0 1234 0 0\n";
        let stat = Stat::parse(text).unwrap();
        assert_eq!((stat.threads, stat.started), (4, 1234));
        assert_eq!((stat.minor_faults, stat.major_faults), (11, 5));
        assert!((stat.cpu - 1.75).abs() < 1e-9, "{}", stat.cpu);
        assert!(!stat.is_kernel() && !stat.is_over());
        assert!(Stat::parse("7 (a) S 3").is_none() && Stat::parse("").is_none());
        let kernel = text.replace("4194304", "2129984");
        assert!(Stat::parse(&kernel).unwrap().is_kernel());
        assert!(Stat::parse(&text.replace("S 3", "Z 3")).unwrap().is_over());
    }

    #[test]
    fn memory_is_in_bytes() {
        let text = "00-ff ---p 0 00:00 0 [rollup]\nRss:   16 kB\nPss:  8 kB\nPss_Anon: 7 kB\n\
                    Anonymous:  4 kB\nAnonHugePages:  2 kB\nSwap: 1 kB\nSwapPss: 9 kB\n";
        let expected = Memory {
            rss: 16 << 10,
            pss: 8 << 10,
            anonymous: 4 << 10,
            huge: 2 << 10,
            swap: 1 << 10,
        };
        assert_eq!(rollup(text), expected);
        assert_eq!(rollup(""), Memory::default());
        let status = "Name: x\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";
        assert_eq!(switches(status), (12, 3));
    }
}
