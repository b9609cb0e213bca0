//! What a benchmark of kernels finds: implementations and peers, task by task and
//! size by size.

use crate::machine::Machine;
use crate::verdict::{Judgement, SpeedRatio};
use serde::{Deserialize, Serialize};

/// All that `karat kernels bench` found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelBench {
    /// Version of this form: 2.
    pub schema: u32,
    /// The command line.
    pub command: String,
    /// When it started, RFC 3339, UTC.
    pub started: String,
    /// karat's version.
    pub karat: String,
    /// How long it took.
    pub seconds: f64,
    /// Decided the inputs and the order of arms.
    pub seed: u64,
    /// Smallest relative change that matters.
    pub margin: f64,
    /// Whether it was a quick one, of too few rounds to conclude from.
    pub quick: bool,
    /// Where it was made.
    pub machine: Machine,
    /// What was measured, in this order.
    pub cases: Vec<Case>,
}

/// One task at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What is computed, such as `sha256-many`.
    pub task: String,
    /// The same for people, such as `SHA-256 of 16 messages`.
    pub title: String,
    /// The kernel whose implementations are compared.
    pub kernel: String,
    /// What a call takes several of, such as `messages`.
    pub item: String,
    /// How many of them.
    pub items: u64,
    /// Size of each.
    pub size: u64,
    /// What that size is counted in.
    pub unit: SizeUnit,
    /// What one call works through: input, or output where that is the work.
    pub work: u64,
    /// What that is counted in.
    pub work_unit: WorkUnit,
    /// Threads of one call.
    pub threads: u32,
    /// The arm that all others are compared with.
    pub baseline: String,
    /// Rounds measured.
    pub rounds: u32,
    /// Whether time was over before the looks were.
    pub out_of_time: bool,
    /// Whether the baseline came out not different from itself. If not, no word holds.
    pub again_passed: bool,
    /// The largest relative difference that the A/A interval allows.
    pub noise_floor: Option<f64>,
    /// Median core clock in GHz.
    pub clock_ghz: f64,
    /// The arms: karat's implementations in the order of their table, then the peers.
    pub arms: Vec<CaseArm>,
}

/// What the size of an item is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SizeUnit {
    /// Bytes.
    Bytes,
    /// Bits.
    Bits,
    /// Things that are not divided.
    Count,
}

/// What work is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkUnit {
    /// Bytes.
    Bytes,
    /// Operations.
    Operations,
}

/// One implementation or one peer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseArm {
    /// Its name: an implementation's after `karat `, or a crate's.
    pub name: String,
    /// Whether it is another crate's.
    pub peer: bool,
    /// Whether it is what calls go to.
    pub chosen: bool,
    /// What to know of it, or nothing.
    pub note: String,
    /// Nanoseconds of a call: mean of the faster half of the batches.
    pub ns: f64,
    /// Throughput at that time: work per second.
    pub per_second: f64,
    /// Core cycles for one unit of work; of all threads together nothing is known.
    pub cycles: Option<f64>,
    /// By how much the core's clock is lower after milliseconds of this arm alone than after
    /// as much of the others: 0.15 is 15 %. `None` where no difference is sure. `ns` is of
    /// short batches in turns, which all have one clock, and does not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_drop: Option<f64>,
    /// How often batches took how many cycles, the most frequent first; nothing unless it
    /// was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub histogram: Vec<CycleShare>,
    /// Speed over the baseline's; `None` for the baseline.
    pub speed: Option<SpeedRatio>,
    /// The word; `None` for the baseline, and for all when the A/A failed.
    pub judgement: Option<Judgement>,
}

/// Batches that took the same number of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CycleShare {
    /// Core cycles for 1000 units of work.
    pub cycles: u64,
    /// Batches, in percent of all.
    pub percent: f64,
}

impl Case {
    /// The arm that calls go to.
    #[must_use]
    pub fn chosen(&self) -> Option<&CaseArm> {
        self.arms.iter().find(|a| a.chosen)
    }

    /// The arm that all others are compared with.
    #[must_use]
    pub fn baseline(&self) -> Option<&CaseArm> {
        self.arms.iter().find(|a| a.name == self.baseline)
    }
}
