//! The logs of a side.

use serde::{Deserialize, Serialize};

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
