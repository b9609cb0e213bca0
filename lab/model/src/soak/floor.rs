//! What watching shows of a program that does nothing.

use serde::{Deserialize, Serialize};

/// An empty program, watched as the soaked one is: what it seems to do is the watching's
/// own, and is taken off the rates of all epochs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// The empty program.
    pub program: String,
    /// How often it was looked at; with `--repeat`, how often it was run.
    pub looks: u32,
    /// Its resident memory in bytes, which is not taken off; `None` with `--repeat`.
    pub rss: Option<u64>,
    /// By how much that grew from the first look to the last.
    pub growth: Option<u64>,
    /// With `--repeat`, seconds from one start of it to the next.
    pub run: Option<f64>,
    /// What is taken off: a second, or with `--repeat` for each run.
    pub rates: Rates,
}

/// Counts of one second, or of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// Processor seconds.
    pub cpu: f64,
    /// Page faults without input.
    pub minor_faults: f64,
    /// Page faults with input.
    pub major_faults: f64,
    /// Voluntary context switches.
    pub waits: f64,
    /// Involuntary ones.
    pub switches: f64,
    /// System calls that read or write.
    pub transfers: f64,
}

impl Rates {
    /// These and so many times the others.
    #[must_use]
    pub fn plus(&self, other: &Self, times: f64) -> Self {
        Self {
            cpu: self.cpu + times * other.cpu,
            minor_faults: self.minor_faults + times * other.minor_faults,
            major_faults: self.major_faults + times * other.major_faults,
            waits: self.waits + times * other.waits,
            switches: self.switches + times * other.switches,
            transfers: self.transfers + times * other.transfers,
        }
    }
}
