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
    /// 0, or how often it had been measured in this round before, because a run of its
    /// layout was disturbed or its own was not quiet; only the last attempt is judged.
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
    /// Independent additions a cycle that the processor's core gave just before and
    /// just after the run: fewer than usual when somebody else uses the core too.
    /// `None` when it was not probed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<[f64; 2]>,
    /// Whether the core was karat's alone at both ends of the run, as far as `width`
    /// shows.
    pub quiet: bool,
    /// Seconds that karat waited for a quiet moment before it.
    pub waited: f64,
    /// Core clock in GHz right after its exit, on the same core.
    pub clock: f64,
    /// Seconds since the measuring began, interruptions left out.
    pub at: f64,
}

impl Sample {
    /// The value of a metric that a run cannot give although it ended well: a peak memory
    /// below karat's own. No metric has it otherwise, since values that are judged are above 0.
    pub const NOT_TOLD: f64 = 0.0;
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over references"
)]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Who else used the measured core, as a probe of independent additions saw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Neighbours {
    /// Independent additions a cycle when nobody else used the core.
    pub free: f64,
    /// Additions a cycle from which on a moment counts as quiet.
    pub quiet: f64,
    /// Share of the looks just after a run that were quiet: looks just before it are
    /// waited for, and say nothing of how busy the neighbours are.
    pub quiet_share: f64,
    /// Seconds of waiting for quiet moments, in total.
    pub waited: f64,
    /// Runs that were made again because they were not quiet at both ends.
    pub repeated: u32,
    /// Runs that the verdict rests on.
    pub kept: u32,
    /// Of these, quiet at both ends.
    pub kept_quiet: u32,
}

/// One look that was taken, so that a run that goes on knows what it has spent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookTaken {
    /// Rounds of each workload.
    pub rounds: Vec<u32>,
    /// Error level it spent.
    pub alpha: f64,
    /// Share of its stretch's time that was over.
    pub share: f64,
    /// Seconds of measuring, earlier stretches included.
    pub seconds: f64,
    /// Comparisons still undecided after it.
    pub undecided: u32,
}

/// How far measuring has come besides its samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// How often a finished run was gone on with.
    pub number: u32,
    /// Seconds of measuring at which this stretch began.
    pub began: f64,
    /// All looks, those of earlier stretches first.
    pub looks: Vec<LookTaken>,
}

impl Stretch {
    /// The stretch after this one, which left `samples`.
    #[must_use]
    pub fn next(self, samples: &[Sample]) -> Self {
        let measured = samples.iter().map(|s| s.at);
        // The last look comes after the last sample, and belongs to this stretch.
        let looked = self.looks.iter().map(|l| l.seconds);
        Self {
            number: self.number + 1,
            began: measured.chain(looked).fold(0.0, f64::max),
            looks: self.looks,
        }
    }

    /// The looks of this stretch, without those of earlier ones.
    pub fn own_looks(&self) -> impl Iterator<Item = &LookTaken> {
        self.looks.iter().filter(|l| l.seconds > self.began)
    }
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
