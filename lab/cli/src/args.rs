//! The command line.

use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Did this change to the build or the code really help, is behaviour the same,
/// and if not, why?
#[derive(Debug, Parser)]
#[command(name = "karat", version, after_help = crate::exit::HELP)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Say only the result and errors.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On terminals, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build, audit, check, measure and judge a study.
    Run(Run),
    /// Compare commands: which is faster, and by how much?
    Ab(Box<Ab>),
    /// What is in a binary: SIMD instructions by function and crate, growth, findings.
    Audit(Audit),
    /// Compare the logs of two versions: is behaviour the same, what changed in speed?
    Compare(Compare),
    /// What this machine is and how far its measurements can be trusted.
    Doctor(Doctor),
    /// The hash kernels: what runs here, whether it is right, how fast it is.
    #[command(subcommand)]
    Kernels(Kernels),
    /// Where gate functions are called or inlined in a binary, and behind which branch.
    Gates(Gates),
    /// Where a cargo dependency tree chooses code by CPU features, and what flags make of it.
    Scan(Scan),
    /// Write the beginning of a study.
    Init(Init),
    /// Render a finished run again.
    Report(Report),
    /// List finished runs.
    History(History),
    /// Say what a finding's code means and what to do about it.
    Explain {
        /// A code such as KA003; without one, all are listed.
        code: Option<String>,
    },
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Where runs are kept.
#[derive(Clone, Debug, clap::Args)]
pub struct Runs {
    /// Folder of runs and of the build cache.
    #[arg(
        long = "runs",
        value_name = "DIR",
        env = "KARAT_RUNS",
        default_value = "karat-runs"
    )]
    pub dir: PathBuf,
}

/// How and where results go.
#[derive(Clone, Debug, clap::Args)]
pub struct Output {
    /// Form of the result on stdout.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,

    /// Write the report to FILE as well; the form follows its ending (.html, .md,
    /// .json, .txt). May be given several times.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a terminal.
    Human,
    /// For a pull request or a CI summary.
    Markdown,
    /// One self-contained page.
    Html,
    /// All evidence.
    Json,
}

impl From<Format> for karat_report::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Human => Self::Human,
            Format::Markdown => Self::Markdown,
            Format::Html => Self::Html,
            Format::Json => Self::Json,
        }
    }
}

/// Options of `karat run`.
#[derive(Debug, clap::Args)]
#[command(after_help = crate::exit::HELP)]
pub struct Run {
    /// A study file, or a folder that holds a study.toml.
    pub study: PathBuf,

    /// A few rounds only: proves that the study works; gives no verdict.
    #[arg(long)]
    pub smoke: bool,

    /// Say what would be done and how long it would take, and do nothing.
    #[arg(long, conflicts_with_all = ["resume"])]
    pub dry_run: bool,

    /// Go on with the newest interrupted run of this study.
    #[arg(long, conflicts_with_all = ["smoke", "seed"])]
    pub resume: bool,

    /// Seed of every random choice (default: drawn from the clock).
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Exit with 0 whatever the verdict; errors keep their codes.
    #[arg(long)]
    pub exit_zero: bool,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,

    /// Where results go.
    #[command(flatten)]
    pub output: Output,
}

/// Options of `karat ab`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "karat ab [OPTIONS] -- COMMAND… -- COMMAND… [-- COMMAND…]…\n       \
                      karat ab [OPTIONS] --bin-a FILE --bin-b FILE -- ARGUMENTS…",
    after_help = crate::exit::HELP
)]
pub struct Ab {
    /// What is compared: `cpu`, `wall`, `rss`, `page-faults`, `cachegrind`, a hardware
    /// counter (`cycles`, `instructions`, `branches`,
    /// `branch-misses`, `L1-icache-load-misses`), `json:KEY`
    /// (a number in the last line of stdout that is a JSON object), `NAME:REGEX` (a
    /// group called `value`, perhaps one called `unit`), or `output:TOOL` and
    /// `output:TOOL:PATH` (all benchmarks that a tool's output or its files name).
    /// May be given several times; all comparisons then share one error level.
    #[arg(long, default_value = "cpu")]
    pub metric: Vec<String>,

    /// Which way metrics of `json:` and regular expressions are better.
    #[arg(long, value_name = "WAY", default_value = "lower")]
    pub better: Way,

    /// First of two programs that run with the same arguments.
    #[arg(long, value_name = "FILE", requires = "bin_b")]
    pub bin_a: Option<String>,

    /// Second of two programs that run with the same arguments.
    #[arg(long, value_name = "FILE", requires = "bin_a")]
    pub bin_b: Option<String>,

    /// Shell command before every run, not measured.
    #[arg(long, value_name = "COMMAND")]
    pub setup: Option<String>,

    /// Shell command after every run, not measured.
    #[arg(long, value_name = "COMMAND")]
    pub cleanup: Option<String>,

    /// File on stdin, for all commands or (`B:FILE`) for one.
    #[arg(long, value_name = "[ARM:]FILE")]
    pub stdin: Vec<String>,

    /// Working directory, for all commands or for one.
    #[arg(long = "dir", value_name = "[ARM:]DIR")]
    pub work_dirs: Vec<String>,

    /// Environment variable, for all commands or for one.
    #[arg(long, value_name = "[ARM:]NAME=VALUE")]
    pub env: Vec<String>,

    /// Measure each command in this many layouts: address randomisation off, and a
    /// stack that begins elsewhere in each. With 1, every run draws its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub layouts: u32,

    /// Smallest change that matters.
    #[arg(long, value_name = "RATIO", default_value = "1%")]
    pub margin: String,

    /// Rounds at most; each runs every command once, in random order.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(6..=1000))]
    pub rounds: u32,

    /// Longest time for all measuring.
    #[arg(long, value_name = "TIME", default_value = "10 min")]
    pub max_time: String,

    /// Longest time one run may take.
    #[arg(long, value_name = "TIME", default_value = "60 s")]
    pub timeout: String,

    /// Unmeasured runs of each command before the first round.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub warmup: u32,

    /// Seed of every random choice (default: drawn from the clock).
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Exit with 0 whatever the verdict; errors keep their codes.
    #[arg(long)]
    pub exit_zero: bool,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,

    /// Where results go.
    #[command(flatten)]
    pub output: Output,

    /// The commands, each behind `--`; the first is the baseline.
    #[arg(last = true, value_name = "COMMAND")]
    pub commands: Vec<String>,
}

/// Options of `karat compare`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "karat compare [OPTIONS] BEFORE AFTER [--noise LOG…]\n       \
                      karat compare [OPTIONS] --before LOG… --after LOG… [--noise LOG…]",
    after_help = crate::exit::COMPARE_HELP
)]
pub struct Compare {
    /// Two logs, or two folders of logs; `-` is stdin.
    #[arg(value_name = "BEFORE AFTER", num_args = 2, required_unless_present = "before",
          conflicts_with_all = ["before", "after"])]
    pub sides: Vec<PathBuf>,

    /// Logs of the version compared against, or folders of them: several runs, or
    /// several programs.
    #[arg(long, value_name = "LOG", num_args = 1.., requires = "after")]
    pub before: Vec<PathBuf>,

    /// Logs of the version in question.
    #[arg(long, value_name = "LOG", num_args = 1.., requires = "before")]
    pub after: Vec<PathBuf>,

    /// Logs of two or more runs of one version. What their figures differ by is noise,
    /// which lets figures of a single run a side be judged.
    #[arg(long, value_name = "LOG", num_args = 1..)]
    pub noise: Vec<PathBuf>,

    /// Read the logs by this reader only; others are not tried. May be given several times.
    #[arg(long = "reader", value_name = "NAME")]
    pub readers: Vec<String>,

    /// Read figures by a regular expression as well: groups `value`, `name`, `unit`,
    /// `better` (higher or lower) and `section`; other named groups are parameters.
    #[arg(long, value_name = "REGEX")]
    pub pattern: Option<String>,

    /// Smallest change of speed that matters.
    #[arg(long, value_name = "RATIO", default_value = "1%")]
    pub margin: String,

    /// Form of the result on stdout.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: CompareFormat,

    /// Write the report to FILE as well; the form follows its ending (.html, .md, .json,
    /// .txt, .xml for JUnit). May be given several times.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Append the report to the file that GITHUB_STEP_SUMMARY names.
    #[arg(long)]
    pub step_summary: bool,
}

/// Forms of the report of `karat compare`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// For a terminal.
    Human,
    /// For a pull request or a CI summary.
    Markdown,
    /// One self-contained page.
    Html,
    /// All that was found.
    Json,
    /// JUnit XML.
    Junit,
}

/// Which way a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// Throughput.
    Higher,
    /// Time.
    Lower,
}

/// Options of `karat audit`.
#[derive(Debug, clap::Args)]
#[command(after_help = AUDIT_HELP)]
pub struct Audit {
    /// Programs, libraries, objects and archives (.a, .rlib): ELF, Mach-O and PE for
    /// x86-64 and AArch64.
    #[arg(required = true, value_name = "BIN")]
    pub files: Vec<PathBuf>,

    /// Compare each of them with this one: growth by crate and function, red flags.
    #[arg(long, value_name = "BIN")]
    pub baseline: Option<PathBuf>,

    /// Every CPU that the file is meant for has this: a level such as x86-64-v2, or with
    /// more, x86-64-v2+aes. Code above it is found, and whether the CPU is asked before.
    #[arg(long, value_name = "NAME")]
    pub isa: Option<String>,

    /// Functions and known kernels that must be there: a TOML file with
    /// `functions = ["my_crate::avx2::compress"]` and `kernels = ["LIBRARY: KERNEL"]`.
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,

    /// Look here too for separate debug files (.debug, .dwp, .dwo, .dSYM), besides the
    /// places beside the file and below /usr/lib/debug. May be given several times.
    #[arg(long = "debug-dir", value_name = "DIR")]
    pub debug_dirs: Vec<PathBuf>,

    /// Recognise the kernels of this file too, besides those karat knows. May be given
    /// several times.
    #[arg(long = "catalogue", value_name = "FILE")]
    pub catalogues: Vec<PathBuf>,

    /// Write an entry for `--catalogue` to stdout, made from the function called NAME in
    /// a good build, instead of a report.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["baseline", "isa", "expect", "debug_dirs", "catalogues", "outputs", "format"])]
    pub learn: Option<String>,

    /// Functions that a page lists; a terminal and Markdown show fewer.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub top: u32,

    /// Exit with 0 whatever was found; errors keep their codes.
    #[arg(long)]
    pub exit_zero: bool,

    /// Form of the result on stdout.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: AuditFormat,

    /// Write the report to FILE as well; the form follows its ending (.html, .md, .json,
    /// .sarif, .txt). May be given several times.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub outputs: Vec<PathBuf>,
}

/// For `karat audit --help`.
const AUDIT_HELP: &str = "\
Exit codes:
  0    no finding is an error
  1    a finding is an error
  2    the command line is wrong
  70   karat itself failed
  102  a file cannot be audited; the others are reported all the same

Examples:
  karat audit target/release/app
  karat audit target/release/app --baseline app-1.2 -o audit.html -o audit.sarif
  karat audit /usr/lib/libfoo.so --format json | jq '.files[].audit.total'";

/// Forms of an audit's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// For a terminal.
    Human,
    /// For a pull request or a CI summary.
    Markdown,
    /// One self-contained page.
    Html,
    /// All that was found.
    Json,
    /// Findings with their places, for code hosts.
    Sarif,
}

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

    /// `human` or `json`.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

/// Forms of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For a terminal.
    Human,
    /// For programs.
    Json,
}

/// Options of `karat gates`.
#[derive(Debug, clap::Args)]
pub struct Gates {
    /// A linked ELF x86-64 program or library.
    pub binary: PathBuf,

    /// A function that switches code on, such as `debug_enabled` or `a::b::is_on`.
    /// May be given several times.
    #[arg(long = "gate", value_name = "NAME", required = true)]
    pub gates: Vec<String>,

    /// `human` or `json`.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,
}

/// Options of `karat init`.
#[derive(Debug, clap::Args)]
pub struct Init {
    /// Folder for the study (default: the current one).
    #[arg(default_value = ".")]
    pub dir: PathBuf,
}

/// Options of `karat report`.
#[derive(Debug, clap::Args)]
pub struct Report {
    /// A run's name, its folder, an evidence.json, or `latest`.
    #[arg(default_value = "latest")]
    pub run: String,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,

    /// Where the report goes.
    #[command(flatten)]
    pub output: Output,
}

/// Options of `karat history`.
#[derive(Debug, clap::Args)]
pub struct History {
    /// Only runs of this study.
    pub study: Option<String>,

    /// `human` or `json`.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,
}

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

    /// Form of the result on stdout.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ScanFormat,

    /// Write the result to FILE as well; the form follows its ending (.txt, .md, .json,
    /// .sarif). May be given several times.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Forms of a scan's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScanFormat {
    /// For a terminal.
    Human,
    /// For a pull request or a CI summary.
    Markdown,
    /// All places.
    Json,
    /// For code hosts.
    Sarif,
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

/// What to do with the kernels.
#[derive(Debug, Subcommand)]
pub enum Kernels {
    /// Each kernel's implementations: what they need, which one is chosen here and why.
    List {
        /// `human` or `json`.
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: ListFormat,
    },
    /// Every implementation that this CPU has, against known answers and the portable one;
    /// exit code 1 when one is wrong.
    Check {
        /// Only this kernel. May be given several times.
        #[arg(long = "kernel", value_name = "NAME")]
        kernels: Vec<String>,

        /// Seed of the random messages (default: drawn from the clock).
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
    },
    /// Every implementation that this CPU has, measured side by side.
    Bench(KernelBench),
}

/// Options of `karat kernels bench`.
#[derive(Debug, clap::Args)]
pub struct KernelBench {
    /// Measure other crates' hashes as well, and compare with the fastest of them.
    /// Needs a karat that was built with `--features peers`.
    #[arg(long)]
    pub peers: bool,

    /// Only this kernel. May be given several times.
    #[arg(long = "kernel", value_name = "NAME")]
    pub kernels: Vec<String>,

    /// Bytes of a message, such as `64,1K,1M`, at most 256M (default: 64 bytes to 16 MiB
    /// for one message, 64, 1K and 8K for many). Tasks for short messages leave out long ones.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub sizes: Vec<String>,

    /// Measure several threads as well, by the wall clock.
    #[arg(long)]
    pub threads: bool,

    /// A few rounds of a few sizes only: shows that all of it works.
    #[arg(long)]
    pub quick: bool,

    /// Seed of inputs and order (default: drawn from the clock).
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// `human` or `json`.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: ListFormat,

    /// Write the result to FILE as well; the form follows its ending (.csv, .json, .html,
    /// .txt). May be given several times.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
