//! `karat init`.

use std::path::PathBuf;

/// Options of `karat init`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "It knows cargo packages and workspaces, CMake, Meson, Make, Go modules, \
                        Python extensions, and folders with two programs. What it does not find it \
                        asks for, here and in the study."
)]
pub struct Init {
    /// Folder for the study, which is looked at; one that is new or empty is made, and then
    /// the folder above it is looked at.
    #[arg(default_value = ".")]
    pub dir: PathBuf,
}
