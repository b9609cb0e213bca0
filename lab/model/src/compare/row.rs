//! Tests, messages, crashes and lines that nobody read, on both sides, and what became of them.

use crate::log::{Level, Shape};
use serde::{Deserialize, Serialize};

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
