//! `karat compare`.

use super::Output;
use std::path::PathBuf;

/// Options of `karat compare`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "karat compare [OPTIONS] BEFORE AFTER [--noise LOG…]\n       \
                      karat compare [OPTIONS] --before LOG… --after LOG… [--noise LOG…]",
    after_help = crate::exit::COMPARE_HELP
)]
pub struct Compare {
    /// Two logs, or two folders of logs; `-` is stdin.
    #[arg(value_name = "BEFORE AFTER", num_args = 2, required_unless_present = "before",
          conflicts_with_all = ["before", "after"])]
    pub sides: Vec<PathBuf>,

    /// Logs of the version compared against, or folders of them: several runs, or
    /// several programs.
    #[arg(long, value_name = "LOG", num_args = 1.., requires = "after")]
    pub before: Vec<PathBuf>,

    /// Logs of the version in question.
    #[arg(long, value_name = "LOG", num_args = 1.., requires = "before")]
    pub after: Vec<PathBuf>,

    /// Logs of two or more runs of one version. What their figures differ by is noise,
    /// which lets figures of a single run a side be judged.
    #[arg(long, value_name = "LOG", num_args = 1..)]
    pub noise: Vec<PathBuf>,

    /// Read the logs by this reader only; others are not tried. May be given several times.
    #[arg(long = "reader", value_name = "NAME", value_parser = karat_compare::reader_names(),
          hide_possible_values = true)]
    pub readers: Vec<String>,

    /// Read figures by a regular expression as well: groups `value`, `name`, `unit`,
    /// `better` (higher or lower) and `section`; other named groups are parameters.
    #[arg(long, value_name = "REGEX")]
    pub pattern: Option<String>,

    /// Unit of the pattern's figures, where it has no group `unit`.
    #[arg(long, value_name = "UNIT", requires = "pattern")]
    pub unit: Option<String>,

    /// Which way the pattern's figures are better, where neither a group nor the unit
    /// says so.
    #[arg(long, value_name = "WAY", requires = "pattern", value_parser = ["higher", "lower"])]
    pub better: Option<String>,

    /// Smallest change of speed that matters, such as `1%` or `0.5%`.
    #[arg(long, value_name = "RATIO", default_value = "1%")]
    pub margin: String,

    /// Judge by the values within one log (repetitions, samples) as if each were a run of
    /// its own. That is an assumption: the report states it.
    #[arg(long, conflicts_with = "noise")]
    pub within: bool,

    /// How and where the report goes.
    #[command(flatten)]
    pub output: Output,

    /// Append the report to the file that GITHUB_STEP_SUMMARY names.
    #[arg(long)]
    pub step_summary: bool,
}
