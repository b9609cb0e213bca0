//! What several commands take.

use clap::ValueEnum;
use std::path::PathBuf;

/// The folder of runs unless another is named.
pub const DEFAULT_RUNS: &str = "karat-runs";

/// Where runs are kept.
#[derive(Clone, Debug, clap::Args)]
pub struct Runs {
    /// Folder of runs and of the build cache; is made by the first run.
    #[arg(
        long = "runs",
        value_name = "DIR",
        env = "KARAT_RUNS",
        default_value = DEFAULT_RUNS
    )]
    pub dir: PathBuf,
}

/// Who follows a run.
#[derive(Clone, Debug, clap::Args)]
pub struct Follow {
    /// Write what happens to FILE while it happens: a line of JSON for each event.
    #[arg(long = "events", value_name = "FILE")]
    pub events: Option<PathBuf>,
}

/// How and where results go.
#[derive(Clone, Debug, clap::Args)]
pub struct Output {
    /// Form of the result on stdout.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,

    /// Write the report to FILE as well; the form follows its ending (.html, .md,
    /// .json, .txt). May be given several times.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a terminal.
    Human,
    /// For a pull request or a CI summary.
    Markdown,
    /// One self-contained page.
    Html,
    /// All evidence.
    Json,
}

impl From<Format> for karat_report::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Human => Self::Human,
            Format::Markdown => Self::Markdown,
            Format::Html => Self::Html,
            Format::Json => Self::Json,
        }
    }
}

/// Forms of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For a terminal.
    Human,
    /// For programs.
    Json,
}
