//! What a bench found.

use super::Histogram;
use super::batch::Batch;
use super::judged::Judged;
use super::rounds::{Rounds, TIMES};
use karat_judge::{faster_half_mean, median};
use karat_model::verdict::{Comparison, Judgement};
use serde::Serialize;

/// All that a bench found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The bench.
    pub name: String,
    /// Smallest relative change that matters.
    pub margin: f64,
    /// Decided the order of arms and the inputs.
    pub seed: u64,
    /// Rounds measured.
    pub rounds: u32,
    /// Whether time was over before the looks were.
    pub out_of_time: bool,
    /// The processor that was measured on; `None` when not pinned.
    pub processor: Option<u32>,
    /// What was timed as one.
    pub batch: Batch,
    /// The core clock over all batches.
    pub clock: Clock,
    /// Share of the batches during which nobody else used the core, as a probe before and
    /// after each saw it; `None` when nothing was pinned.
    pub quiet_share: Option<f64>,
    /// The baseline against itself, on the same inputs; values in ns per call.
    pub again: Comparison,
    /// Whether it came out not different. If not, no judgement holds.
    pub again_passed: bool,
    /// The largest relative difference that the A/A interval allows; `None` when the rounds
    /// are too few to bound it.
    pub noise_floor: Option<f64>,
    /// The arms; the first is the baseline.
    pub arms: Vec<ArmReport>,
}

/// Core clock, in GHz.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Clock {
    /// Lowest of all batches.
    pub low: f64,
    /// Median.
    pub median: f64,
    /// Highest.
    pub high: f64,
}

/// A quantity over the judged batches of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Typical {
    /// Mean of the faster half; the comparison is of scores, see `karat_judge`.
    pub faster_half: f64,
    /// Median.
    pub median: f64,
}

/// One arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmReport {
    /// Its name.
    pub name: String,
    /// Nanoseconds of processor time per call.
    pub ns: Typical,
    /// Core cycles per call: each batch's nanoseconds times the clock around it.
    pub cycles: Typical,
    /// Bytes per second at the faster half's time, if the bench says what a call works through.
    pub bytes_per_second: Option<f64>,
    /// By how much the core's clock is lower after some milliseconds of this arm alone than
    /// after as much of the others: 0.15 is 15 %. `None` where no difference is sure, and where
    /// nothing was pinned. In rounds all arms have one clock, so `ns` does not show it.
    pub clock_drop: Option<f64>,
    /// Against the baseline, values in ns per call; `None` for the baseline.
    pub comparison: Option<Comparison>,
    /// Core cycles of all its batches, two a round.
    pub histogram: Histogram,
}

impl Report {
    /// An arm by its name.
    #[must_use]
    pub fn arm(&self, name: &str) -> Option<&ArmReport> {
        self.arms.iter().find(|a| a.name == name)
    }

    /// The word on an arm; `None` for the baseline, for a name that is no arm's, and for all
    /// when the A/A failed.
    #[must_use]
    pub fn judgement(&self, name: &str) -> Option<Judgement> {
        let comparison = self.arm(name)?.comparison.as_ref()?;
        self.again_passed.then_some(comparison.judgement)
    }

    /// The report as JSON, indented.
    ///
    /// # Errors
    /// Those of `serde_json`, which a report gives no cause for.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }
}

/// What was asked for.
pub(super) struct Setting<'a> {
    pub(super) name: &'a str,
    pub(super) arms: &'a [String],
    pub(super) bytes: Option<u64>,
    pub(super) margin: f64,
    pub(super) seed: u64,
    pub(super) processor: Option<u32>,
    pub(super) out_of_time: bool,
    pub(super) clock_drops: &'a [Option<f64>],
}

pub(super) fn report(of: Setting<'_>, batch: Batch, rounds: &Rounds, judged: Judged) -> Report {
    let mut comparisons = judged.comparisons.into_iter();
    let arms = of.arms.iter().enumerate().map(|(arm, name)| {
        let ns = typical(rounds.ns(arm, 0));
        let all: Vec<f64> = (0..TIMES).flat_map(|t| rounds.cycles(arm, t)).collect();
        ArmReport {
            name: name.clone(),
            ns,
            cycles: typical(&rounds.cycles(arm, 0)),
            bytes_per_second: of.bytes.map(|b| b as f64 * 1e9 / ns.faster_half),
            clock_drop: of.clock_drops[arm],
            comparison: (arm > 0).then(|| comparisons.next()).flatten(),
            histogram: Histogram::new(&all),
        }
    });
    let clocks: Vec<f64> = rounds.clocks().collect();
    Report {
        name: of.name.to_owned(),
        margin: of.margin,
        seed: of.seed,
        rounds: rounds.len() as u32,
        out_of_time: of.out_of_time,
        processor: of.processor,
        batch,
        quiet_share: rounds.quiet_share(),
        clock: Clock {
            low: clocks.iter().copied().fold(f64::INFINITY, f64::min),
            median: median(&clocks).unwrap_or(f64::NAN),
            high: clocks.iter().copied().fold(0.0, f64::max),
        },
        again: judged.again,
        again_passed: judged.again_passed,
        noise_floor: judged.noise_floor,
        arms: arms.collect(),
    }
}

fn typical(values: &[f64]) -> Typical {
    Typical {
        faster_half: faster_half_mean(values),
        median: median(values).unwrap_or(f64::NAN),
    }
}
