//! `karat scan`.

use super::Output;
use clap::ValueEnum;
use std::path::PathBuf;

/// Options of `karat scan`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 whatever was found, 1 a denied class was found, \
                        2 wrong usage or no dependency tree, 4 nothing to scan, \
                        102 the binary could not be audited"
)]
pub struct Scan {
    /// Folder of a package or a workspace.
    #[arg(default_value = ".")]
    pub dir: PathBuf,

    /// The flags in question, such as `-Ctarget-cpu=native` (default: those that cargo
    /// would use, from RUSTFLAGS and its configuration files).
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub rustflags: Option<String>,

    /// The target in question, as a triple (default: this machine's).
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,

    /// Only this package. May be given several times.
    #[arg(long = "package", value_name = "NAME")]
    pub packages: Vec<String>,

    /// Also packages of build scripts, procedural macros and tests, code for other targets
    /// and under features that are off.
    #[arg(long)]
    pub all: bool,

    /// A program that was built from these sources: say what it shows of each place.
    #[arg(long, value_name = "BIN")]
    pub binary: Option<PathBuf>,

    /// The program as built before, to tell code that changed.
    #[arg(long, value_name = "BIN", requires = "binary")]
    pub baseline: Option<PathBuf>,

    /// Write a patch for each package with a place of the class `early-return` into DIR. It
    /// keeps symbols; it says what it does not do.
    #[arg(long, value_name = "DIR")]
    pub patch: Option<PathBuf>,

    /// Exit with 1 when a place of this class is found. May be given several times.
    #[arg(long, value_name = "CLASS")]
    pub deny: Vec<ScanClass>,

    /// How and where the report goes.
    #[command(flatten)]
    pub output: Output,
}

/// Classes of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScanClass {
    /// KS001.
    EarlyReturn,
    /// KS002.
    TailBlock,
    /// KS003.
    Cpufeatures,
    /// KS004.
    Detected,
    /// KS005.
    CompileTime,
    /// KS006.
    Hidden,
}

impl From<ScanClass> for karat_model::scan::Class {
    fn from(class: ScanClass) -> Self {
        match class {
            ScanClass::EarlyReturn => Self::EarlyReturn,
            ScanClass::TailBlock => Self::TailBlock,
            ScanClass::Cpufeatures => Self::Cpufeatures,
            ScanClass::Detected => Self::Detected,
            ScanClass::CompileTime => Self::CompileTime,
            ScanClass::Hidden => Self::Hidden,
        }
    }
}
