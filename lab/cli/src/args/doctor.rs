//! `karat doctor`.

use super::Output;

/// Options of `karat doctor`.
#[derive(Debug, clap::Args)]
pub struct Doctor {
    /// Measure how often karat is wrong here and what it finds: the same program
    /// against itself, and with 1 % and 2 % more work.
    #[arg(long)]
    pub noise: bool,

    /// Smallest change that matters, for the program against itself.
    #[arg(long, value_name = "RATIO", default_value = "1%", requires = "noise")]
    pub margin: String,

    /// How long the noise is measured.
    #[arg(long, value_name = "TIME", default_value = "60 s", requires = "noise")]
    pub time: String,

    /// How and where the report goes.
    #[command(flatten)]
    pub output: Output,
}
