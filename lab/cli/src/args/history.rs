//! `karat history`.

use super::{Output, Runs};

/// Options of `karat history`.
#[derive(Debug, clap::Args)]
pub struct History {
    /// Only runs of this study.
    pub study: Option<String>,

    /// How and where the list goes.
    #[command(flatten)]
    pub output: Output,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,
}
