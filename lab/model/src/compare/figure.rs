//! Figures on both sides, and what the judge says of them.

use crate::log::Statistic;
use crate::units::Better;
use crate::verdict::{Judgement, SpeedRatio};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where the noise of a judged figure came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NoiseFrom {
    /// Several runs of both sides.
    Runs,
    /// Reference runs.
    Reference,
    /// The values within one run of each side, taken for runs of their own.
    Within,
}

/// What the judge says of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JudgedFigure {
    /// Where the noise came from.
    pub noise: NoiseFrom,
    /// Speed after over speed before, with its interval at `level`.
    pub speed: SpeedRatio,
    /// Two-sided p.
    pub p: f64,
    /// The same, Holm-adjusted over all judged figures.
    pub p_adjusted: f64,
    /// Error level of the interval.
    pub level: f64,
    /// The word.
    pub judgement: Judgement,
    /// Runs a side that would decide it, if it is undecided and they would.
    pub runs_needed: Option<u64>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FigureRow {
    /// The part of the log it stands in; may be empty.
    pub section: String,
    /// What was measured.
    pub name: String,
    /// What tells it from its namesakes.
    pub parameters: BTreeMap<String, String>,
    /// The unit of all values below, as the first side that has it spells it.
    pub unit: String,
    /// Which way is better; none if neither tool nor unit says.
    pub better: Option<Better>,
    /// The statistic that a run's value is, as the tool calls it. None where a tool
    /// prints single values: then it is the mean of the better half of those.
    #[serde(default)]
    pub statistic: Option<Statistic>,
    /// One value a run before.
    pub before: Vec<f64>,
    /// One value a run after.
    pub after: Vec<f64>,
    /// One value a reference run.
    pub reference: Vec<f64>,
    /// The mean of the better half of `before`.
    pub before_value: Option<f64>,
    /// The mean of the better half of `after`.
    pub after_value: Option<f64>,
    /// Speed after over speed before: 1.1 is 10 % faster, whatever the unit; `None`
    /// when a side lacks it or the direction is not known.
    pub speed: Option<f64>,
    /// What the judge says; `None` when it is not judged.
    pub judged: Option<JudgedFigure>,
    /// Why it is not judged; empty when it is.
    pub unjudged: String,
    /// The values within the runs before; `None` if no run has two.
    #[serde(default)]
    pub spread_before: Option<Spread>,
    /// The values within the runs after.
    #[serde(default)]
    pub spread_after: Option<Spread>,
}

/// How the values within one run of a side spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// How many values there are, over all runs.
    pub values: u64,
    /// The median over the runs of (third quartile − first quartile) ÷ median.
    pub relative: f64,
}

impl FigureRow {
    /// Name and parameters as one.
    #[must_use]
    pub fn title(&self) -> String {
        let list: Vec<String> = self
            .parameters
            .iter()
            .map(|(k, v)| format!("{k} {v}"))
            .collect();
        match (self.name.as_str(), list.is_empty()) {
            (name, true) => name.to_owned(),
            (name, false) => format!("{name} ({})", list.join(", ")),
        }
    }
}

/// A section of figures, rolled up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SectionRow {
    /// Its name; may be empty.
    pub name: String,
    /// Indices of its figures, in the order of the logs.
    pub figures: Vec<u32>,
    /// Geometric mean of the speed ratios of those that both sides have.
    pub mean_speed: Option<f64>,
    /// The figure with the lowest speed ratio.
    pub worst: Option<u32>,
    /// The figure with the highest speed ratio.
    pub best: Option<u32>,
}
