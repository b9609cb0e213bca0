//! What a scan of a cargo dependency tree's sources finds: the places where a build
//! chooses between implementations by CPU features, and what its flags make of them.

use crate::finding::Location;
use crate::survival::SurvivalState;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One package of a dependency tree, as cargo describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name in the manifest.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The folder of its manifest.
    pub root: PathBuf,
    /// Libraries and programs, the library first; build scripts, tests and examples are
    /// none of them.
    pub targets: Vec<Target>,
    /// Features that are on in this tree; `None` when nobody knows.
    pub features: Option<Vec<String>>,
}

/// A crate of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The crate's name in paths: `my_crate`.
    pub krate: String,
    /// Its root file.
    pub source: PathBuf,
}

/// How a place chooses, in the order of the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// `#[cfg(target_feature = …)]` around a `return` that comes before run-time detection.
    EarlyReturn,
    /// The same as the value of a block or of an expression, with detection as the alternative.
    TailBlock,
    /// The macro `cpufeatures::new!`.
    Cpufeatures,
    /// One of std's `is_…_feature_detected!` macros and nothing else.
    Detected,
    /// `cfg(target_feature = …)` of features that the package nowhere detects.
    CompileTime,
    /// One of these inside a macro that cannot be looked into.
    Hidden,
}

impl Class {
    /// All, in the order of their codes.
    pub const ALL: [Self; 6] = [
        Self::EarlyReturn,
        Self::TailBlock,
        Self::Cpufeatures,
        Self::Detected,
        Self::CompileTime,
        Self::Hidden,
    ];

    /// The code, such as `KS001`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::EarlyReturn => "KS001",
            Self::TailBlock => "KS002",
            Self::Cpufeatures => "KS003",
            Self::Detected => "KS004",
            Self::CompileTime => "KS005",
            Self::Hidden => "KS006",
        }
    }

    /// The name, as in JSON and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EarlyReturn => "early-return",
            Self::TailBlock => "tail-block",
            Self::Cpufeatures => "cpufeatures",
            Self::Detected => "detected",
            Self::CompileTime => "compile-time",
            Self::Hidden => "hidden",
        }
    }
}

/// What the flags make of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fold {
    /// The compiler knows that the CPU has the features: nothing is asked at run time, and
    /// the path for them is the only one.
    True,
    /// The compiler does not know it: the program asks at run time, or, of what is chosen
    /// at compile time only, the path for the features is not in the program.
    No,
    /// The flags do not decide it alone, or the place cannot be read.
    Unknown,
    /// It is for another target, under a feature of its package that is off, or, of what is
    /// chosen at compile time only, passed over for another branch although the flags have
    /// its features: no flag would bring it in.
    Elsewhere,
}

/// One place in the sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// How it chooses.
    pub class: Class,
    /// Name of the package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// Path of the file inside the package, with `/`.
    pub path: String,
    /// The file as the reader can open it, with line and column.
    pub location: Location,
    /// Path of the function or item it is in, or of the module.
    pub item: String,
    /// The features it names, by rustc's names.
    pub features: Vec<String>,
    /// The condition as text, where it is one of `cfg`.
    pub condition: Option<String>,
    /// The macro, for what is hidden in one.
    pub in_macro: Option<String>,
    /// What the flags make of it.
    pub fold: Fold,
    /// Modules with functions for these features, or its own module: what is looked for in
    /// a binary.
    pub guards: Vec<String>,
    /// What a binary shows of them, in the order of `guards`; empty without a binary.
    pub in_binary: Vec<SurvivalState>,
}

/// Places that were found and are not listed, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Compiled for tests, benchmarks or documentation only.
    pub tests: u64,
    /// For WebAssembly.
    pub wasm: u64,
    /// For other targets than this one.
    pub other_targets: u64,
    /// Under features of the package that are off.
    pub features_off: u64,
    /// Features that are no instruction set, such as `crt-static`.
    pub not_simd: u64,
    /// `cfg` of features that the package also detects at run time.
    pub beside_detection: u64,
}

/// Something that the scan could not do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The file, with the place if it is known.
    pub location: Location,
    /// What was wrong.
    pub message: String,
}

/// Which flags the answers are about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flags {
    /// The target, as a triple.
    pub target: String,
    /// Flags of rustc.
    pub rustflags: Vec<String>,
    /// Where they come from: `--rustflags`, a variable, a configuration file, or `none`.
    pub origin: String,
    /// Features that the compiler assumes with these flags.
    pub features: Vec<String>,
}

/// All that `karat scan` found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scan {
    /// Version of this form: 1.
    pub schema: u32,
    /// karat's version.
    pub karat: String,
    /// The folder that was asked for.
    pub root: String,
    /// The flags.
    pub flags: Flags,
    /// Packages read.
    pub packages: u64,
    /// Source files read.
    pub files: u64,
    /// Files of them that were parsed; the others hold none of the words.
    pub parsed: u64,
    /// Bytes of all files read.
    pub bytes: u64,
    /// Time for reading and parsing, in milliseconds.
    pub milliseconds: u64,
    /// The binary that the places are compared with.
    pub binary: Option<String>,
    /// The places, by package, class and place.
    pub sites: Vec<Site>,
    /// Places that are not listed.
    pub left_out: LeftOut,
    /// What could not be done.
    pub notes: Vec<Note>,
}

impl Scan {
    /// How many places a class has.
    #[must_use]
    pub fn count(&self, class: Class) -> usize {
        self.sites.iter().filter(|s| s.class == class).count()
    }
}
