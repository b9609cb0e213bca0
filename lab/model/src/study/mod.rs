//! The study: a TOML file that names variants, checks and workloads.
//!
//! [`Study::parse`] turns text into a checked value or into problems with
//! their places; it touches no file.

mod audit;
mod builder;
mod decode;
pub(crate) mod fields;
pub mod metric;
mod names;
mod pairs;
mod parity;
pub mod reference;
mod soak;
mod surroundings;

pub use crate::units::written as quantity;
pub use fields::Located;
pub use soak::StudySoak;

use crate::bloat::Thresholds;
use crate::diagnostic::{Problem, nearest};
use crate::units::Metric;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A study, checked as far as its text allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Short name, used for run folders.
    pub name: String,
    /// The question, as a heading.
    pub title: String,
    /// A paragraph for the report.
    pub description: String,
    /// Index of the baseline in [`Study::variants`].
    pub baseline: usize,
    /// Index of the variant that the study's verdict is about, if it names one.
    pub candidate: Option<usize>,
    /// The variants, in the order of the file; two at least.
    pub variants: Vec<Variant>,
    /// Variants to compare with each other besides with the baseline: (compared with,
    /// variant), as indices in [`Study::variants`].
    pub pairs: Vec<(usize, usize)>,
    /// The workloads, in the order of the file.
    pub workloads: Vec<Workload>,
    /// The parity checks, in the order of the file.
    pub parity: Vec<Parity>,
    /// Functions that the audit looks for.
    pub expect: Vec<Expect>,
    /// What growth of a variant's code is worth a finding.
    pub bloat: Thresholds,
    /// How to measure.
    pub measure: Measure,
    /// What a run may cost.
    pub budget: Budget,
    /// How a variant is watched for a long time; none when the study does not say.
    pub soak: Option<StudySoak>,
}

/// What a whole run may cost, in seconds; reports say whether it did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// With builds to make.
    pub clean: Option<f64>,
    /// With all builds cached.
    pub cached: Option<f64>,
    /// A smoke run with all builds cached.
    pub smoke: Option<f64>,
}

/// One way to build the subject, the study's defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: Located<String>,
    /// Why it is in the study.
    pub why: String,
    /// ISAs without which it is left out (rustc's feature names).
    pub requires: Vec<String>,
    /// How to get the binary.
    pub builder: Builder,
    /// Arguments that this variant puts before a workload's or a check's own.
    pub args: Vec<String>,
    /// What its runs find round them, beyond what the workload says.
    pub run: Surroundings,
}

/// What a run finds round it. Paths are relative to the study file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// File on stdin, opened anew for each run; nothing when `None`.
    pub stdin: Option<Located<PathBuf>>,
    /// Working directory; karat's own when `None`.
    pub dir: Option<Located<PathBuf>>,
    /// Environment variables added to karat's own.
    pub env: BTreeMap<String, String>,
    /// Shell command before each run, not measured.
    pub setup: Option<String>,
    /// Shell command after each run, not measured.
    pub cleanup: Option<String>,
}

impl Surroundings {
    /// These, with what they leave out taken from `base`.
    #[must_use]
    pub fn over(&self, base: &Self) -> Self {
        let mut env = base.env.clone();
        env.extend(self.env.clone());
        Self {
            stdin: self.stdin.clone().or_else(|| base.stdin.clone()),
            dir: self.dir.clone().or_else(|| base.dir.clone()),
            env,
            setup: self.setup.clone().or_else(|| base.setup.clone()),
            cleanup: self.cleanup.clone().or_else(|| base.cleanup.clone()),
        }
    }
}

/// How a variant's binary comes to be. Paths are relative to the study file.
#[derive(Clone, Debug, PartialEq)]
pub enum Builder {
    /// `cargo build`.
    Cargo(Cargo),
    /// Any command that leaves an artifact.
    Command(Command),
    /// A binary that exists.
    Binary(Located<PathBuf>),
}

/// A cargo build.
#[derive(Clone, Debug, PartialEq)]
pub struct Cargo {
    /// Folder of the package's `Cargo.toml`.
    pub dir: Located<PathBuf>,
    /// Binary target to build and run.
    pub bin: String,
    /// Flags for rustc, for every crate.
    pub rustflags: Vec<String>,
    /// Further flags for some crates.
    pub crate_rustflags: Option<CrateFlags>,
    /// Cargo features to enable.
    pub features: Vec<String>,
    /// Whether the package's default features are on.
    pub default_features: bool,
    /// Settings of `[profile.release]` that this variant overrides.
    pub profile: BTreeMap<String, ProfileValue>,
    /// Environment of the build.
    pub env: BTreeMap<String, String>,
    /// Dependencies to patch.
    pub patches: Vec<Patch>,
}

/// Flags that not all crates of a build get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateFlags {
    /// The flags; none holds a space.
    pub flags: Vec<String>,
    /// Who gets them.
    pub crates: CrateSet,
}

/// Some crates of a build, by rustc's (underscored) names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrateSet {
    /// All but these.
    Except(Vec<String>),
    /// Only these.
    Only(Vec<String>),
}

/// A value of a cargo profile key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileValue {
    /// Such as `lto = "fat"`.
    Text(String),
    /// Such as `codegen-units = 1`.
    Number(u32),
    /// Such as `overflow-checks = false`.
    Flag(bool),
}

/// A patch file for one dependency.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// The dependency's package name.
    pub package: String,
    /// Unified diff with `a/` and `b/` paths, relative to the study file.
    pub file: Located<PathBuf>,
}

/// A build by a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Folder that is copied and in which the command runs.
    pub dir: Located<PathBuf>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The binary it leaves, relative to the folder.
    pub artifact: PathBuf,
    /// Environment of the build.
    pub env: BTreeMap<String, String>,
}

/// One way to run the subject, and what to judge it by.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub why: String,
    /// Arguments.
    pub args: Vec<String>,
    /// What each run finds round it.
    pub run: Surroundings,
    /// Whether stdout goes to /dev/null instead of to karat.
    pub null_stdout: bool,
    /// What it is judged by; one at least.
    pub metrics: Vec<MetricPlan>,
    /// Smallest relative change that matters, 0 to 0.5.
    pub margin: f64,
    /// Longest time one run may take, in seconds.
    pub timeout: f64,
}

/// A number to judge a workload by, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricPlan {
    /// Where from.
    pub source: MetricSource,
    /// Its name, unit and direction. Of [`MetricSource::Output`], which finds its
    /// metrics in what a program prints, only the name counts.
    pub metric: Metric,
}

/// Where a metric's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetricSource {
    /// User plus system time of the process.
    Cpu,
    /// Time from start to exit.
    Wall,
    /// A key (dots go down) of the last line of stdout that is a JSON object.
    Json(String),
    /// A regular expression on stdout with a group named `value`.
    Regex(String),
    /// Largest resident memory of the process.
    Rss,
    /// Page faults, minor and major.
    Faults,
    /// A hardware counter, where the kernel gives it.
    Counter(Counter),
    /// Instructions by cachegrind: the same in every run.
    Cachegrind,
    /// All benchmarks in the output of a benchmark tool.
    Output {
        /// The tool, by the reader's name; recognised from the output when `None`.
        tool: Option<String>,
        /// File or folder that holds it, relative to the run's working directory;
        /// stdout when `None`.
        path: Option<PathBuf>,
    },
}

impl MetricSource {
    /// Whether the value is read from what the program prints on stdout.
    #[must_use]
    pub const fn is_on_stdout(&self) -> bool {
        matches!(
            self,
            Self::Json(_) | Self::Regex(_) | Self::Output { path: None, .. }
        )
    }
}

/// A hardware counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Core cycles.
    Cycles,
    /// Instructions retired.
    Instructions,
    /// Branches retired.
    Branches,
    /// Mispredicted branches.
    BranchMisses,
    /// Misses of the first-level instruction cache.
    L1iMisses,
}

impl Counter {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Cycles,
        Self::Instructions,
        Self::Branches,
        Self::BranchMisses,
        Self::L1iMisses,
    ];

    /// Its name in perf-list(1), which a study and a report use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::Instructions => "instructions",
            Self::Branches => "branches",
            Self::BranchMisses => "branch-misses",
            Self::L1iMisses => "L1-icache-load-misses",
        }
    }
}

/// A run whose behaviour must be the same in every variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parity {
    /// Its name.
    pub name: String,
    /// Arguments of the subject.
    pub args: Vec<String>,
    /// How what it prints is compared.
    pub output: ParityOutput,
}

/// How the output of a parity check is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParityOutput {
    /// stdout byte by byte, warnings on stderr line by line.
    Bytes,
    /// Tests, messages and crashes that readers find in logs, by identity: times,
    /// order, addresses and lines may differ.
    Events {
        /// The reader's name; all are tried when `None`.
        reader: Option<Located<String>>,
        /// What is read, in the order of the study; stdout and stderr unless it says
        /// otherwise.
        logs: Vec<LogSource>,
    },
}

/// A log of a parity check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogSource {
    /// What the run prints.
    Stdout,
    /// What it prints on stderr.
    Stderr,
    /// A file that it writes, or a folder of them; relative to its working directory.
    File(PathBuf),
}

impl std::fmt::Display for LogSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stdout => f.write_str("stdout"),
            Self::Stderr => f.write_str("stderr"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// A function whose survival the audit follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// Demangled path.
    pub function: String,
    /// Workloads it is hot in; their causes cite it.
    pub workloads: Vec<String>,
}

/// How to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Rounds after which measuring ends in any case.
    pub max_rounds: u32,
    /// How long measuring may take.
    pub time: MaxTime,
    /// Unmeasured runs of each arm before the first round.
    pub warmup: u32,
    /// Whether measured runs are pinned to one processor.
    pub pin: bool,
    /// In how many layouts each variant is measured.
    pub layouts: Layouts,
}

/// How long measuring may take: all that comes after the builds and their audit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaxTime {
    /// As long as [`AUTO_ROUNDS`] rounds take, within [`AUTO_SECONDS`].
    Auto,
    /// Seconds.
    Seconds(f64),
}

/// Rounds that an automatic time has room for.
pub const AUTO_ROUNDS: u32 = 40;

/// Shortest and longest automatic time, in seconds.
pub const AUTO_SECONDS: [f64; 2] = [40.0, 600.0];

/// The time of a study that names none, in seconds.
pub const DEFAULT_SECONDS: f64 = 300.0;

/// Rounds at most where nobody says otherwise: what a look can judge at once.
pub const MOST_ROUNDS: u32 = 5000;

/// In how many layouts (section orders) each variant is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layouts {
    /// A pilot on the baseline decides, where layouts can be drawn at all.
    Auto,
    /// This many; 1 is the linker's own only.
    Count(u32),
}

impl Study {
    /// Reads a study.
    ///
    /// # Errors
    /// All problems found, in the order of the text.
    pub fn parse(source: &str) -> Result<Self, Vec<Problem>> {
        decode::study(source)
    }

    /// Every path the study names, with its place, relative to the study file.
    #[must_use]
    pub fn paths(&self) -> Vec<&Located<PathBuf>> {
        let mut paths = Vec::new();
        for variant in &self.variants {
            match &variant.builder {
                Builder::Cargo(cargo) => {
                    paths.push(&cargo.dir);
                    paths.extend(cargo.patches.iter().map(|p| &p.file));
                }
                Builder::Command(command) => paths.push(&command.dir),
                Builder::Binary(path) => paths.push(path),
            }
        }
        let variants = self.variants.iter().map(|v| &v.run);
        for run in variants.chain(self.workloads.iter().map(|w| &w.run)) {
            paths.extend(run.stdin.iter().chain(&run.dir));
        }
        paths
    }

    /// Problems with readers of logs that are not among `known`.
    #[must_use]
    pub fn unknown_readers(&self, known: &[&str]) -> Vec<Problem> {
        let reader = |p: &Parity| match &p.output {
            ParityOutput::Events { reader, .. } => reader.clone(),
            ParityOutput::Bytes => None,
        };
        let named = self.parity.iter().filter_map(reader);
        named
            .filter(|reader| !known.contains(&reader.value.as_str()))
            .map(|reader| Problem {
                message: format!("no reader of logs is called `{}`", reader.value),
                span: reader.span.clone(),
                label: "named here".into(),
                help: Some(match nearest(&reader.value, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("readers: auto, {}", known.join(", ")),
                }),
            })
            .collect()
    }

    /// A problem for each named path for which `exists` says no.
    pub fn missing_paths(&self, exists: impl Fn(&std::path::Path) -> bool) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for path in self.paths() {
            if exists(&path.value) || problems.iter().any(|p| p.span == path.span) {
                continue;
            }
            problems.push(Problem {
                message: format!("no such file or folder: {}", path.value.display()),
                span: path.span.clone(),
                label: "named here".into(),
                help: Some("paths are relative to the study file".into()),
            });
        }
        problems
    }
}
