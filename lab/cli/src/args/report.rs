//! `karat report`.

use super::{Output, Runs};
use std::path::PathBuf;

/// Options of `karat report`.
#[derive(Debug, clap::Args)]
pub struct Report {
    /// A run's name as `karat history` lists it, its folder, an evidence.json, or `latest`:
    /// the run that began last.
    #[arg(default_value = "latest")]
    pub run: PathBuf,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,

    /// Where the report goes.
    #[command(flatten)]
    pub output: Output,
}
