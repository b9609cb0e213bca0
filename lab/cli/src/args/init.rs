//! `karat init`.

use std::path::PathBuf;

/// Options of `karat init`.
#[derive(Debug, clap::Args)]
pub struct Init {
    /// Folder for the study; is made if it is not there.
    #[arg(default_value = ".")]
    pub dir: PathBuf,
}
