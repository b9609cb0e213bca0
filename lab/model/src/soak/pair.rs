//! Two soaks side by side.

use super::{Bounded, Soak};
use serde::{Deserialize, Serialize};

/// Version of [`SoakPair`]'s form.
pub const PAIR_SCHEMA: u32 = 1;

/// What `karat ab --soak` found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SoakPair {
    /// Version of this form: [`PAIR_SCHEMA`].
    pub schema: u32,
    /// The smallest relative difference that matters.
    pub margin: f64,
    /// The order in which the commands were watched, such as `ABBA`.
    pub order: String,
    /// The first command.
    pub a: Soak,
    /// The second.
    pub b: Soak,
    /// Throughput, memory, stability and tails, side by side.
    pub contrasts: Vec<Contrast>,
    /// Growth an hour, side by side: what both share, such as that of the program that works
    /// them, falls out of the difference.
    pub growth: Vec<Difference>,
    /// Which one to ship, and under which need: one sentence for each need.
    pub advice: Vec<String>,
}

/// The slope of a figure of both, in its unit an hour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// `rss` or `anonymous`.
    pub name: String,
    /// Its unit; slopes are in it an hour.
    pub unit: String,
    /// The first command's.
    pub a: Bounded,
    /// The second's.
    pub b: Bounded,
    /// The second less the first.
    pub difference: Bounded,
}

/// One figure of both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Contrast {
    /// `throughput`, `rss`, `cv`, `p99` and so on.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The first command's.
    pub a: Bounded,
    /// The second's.
    pub b: Bounded,
    /// The second over the first.
    pub ratio: Bounded,
    /// Which one is better: `A`, `B`, `SAME`, or nothing while the interval holds both.
    pub better: Option<String>,
}
