//! What a comparison of two sets of logs found: the document of `karat compare`.

use crate::log::{Level, Statistic};
use crate::units::Better;
use crate::verdict::{Judgement, SpeedRatio, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// One set of logs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LogSide {
    /// The files, in the order given; those of a folder by name.
    pub files: Vec<LogFile>,
    /// Programs that the files are of: files that share most of their tests and
    /// figures are runs of one program.
    pub programs: u32,
}

/// One log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LogFile {
    /// Its path as given; `-` for stdin.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its lines.
    pub lines: u64,
    /// The readers that knew something of it.
    pub readers: Vec<String>,
    /// Facts found: tests, figures, messages, crashes and facts of the environment.
    pub events: u64,
    /// Lines that no reader knew.
    #[serde(default)]
    pub unread: Unread,
    /// What stood before every line and was left out, such as `GitHub's time stamps`.
    #[serde(default)]
    pub prefix: Option<String>,
    /// The log of the same side that this one repeats, so that both are one run.
    #[serde(default)]
    pub copy_of: Option<String>,
}

/// Lines of a log that no reader knew, by their shape. Blank lines do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Unread {
    /// All of them.
    pub lines: u64,
    /// Those that look like the outcome of a test.
    pub tests: u64,
    /// Those that look like an error.
    pub errors: u64,
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

/// A line that no reader knew and that looks like something, on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UnreadRow {
    /// What it looks like.
    pub shape: Shape,
    /// The line, normalised.
    pub text: String,
    /// Times a run before.
    pub before: Times,
    /// Times a run after.
    pub after: Times,
    /// What became of it.
    pub class: CountClass,
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

/// How a difference weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// None.
    Same,
    /// One that does not make behaviour differ, but should be known.
    Noted,
    /// Behaviour differs.
    Fails,
}

/// How often something occurred in one run of each program of a side: fewest and
/// most over its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// Fewest.
    pub low: u64,
    /// Most.
    pub high: u64,
}

/// A test on one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TestSide {
    /// Times it passed, over all runs.
    pub passed: u64,
    /// Times it failed.
    pub failed: u64,
    /// Times it was skipped.
    pub skipped: u64,
    /// Times a run.
    pub times: Times,
    /// Why it failed or was skipped, the first time.
    pub reason: Option<String>,
}

impl TestSide {
    /// How it ended, over all runs: `passed`, `failed`, `skipped`, or `flaky` when
    /// runs differ.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match (self.passed > 0, self.failed > 0, self.skipped > 0) {
            (true, false, false) => "passed",
            (false, true, false) => "failed",
            (false, false, _) => "skipped",
            _ => "flaky",
        }
    }
}

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TestClass {
    /// It ends as before.
    Same,
    /// It fails.
    NewlyFailing,
    /// It fails in some runs.
    NewlyFlaky,
    /// It is gone.
    Missing,
    /// It is skipped.
    NewlySkipped,
    /// It passes and did not.
    NewlyPassing,
    /// It runs and was skipped.
    NoLongerSkipped,
    /// It runs more or less often.
    OtherTimes,
    /// It is there and was not; if it fails, it is newly failing.
    New,
    /// It failed in some runs before and does not, or does so still.
    Flaky,
    /// Not in all runs of a side.
    Unsteady,
}

impl TestClass {
    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::NewlyFailing => "newly failing",
            Self::NewlyFlaky => "newly flaky",
            Self::Missing => "missing",
            Self::NewlySkipped => "newly skipped",
            Self::NewlyPassing => "newly passing",
            Self::NoLongerSkipped => "no longer skipped",
            Self::OtherTimes => "runs more or less often",
            Self::New => "new",
            Self::Flaky => "flaky",
            Self::Unsteady => "not in every run",
        }
    }

    /// How it weighs. A new test that passes says nothing of what was there before,
    /// and what was flaky before is no difference.
    #[must_use]
    pub const fn weight(self) -> Weight {
        match self {
            Self::Same => Weight::Same,
            Self::New | Self::Flaky | Self::Unsteady => Weight::Noted,
            _ => Weight::Fails,
        }
    }
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TestRow {
    /// What it belongs to; may be empty.
    pub suite: String,
    /// Its name within that.
    pub name: String,
    /// Before; `None` when it is not there.
    pub before: Option<TestSide>,
    /// After; `None` when it is not there.
    pub after: Option<TestSide>,
    /// What became of it.
    pub class: TestClass,
}

impl TestRow {
    /// Suite and name as one.
    #[must_use]
    pub fn title(&self) -> String {
        match self.suite.as_str() {
            "" => self.name.clone(),
            suite => format!("{suite}: {}", self.name),
        }
    }
}

/// What became of a message or a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CountClass {
    /// As often as before.
    Same,
    /// It was not there.
    New,
    /// It is not there.
    Gone,
    /// More or less often in every run.
    OtherTimes,
    /// Its number varies between runs of a side, and the sides' ranges meet.
    Unsteady,
}

impl CountClass {
    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::New => "new",
            Self::Gone => "gone",
            Self::OtherTimes => "more or less often",
            Self::Unsteady => "varies between runs",
        }
    }

    /// How it weighs.
    #[must_use]
    pub const fn weight(self) -> Weight {
        match self {
            Self::Same => Weight::Same,
            Self::Unsteady => Weight::Noted,
            _ => Weight::Fails,
        }
    }

    /// From the ranges of both sides. What was in no run and is in one is new; what
    /// was in some runs and is in none may still come.
    #[must_use]
    pub const fn of(before: Times, after: Times) -> Self {
        if before.high == 0 && after.high > 0 {
            Self::New
        } else if after.high == 0 && before.low > 0 {
            Self::Gone
        } else if before.high < after.low || after.high < before.low {
            Self::OtherTimes
        } else if before.low == after.low && before.high == after.high {
            Self::Same
        } else {
            Self::Unsteady
        }
    }
}

/// One warning or error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MessageRow {
    /// How grave it is.
    pub level: Level,
    /// The source file that printed it.
    pub file: Option<String>,
    /// What it says, normalised.
    pub text: String,
    /// Times a run before, repetitions that a tool folds counted.
    pub before: Times,
    /// Times a run after.
    pub after: Times,
    /// Lines of the source file before, as far as the logs say; at most eight.
    pub lines_before: Vec<u32>,
    /// Lines of the source file after.
    pub lines_after: Vec<u32>,
    /// What became of it.
    pub class: CountClass,
}

/// One crash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CrashRow {
    /// In a word or two: `SIGSEGV`, `panic`.
    pub kind: String,
    /// The line that tells of it, normalised.
    pub text: String,
    /// Times a run before.
    pub before: Times,
    /// Times a run after.
    pub after: Times,
    /// What became of it.
    pub class: CountClass,
}

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
