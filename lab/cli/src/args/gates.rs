//! `karat gates`.

use super::ListFormat;
use std::path::PathBuf;

/// Options of `karat gates`.
#[derive(Debug, clap::Args)]
pub struct Gates {
    /// A linked ELF x86-64 program or library.
    pub binary: PathBuf,

    /// A function that switches code on, such as `debug_enabled` or `a::b::is_on`.
    /// May be given several times.
    #[arg(long = "gate", value_name = "NAME", required = true)]
    pub gates: Vec<String>,

    /// Form of the result on stdout.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}
