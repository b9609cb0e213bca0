//! `karat ab`.

use super::{Follow, Output, Runs, Watching};
use clap::ValueEnum;
use karat_model::study::MOST_ROUNDS;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `karat ab`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "karat ab [OPTIONS] -- COMMAND… -- COMMAND… [-- COMMAND…]…\n       \
                      karat ab [OPTIONS] --bin-a FILE --bin-b FILE [-- ARGUMENTS…]\n       \
                      karat ab [OPTIONS] --shell -- 'COMMAND' -- 'COMMAND' [-- 'COMMAND']…\n       \
                      karat ab --soak [OPTIONS] -- COMMAND… -- COMMAND…\n       \
                      karat ab --soak [OPTIONS] --study STUDY [--variant A --variant B]",
    after_help = crate::exit::AB_HELP
)]
pub struct Ab {
    /// What is compared: `cpu` (user and system time), `wall` (time from start to exit),
    /// `rss` (peak memory), `page-faults`, `cachegrind` (instructions), a hardware
    /// counter (`cycles`, `instructions`, `branches`,
    /// `branch-misses`, `L1-icache-load-misses`), `json:KEY`
    /// (a number in the last line of stdout that is a JSON object), `NAME:REGEX` (a
    /// group called `value` in stdout, perhaps one called `unit`), or `output:TOOL` and
    /// `output:TOOL:PATH` (all benchmarks that a tool's output or its files name).
    /// May be given several times; all comparisons then share one error level.
    #[arg(long, value_name = "METRIC", default_value = "cpu")]
    pub metric: Vec<String>,

    /// Which way numbers that the program prints (`json:KEY`, `NAME:REGEX`) are better.
    #[arg(long, value_name = "WAY", default_value = "lower")]
    pub better: Way,

    /// First of two programs that run with the same arguments.
    #[arg(long, value_name = "FILE", requires = "bin_b")]
    pub bin_a: Option<PathBuf>,

    /// Second of two programs that run with the same arguments.
    #[arg(long, value_name = "FILE", requires = "bin_a")]
    pub bin_b: Option<PathBuf>,

    /// Each command is one word, which `sh -c` runs; the time of the shell itself is in
    /// every figure.
    #[arg(long, conflicts_with_all = ["bin_a", "bin_b"])]
    pub shell: bool,

    /// Shell command before every run, not measured.
    #[arg(long, value_name = "COMMAND")]
    pub setup: Option<String>,

    /// Shell command after every run, not measured.
    #[arg(long, value_name = "COMMAND")]
    pub cleanup: Option<String>,

    /// File on stdin, for all commands or (`B:FILE`) for one: they are called A, B, C … in
    /// their order. Without it stdin is empty.
    #[arg(long, value_name = "[ARM:]FILE")]
    pub stdin: Vec<String>,

    /// Send stdout to /dev/null instead of to karat, for programs that print much.
    /// Some see that and do less: GNU grep ends at the first match.
    #[arg(long)]
    pub null_stdout: bool,

    /// Working directory, for all commands or (`B:DIR`) for one.
    #[arg(long = "dir", value_name = "[ARM:]DIR")]
    pub work_dirs: Vec<String>,

    /// Environment variable, for all commands or (`B:NAME=VALUE`) for one.
    #[arg(long, value_name = "[ARM:]NAME=VALUE")]
    pub env: Vec<String>,

    /// Measure each command in this many layouts: address randomisation off, and a
    /// stack that begins elsewhere in each. With 1, every run draws its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub layouts: u32,

    /// Smallest change that matters, such as `1%` or `0.5%`.
    #[arg(long, value_name = "RATIO", default_value = "1%")]
    pub margin: String,

    /// Rounds at most; each runs every command once, in random order. Without it the
    /// time decides.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..=i64::from(MOST_ROUNDS)))]
    pub rounds: Option<u32>,

    /// Longest time for all measuring; it ends earlier when all is decided. `auto` is the
    /// time of 40 rounds, 40 s at least and 10 min at most.
    #[arg(long, value_name = "TIME", default_value = "auto")]
    pub max_time: String,

    /// Go on with the newest comparison for another `--max-time`, or where it was
    /// interrupted; it keeps its commands and options.
    #[arg(long, conflicts_with_all = ["commands", "bin_a", "shell", "rounds", "seed"])]
    pub resume: bool,

    /// Longest time one run may take, such as `500 ms`, `10 s` or `2 min`.
    #[arg(long, value_name = "TIME", default_value = "60 s")]
    pub timeout: String,

    /// Unmeasured runs of each command before the first round.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub warmup: u32,

    /// Seed of every random choice (default: drawn from the clock).
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Exit with 0 whatever the verdict; errors keep their codes.
    #[arg(long)]
    pub exit_zero: bool,

    /// Watch two commands for a long time instead, in the order A B B A, from a fresh start
    /// each time: throughput, memory, stability and tails together, and which one to ship.
    /// `--for` is the time of each command.
    #[arg(long, conflicts_with_all = ["metric", "bin_a", "shell", "setup", "cleanup", "stdin",
          "null_stdout", "work_dirs", "env", "layouts", "rounds", "max_time", "resume", "timeout",
          "warmup", "seed", "events"])]
    pub soak: bool,

    /// With `--soak`: build two variants of this study and watch them as its `[soak]` says;
    /// options given here go before what it says.
    #[arg(
        long,
        value_name = "STUDY",
        requires = "soak",
        conflicts_with = "commands"
    )]
    pub study: Option<PathBuf>,

    /// The two variants, instead of the study's baseline and its candidate.
    #[arg(long = "variant", value_name = "NAME", requires = "study")]
    pub variants: Vec<String>,

    /// How they are watched, with `--soak`.
    #[command(flatten)]
    pub watching: Watching,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,

    /// Who follows it.
    #[command(flatten)]
    pub follow: Follow,

    /// Where results go.
    #[command(flatten)]
    pub output: Output,

    /// The commands, each behind `--`; the first is the baseline.
    #[arg(last = true, value_name = "COMMAND")]
    pub commands: Vec<OsString>,
}

/// Which way a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// Throughput.
    Higher,
    /// Time.
    Lower,
}
