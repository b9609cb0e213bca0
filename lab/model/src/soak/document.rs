//! What a soak found.

use super::bounded::Bounded;
use super::budget::BudgetOutcome;
use super::floor::Floor;
use crate::machine::Machine;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// Version of [`Soak`]'s form.
pub const SCHEMA: u32 = 1;

/// All that a soak found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Soak {
    /// Version of this form: [`SCHEMA`].
    pub schema: u32,
    /// karat's version.
    pub karat: String,
    /// When it began, RFC 3339, UTC.
    pub started: String,
    /// Where.
    pub machine: Machine,
    /// What was asked for.
    pub plan: SoakPlan,
    /// Seconds of watching.
    pub watched: f64,
    /// Whether that is all of the time asked for.
    pub complete: bool,
    /// How it ended, in a few words.
    pub ending: String,
    /// How often the program was started.
    pub starts: u32,
    /// How often the soak was taken up again.
    pub resumed: u32,
    /// Share of one processor that karat itself used while it watched.
    pub own_share: f64,
    /// What the watching shows of an empty program, where that was seen.
    pub floor: Option<Floor>,
    /// Epochs that are judged: those after the warm ones.
    pub judged: u32,
    /// Throughput first, if there is any, then memory and the rest.
    pub figures: Vec<Figure>,
    /// The two levels of the throughput, where it has two.
    pub levels: Option<Levels>,
    /// Latencies over the judged epochs: the median of what the epochs have each.
    pub tails: Option<Tails>,
    /// The worst epoch's.
    pub worst: Option<Tails>,
    /// System calls for each operation, if they were counted.
    pub system_calls: Option<SystemCalls>,
    /// What else happened on the machine.
    pub surroundings: Surroundings,
    /// The limits, and how they were held.
    pub budgets: Vec<BudgetOutcome>,
    /// The word: GO when all limits are held, NO-GO when one is broken; `None` without
    /// limits.
    pub verdict: Option<Verdict>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// All epochs, the warm ones too.
    pub epochs: Vec<Epoch>,
}

/// What a soak was asked to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SoakPlan {
    /// The program with its arguments, as typed for a shell; of an attached one, what it
    /// was started as.
    pub program: String,
    /// How it is watched.
    pub mode: SoakMode,
    /// The command that works the program, if another one does.
    pub load: Option<String>,
    /// The pattern of the lines that tell figures.
    pub line: Option<String>,
    /// The file that tells progress.
    pub progress: Option<String>,
    /// Seconds to watch.
    pub seconds: f64,
    /// Seconds between samples.
    pub every: f64,
    /// Seconds of an epoch.
    pub epoch: f64,
    /// Seconds after each start that are not judged.
    pub warm: f64,
    /// Seconds after the watching in which system calls are counted.
    pub window: Option<f64>,
    /// The limits as typed, such as `rss-drift=5%/h`.
    pub budgets: Vec<String>,
}

/// How a program is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SoakMode {
    /// Started once, for the whole time.
    Once,
    /// Started again whenever it ends.
    Repeat,
    /// It ran already.
    Attach,
}

/// One figure over the judged epochs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// `throughput`, `rss`, `pss`, `anonymous`, `huge`, `cpu`, `files` and so on.
    pub name: String,
    /// Its unit: `op/s`, `B`, `processors`, `/s`, or nothing for a plain count.
    pub unit: String,
    /// Mean of the epochs.
    pub mean: Bounded,
    /// Coefficient of variation of the epochs: standard deviation over mean. `None` when
    /// the mean is 0.
    pub cv: Option<Bounded>,
    /// Smallest epoch.
    pub low: f64,
    /// Largest epoch.
    pub high: f64,
    /// Median slope, in the unit an hour; `None` of too few epochs.
    pub slope: Option<Bounded>,
    /// The slope as a share of the mean an hour: 0.05 is 5 % an hour.
    pub drift: Option<Bounded>,
    /// Where it went from one level to another.
    pub changes: Vec<Change>,
}

/// A change point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Seconds of watching at the beginning of the first epoch on the new level.
    pub at: f64,
    /// Median of the epochs since the change before.
    pub before: f64,
    /// Median of those until the next.
    pub after: f64,
    /// p of "no change here", corrected for autocorrelation.
    pub p: f64,
}

/// Two levels that throughput sits on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// p of "one level".
    pub p: f64,
    /// Median of the epochs on the lower level.
    pub low: f64,
    /// Median of those on the upper one.
    pub high: f64,
    /// Share of epochs on the lower one.
    pub low_share: f64,
}

/// Latencies in seconds. What too few values cannot tell is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tails {
    /// Median.
    pub p50: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// The largest.
    pub max: Option<f64>,
}

/// System calls, counted in a window after the watching.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SystemCalls {
    /// How they were counted.
    pub method: String,
    /// Seconds of the window.
    pub seconds: f64,
    /// Calls in it.
    pub calls: u64,
    /// Operations in it; `None` where nothing told them.
    pub operations: Option<f64>,
    /// The most frequent calls with their number.
    pub most: Vec<(String, u64)>,
    /// Throughput in the window over that of the judged epochs: what counting cost.
    pub slowdown: Option<f64>,
}

/// What else happened on the machine while the program was watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Surroundings {
    /// Share of looks at processors that saw nobody else on the core.
    pub quiet: f64,
    /// Lowest clock of an epoch in GHz.
    pub clock_low: f64,
    /// Highest.
    pub clock_high: f64,
    /// Seconds that the hypervisor took, of all processors together.
    pub steal: f64,
    /// Seconds for which a CPU quota stopped karat's control groups.
    pub throttled: f64,
    /// Seconds for which the machine or karat was stopped.
    pub paused: f64,
}

/// A stretch of the watching; figures are medians or rates over it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Epoch {
    /// Seconds of watching at its beginning.
    pub at: f64,
    /// Its length in seconds.
    pub seconds: f64,
    /// Which start of the program it belongs to, from 0.
    pub start: u32,
    /// Whether it is a warm one, which is not judged.
    pub warm: bool,
    /// Samples in it.
    pub samples: u32,
    /// Operations a second.
    pub throughput: Option<f64>,
    /// Median resident memory in bytes.
    pub rss: Option<f64>,
    /// Median proportional share of memory in bytes.
    pub pss: Option<f64>,
    /// Median anonymous memory in bytes.
    pub anonymous: Option<f64>,
    /// Median anonymous memory in huge pages, in bytes.
    pub huge: Option<f64>,
    /// Median swapped memory in bytes.
    pub swap: Option<f64>,
    /// Median memory of the control group in bytes.
    pub group: Option<f64>,
    /// Processors used, on average.
    pub cpu: Option<f64>,
    /// Page faults without input a second.
    pub minor_faults: Option<f64>,
    /// Page faults with input a second.
    pub major_faults: Option<f64>,
    /// Voluntary context switches a second.
    pub waits: Option<f64>,
    /// Involuntary ones a second.
    pub switches: Option<f64>,
    /// System calls that read or write, a second.
    pub transfers: Option<f64>,
    /// Median number of threads.
    pub threads: Option<f64>,
    /// Median number of open file descriptors.
    pub files: Option<f64>,
    /// Latencies.
    pub tails: Option<Tails>,
    /// Share of looks at processors that saw nobody else on the core.
    pub quiet: f64,
    /// Median clock in GHz.
    pub clock: f64,
    /// Seconds that the hypervisor took, of all processors together.
    pub steal: f64,
    /// Seconds for which a CPU quota stopped karat's control groups.
    pub throttled: f64,
    /// Seconds for which the machine or karat was stopped.
    pub paused: f64,
}

impl Soak {
    /// The figure of this name.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|f| f.name == name)
    }
}
