//! What several commands take.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use karat_report::Format;
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

/// How and where results go; the same for every command that reports.
#[derive(Clone, Debug, clap::Args)]
pub struct Output {
    /// Form of the result on stdout. What there is not of a report, an error says.
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = formats())]
    pub format: Format,

    /// Write the report to FILE as well; the form follows its ending (.txt, .md, .json,
    /// .html, .sarif, .xml for JUnit, .csv). May be given several times.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub outputs: Vec<PathBuf>,
}

/// The formats by their names.
fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::named(&name).ok_or("no format"))
}
