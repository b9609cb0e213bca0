//! The document as a whole.

use super::figure::{FigureRow, SectionRow};
use super::row::{CrashRow, MessageRow, TestRow, UnreadRow, Weight};
use super::side::LogSide;
use crate::log::Level;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// Version of the document; raised when a field is added, removed or changes its
/// meaning.
pub const SCHEMA: u32 = 2;

/// All that a comparison of logs found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LogComparison {
    /// Always [`SCHEMA`].
    pub schema: u32,
    /// Version of karat.
    pub karat: String,
    /// The logs compared against.
    pub before: LogSide,
    /// The logs in question.
    pub after: LogSide,
    /// Reference runs, which only say how large noise is; may have no file.
    pub noise: LogSide,
    /// Smallest relative change of speed that matters.
    pub margin: f64,
    /// Chance of calling any figure of two equal programs FASTER or SLOWER.
    pub alpha: f64,
    /// The verdict.
    pub verdict: CompareVerdict,
    /// Each test of either side, in the order of first appearance.
    pub tests: Vec<TestRow>,
    /// Each warning and error of either side, in the order of first appearance.
    pub messages: Vec<MessageRow>,
    /// Each crash of either side.
    pub crashes: Vec<CrashRow>,
    /// Lines that no reader knew and that look like tests or errors.
    #[serde(default)]
    pub unread: Vec<UnreadRow>,
    /// Whether the values within one log were judged as if each were a run of its own.
    #[serde(default)]
    pub within: bool,
    /// Each figure of either side, in the order of first appearance.
    pub figures: Vec<FigureRow>,
    /// The sections of the figures.
    pub sections: Vec<SectionRow>,
    /// What the logs say of their environment.
    pub facts: Vec<FactRow>,
    /// What was made equal before messages were compared.
    pub normalisations: Vec<Normalisation>,
    /// What a reader should know, one sentence each.
    pub notes: Vec<String>,
}

/// Whether behaviour is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Behaviour {
    /// All tests, messages and crashes agree, and there are tests on both sides.
    Same,
    /// Nothing differs, and there are tests, crashes or errors that fail on both sides:
    /// what they would show is not known.
    Failing,
    /// Something does not agree.
    Differs,
    /// No test was read on both sides, a build failed on both, a log is unknown, not
    /// whole or has lines that look like tests or errors and no reader knows, or the
    /// logs hold more than could be kept.
    Unknown,
}

/// The verdict of a comparison of logs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CompareVerdict {
    /// Whether behaviour is the same.
    pub behaviour: Behaviour,
    /// What all judged figures say together; `None` when none was judged.
    pub speed: Option<Verdict>,
    /// One sentence for the top of the report.
    pub summary: String,
    /// One sentence each, most important first.
    pub reasons: Vec<String>,
}

/// One thing that logs say of their environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FactRow {
    /// What it is about.
    pub key: String,
    /// All that the logs of before say; at most eight.
    pub before: Vec<String>,
    /// All that the logs of after say.
    pub after: Vec<String>,
    /// Whether both say the same.
    pub same: bool,
}

/// One rule by which texts were made equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Normalisation {
    /// What it replaces, in words.
    pub what: String,
    /// By what.
    pub by: String,
    /// Places replaced in the messages of both sides.
    pub replaced: u64,
}

impl LogComparison {
    /// Tests, messages and crashes of a weight.
    #[must_use]
    pub fn count(&self, weight: Weight) -> usize {
        let tests = self.tests.iter().map(|t| t.class.weight());
        let messages = self.messages.iter().map(|m| m.class.weight());
        let crashes = self.crashes.iter().map(|c| c.class.weight());
        let all = tests.chain(messages).chain(crashes);
        all.filter(|w| *w == weight).count()
    }

    /// Messages of a level in one run of each program, at most: before and after.
    #[must_use]
    pub fn messages_of(&self, level: Level) -> (u64, u64) {
        let of = self.messages.iter().filter(|m| m.level == level);
        of.fold((0, 0), |sum, m| {
            (sum.0 + m.before.high, sum.1 + m.after.high)
        })
    }
}
