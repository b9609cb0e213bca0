//! Layouts: the same code at other addresses, and what that alone changes.

use serde::{Deserialize, Serialize};

/// How layouts were drawn, or why they were not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LayoutEvidence {
    /// The way, in words: `section order by lld`; empty when there is none.
    pub method: String,
    /// Why layouts were not drawn, or fewer than they should; empty when all is
    /// well.
    pub note: String,
    /// Layouts that the comparisons rest on; 1 is the linker's own.
    pub layouts: u32,
    /// How far the code moved, variant by variant.
    pub moved: Vec<Moved>,
    /// What the pilots said, one for each workload.
    pub pilots: Vec<Pilot>,
}

/// How far the code of one variant moved between its layouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Moved {
    /// The variant.
    pub variant: String,
    /// Share of its code, by bytes, whose address changes modulo 64: the place
    /// within a cache line.
    pub by_64: f64,
    /// The same modulo 4096: the place within a page.
    pub by_4096: f64,
    /// Functions that could be compared.
    pub functions: u64,
    /// Addresses of the functions that the study expects, by layout.
    pub hot: Vec<HotFunction>,
}

/// Where one function lies in each layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HotFunction {
    /// Its name.
    pub function: String,
    /// Its address in each layout, in the order of seeds.
    pub addresses: Vec<u64>,
}

/// The baseline in a few layouts: how much does layout alone change?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pilot {
    /// The workload, as the evidence names it.
    pub workload: String,
    /// Layouts tried.
    pub layouts: u32,
    /// Rounds of each.
    pub rounds: u32,
    /// Relative standard deviation between layouts, beyond the scatter of one layout
    /// measured twice.
    pub sd: f64,
    /// Lower bound of it; 0 when the scatter alone may explain it.
    pub sd_low: f64,
    /// Upper bound of it.
    pub sd_high: f64,
    /// What follows.
    pub decision: PilotDecision,
    /// Layouts that would bound an effect to the margin; `None` when the spread
    /// is no hindrance.
    pub needed: Option<u64>,
}

/// What a pilot decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PilotDecision {
    /// Layout changes this workload by far less than the margin.
    Insensitive,
    /// So many layouts are worth measuring.
    Layouts,
    /// More layouts than can be measured would be needed.
    OutOfReach,
    /// The scatter of one layout measured twice hides what layouts do.
    NotKnown,
}

/// What layout alone does to one variant on one workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LayoutTax {
    /// The variant.
    pub variant: String,
    /// Relative standard deviation between its layouts, noise subtracted.
    pub sd: f64,
    /// Bounds of it.
    pub sd_low: f64,
    /// Upper bound.
    pub sd_high: f64,
    /// Whether it can be told from the scatter of one layout measured twice.
    pub known: bool,
    /// Slowest layout over fastest, as a relative change of cost.
    pub range: f64,
    /// Its value in each layout, in the order of seeds, in the metric's unit.
    pub values: Vec<f64>,
}

/// A comparison that rests on several layouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LayoutEffects {
    /// Seeds of the layouts; 0 is the linker's own.
    pub seeds: Vec<u64>,
    /// Speed of the variant over that of the baseline, layout by layout.
    pub speeds: Vec<f64>,
    /// Standard deviation of the effect between layouts, relative.
    pub sd: f64,
    /// Whether the interval is the one between layouts (the wider one) rather
    /// than that of the rounds.
    pub between: bool,
    /// Layouts that would decide it, if it is undecided and they would.
    pub needed: Option<u64>,
}
