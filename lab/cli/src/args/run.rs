//! `karat run`.

use super::{Follow, Output, Runs};
use std::path::PathBuf;

/// Options of `karat run`.
#[derive(Debug, clap::Args)]
#[command(after_help = crate::exit::HELP)]
pub struct Run {
    /// A study file, or a folder that holds a study.toml.
    pub study: PathBuf,

    /// A few rounds only: proves that the study works; gives no verdict.
    #[arg(long)]
    pub smoke: bool,

    /// Say what would be done, what is missing for it and how long it would take; build and
    /// run nothing. Exit code 2 when something is missing.
    #[arg(long, conflicts_with_all = ["resume"])]
    pub dry_run: bool,

    /// Go on with the newest run of this study: where it was interrupted, or, when it
    /// ended undecided, for another `--max-time`.
    #[arg(long, conflicts_with_all = ["smoke", "seed"])]
    pub resume: bool,

    /// Time for all that comes after the builds (default: the study's, or 5 min).
    #[arg(long, value_name = "TIME", conflicts_with = "smoke")]
    pub max_time: Option<String>,

    /// Seed of every random choice (default: drawn from the clock).
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Exit with 0 whatever the verdict; errors keep their codes.
    #[arg(long)]
    pub exit_zero: bool,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,

    /// Who follows it.
    #[command(flatten)]
    pub follow: Follow,

    /// Where results go.
    #[command(flatten)]
    pub output: Output,
}
