//! Arms, samples and clock readings: what measuring leaves behind.

use serde::{Deserialize, Serialize};

/// What an arm is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The arm all others are compared with.
    Baseline,
    /// The baseline once more (A/A): what it shows is noise.
    Again,
    /// A variant under test.
    Variant,
}

/// One thing that a round runs: a variant in one layout. A round goes through the
/// layouts in random order, and in each through its arms in random order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// The variant's name.
    pub variant: String,
    /// What it is for.
    pub role: Role,
    /// Seed of the section order; 0 is the linker's own.
    pub layout: u64,
}

/// One measured run of one arm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Index into the evidence's workloads.
    pub workload: u32,
    /// Round, from 0.
    pub round: u32,
    /// Place in the random order of the arms of its layout in the round, from 0: the
    /// arms of one layout run one after the other.
    pub position: u32,
    /// Index into the evidence's arms.
    pub arm: u32,
    /// 0, or how often the arms of this round and layout had been measured before
    /// and one of them was disturbed; only the last attempt is judged.
    pub attempt: u32,
    /// The metrics' values, in the workload's order and the metrics' units. Of
    /// several repetitions in one run, the mean of the better half. 0 is a peak memory
    /// that could not be told; then that metric is not judged.
    pub values: Vec<f64>,
    /// All repetitions, metric by metric, when a run gave several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repetitions: Vec<Vec<f64>>,
    /// Seconds from start to exit.
    pub wall: f64,
    /// User plus system seconds of the process and the children it waited for.
    pub cpu: f64,
    /// Largest resident memory in bytes; `None` when it cannot be told from what
    /// karat itself had when it started the process.
    pub rss: Option<u64>,
    /// Page faults, minor and major.
    pub faults: u64,
    /// Voluntary context switches.
    pub waits: u64,
    /// Involuntary context switches.
    pub switches: u64,
    /// Seconds for which the hypervisor took the processor away, in ticks of the
    /// kernel's clock.
    pub steal: f64,
    /// Seconds for which a CPU quota stopped karat's control groups during the run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub throttled: f64,
    /// Seconds for which the machine was suspended or karat stopped during the run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub paused: f64,
    /// Processes it had left running, whatever their session, which karat killed.
    pub left_running: u32,
    /// Whether more of the processor was taken away from it than is usual for the
    /// workload. Its round's arms are then measured again, within limits.
    pub disturbed: bool,
    /// Core clock in GHz right after its exit, on the same core.
    pub clock: f64,
    /// Seconds since the measuring began, interruptions left out.
    pub at: f64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over references"
)]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Core clock round a workload, by a chain of dependent additions on the same
/// core (one addition a cycle).
///
/// `before` and `during` come from unmeasured runs; `after` from every measured
/// one, so that its median averages over the same drifts as the metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClockReading {
    /// The variant that ran.
    pub variant: String,
    /// GHz just before it started: median of the unmeasured runs.
    pub before: f64,
    /// GHz while it ran: median of the samples taken between its time slices.
    pub during: f64,
    /// GHz just after it ended: median of the measured runs.
    pub after: f64,
    /// How many samples `during` is the median of.
    pub samples: u32,
}
