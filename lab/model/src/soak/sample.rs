//! What one look at a watched program gives: a line of a soak's `samples.jsonl`.

use serde::{Deserialize, Serialize};

/// One look at the program and at the machine, and what its lines said since the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoakSample {
    /// Seconds of watching so far; time in which nothing was watched does not count.
    pub at: f64,
    /// Which start of the program this is, from 0.
    pub start: u32,
    /// What the kernel says of its processes; `None` between two runs of `--repeat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// Bytes charged to the memory control group of the program, whoever else is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_memory: Option<u64>,
    /// Runs that ended since the last sample, with `--repeat`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub runs: u32,
    /// Operations so far, as the progress file says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<f64>,
    /// Seconds that the hypervisor took from all processors since the last sample.
    pub steal: f64,
    /// Seconds for which a CPU quota stopped karat's control groups since then.
    pub throttled: f64,
    /// Seconds for which the machine or karat was stopped since then.
    pub paused: f64,
    /// Processor seconds that karat itself used since then.
    pub own: f64,
    /// Independent additions a cycle on each processor, lowest number first.
    pub widths: Vec<f64>,
    /// Clock in GHz of the processor that was looked at.
    pub clock: f64,
    /// Figures on the program's lines since the last sample.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point>,
    /// Times of single operations on its lines since then, in seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub latencies: Vec<f64>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// What the kernel says of a process and all that descend from it. Counts are since the
/// start of each process and include children that were waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Processes.
    pub processes: u32,
    /// Threads of all of them.
    pub threads: u32,
    /// Open file descriptors.
    pub files: u64,
    /// Memory; `None` where it was not due, because reading it would cost too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    /// User plus system seconds.
    pub cpu: f64,
    /// Page faults without input.
    pub minor_faults: u64,
    /// Page faults that read from a device.
    pub major_faults: u64,
    /// Voluntary context switches of the threads that live.
    pub waits: u64,
    /// Involuntary ones.
    pub switches: u64,
    /// System calls that read or write, as /proc/PID/io counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfers: Option<u64>,
}

/// Memory in bytes (proc_pid_smaps(5), the rollup).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Resident; a page that several processes share counts in each.
    pub rss: u64,
    /// Resident, each page divided by the number of processes that share it.
    pub pss: u64,
    /// Resident and without a file.
    pub anonymous: u64,
    /// Anonymous memory in huge pages.
    pub huge: u64,
    /// Swapped out.
    pub swap: u64,
}

/// Figures that one line gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Seconds of watching when karat read the line.
    pub at: f64,
    /// Operations a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Operations since the program's start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// Operations since the last such line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<f64>,
    /// Latencies that the program summed up itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latencies: Option<Latencies>,
}

/// Latencies summed up by the program, in seconds; absent where the line had none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latencies {
    /// Median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50: Option<f64>,
    /// 95th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95: Option<f64>,
    /// 99th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99: Option<f64>,
    /// 99.9th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p999: Option<f64>,
    /// The largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}
