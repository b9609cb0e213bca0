//! What logs of tests and benchmarks tell, whatever tool wrote them.
//!
//! A reader turns lines into [`Event`]s; who compares two logs collects them.
//! A log may be long, so an event holds only what is worth keeping of its line.

use crate::units::Better;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One fact that a log tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A test ended.
    Test(Test),
    /// A benchmark printed a figure.
    Figure(Figure),
    /// A warning or an error.
    Message(Message),
    /// A process died, or a sanitizer stopped it.
    Crash(Crash),
    /// What the log says of its environment: compiler, flags, CPU, commit, macros.
    Fact(Fact),
    /// A line that no reader knew, and that looks like a test or an error.
    Unread(Line),
}

/// A line that no reader knew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it looks like.
    pub shape: Shape,
    /// The line.
    pub text: String,
}

/// What a line that no reader knew looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// The outcome of a test.
    Test,
    /// An error.
    Error,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It passed.
    Passed,
    /// It failed, by an assertion, an error or a time-out.
    Failed,
    /// It was not run, and its tool says so.
    Skipped,
}

/// One test that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// What the test belongs to: test binary, class, package, file; empty if the
    /// log does not say.
    pub suite: String,
    /// Its name within the suite, as the tool prints it.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took, in seconds, if the log says so.
    pub seconds: Option<f64>,
    /// Why it failed or was skipped, one line.
    pub reason: Option<String>,
}

/// One figure of a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The part of the log it stands in; names repeat between parts. May be empty.
    pub section: String,
    /// What was measured.
    pub name: String,
    /// Parameters that tell it from its namesakes (`sz` → `1024`).
    pub parameters: BTreeMap<String, String>,
    /// The figure.
    pub value: f64,
    /// What statistic it is, as its tool calls it; none if the tool does not say.
    pub statistic: Option<Statistic>,
    /// What it was computed from, in the same unit; empty if the log does not say.
    pub samples: Vec<f64>,
    /// Its unit, as the tool spells it.
    pub unit: String,
    /// Which way is better; none if neither tool nor unit says.
    pub better: Option<Better>,
}

/// What a figure is of the values it was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The arithmetic mean.
    Mean,
    /// The median.
    Median,
    /// The smallest value.
    Least,
    /// The slope of time over iterations, criterion's estimate.
    Slope,
}

impl Statistic {
    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Median => "median",
            Self::Least => "least",
            Self::Slope => "slope",
        }
    }
}

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Work goes on.
    Warning,
    /// Something failed.
    Error,
    /// The program gave up.
    Fatal,
}

/// A warning or an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// How grave it is.
    pub level: Level,
    /// The source file that printed it, if the log says so.
    pub file: Option<String>,
    /// The line in that file; a note only, since lines move between versions.
    pub line: Option<u32>,
    /// What it says.
    pub text: String,
    /// How many times: more than 1 where a tool folds repetitions.
    pub count: u64,
}

/// A process that died.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Crash {
    /// In a word or two: `SIGSEGV`, `panic`, `AddressSanitizer`.
    pub kind: String,
    /// The line that tells of it.
    pub text: String,
}

/// Something a log says of its environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// What it is about, such as `compiler`, `commit`, `cpu` or a macro's name.
    pub key: String,
    /// What the log says.
    pub value: String,
}
