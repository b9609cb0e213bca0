//! `karat history`.

use super::{ListFormat, Runs};

/// Options of `karat history`.
#[derive(Debug, clap::Args)]
pub struct History {
    /// Only runs of this study.
    pub study: Option<String>,

    /// Form of the result on stdout.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,
}
