//! `karat soak`.

use super::{Output, Runs};
use std::ffi::OsString;
use std::path::PathBuf;

/// Heading of the options that `karat soak` and `karat ab --soak` share.
const WATCHING: &str = "How a program is watched";

/// Options of `karat soak`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    override_usage = "karat soak [OPTIONS] -- COMMAND…\n       \
                      karat soak [OPTIONS] --attach PID\n       \
                      karat soak [OPTIONS] --study STUDY [--variant NAME]\n       \
                      karat soak --resume",
    after_help = crate::exit::SOAK_HELP
)]
pub struct Soak {
    /// How it is watched.
    #[command(flatten)]
    pub watching: Watching,

    /// Start the command again whenever it ends, and count its runs.
    #[arg(long, conflicts_with = "attach")]
    pub repeat: bool,

    /// Watch a process that runs already; it is not ended.
    #[arg(long, value_name = "PID", conflicts_with = "command")]
    pub attach: Option<u32>,

    /// Build a variant of this study and watch it as the study's `[soak]` says; options
    /// given here go before what it says.
    #[arg(long, value_name = "STUDY", conflicts_with_all = ["attach", "command"])]
    pub study: Option<PathBuf>,

    /// The variant, instead of the study's baseline.
    #[arg(long, value_name = "NAME", requires = "study")]
    pub variant: Option<String>,

    /// After the watching, count system calls for this time, by `perf stat` where the kernel
    /// allows it and by `strace -c -f` elsewhere, which slows the program down more.
    #[arg(long, value_name = "TIME")]
    pub system_calls: Option<String>,

    /// Go on with the newest soak that was interrupted; it keeps its command and options.
    /// The program is started anew.
    #[arg(long, conflicts_with_all = ["command", "attach", "study", "load", "repeat", "line",
          "progress", "budgets", "epoch", "warm"])]
    pub resume: bool,

    /// Exit with 0 whatever the verdict; errors keep their codes.
    #[arg(long)]
    pub exit_zero: bool,

    /// Where runs are kept.
    #[command(flatten)]
    pub runs: Runs,

    /// Write each sample as a line of JSON to stdout when it is taken, and no report.
    #[arg(long, conflicts_with = "format")]
    pub samples: bool,

    #[command(flatten)]
    pub output: Output,

    /// The program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// How a program is watched.
#[derive(Clone, Debug, clap::Args)]
pub struct Watching {
    /// How long to watch, such as `10 min` (which it is without this) or `8 h`.
    #[arg(long = "for", value_name = "TIME", help_heading = WATCHING)]
    pub time: Option<String>,

    /// Time between two samples; without it, a second.
    #[arg(long, value_name = "TIME", help_heading = WATCHING)]
    pub every: Option<String>,

    /// Length of an epoch: what statistics are made of. Without it, a sixtieth of the
    /// time, five samples at least.
    #[arg(long, value_name = "TIME", help_heading = WATCHING)]
    pub epoch: Option<String>,

    /// Time after each start of the program that is not judged. Without it, a tenth of the
    /// time.
    #[arg(long, value_name = "TIME", help_heading = WATCHING)]
    pub warm: Option<String>,

    /// What lines of the program or of its load tell: a regular expression with one of the
    /// groups `rate` (operations a second), `total` (operations so far) and `done`
    /// (operations since the last such line), and with times: `latency_ms` (one
    /// operation), `p50_ms`, `p95_ms`, `p99_ms`, `p999_ms`, `max_ms` (summed up by the
    /// program); also `_s`, `_us`, `_ns`.
    #[arg(long, value_name = "REGEX", help_heading = WATCHING)]
    pub line: Option<String>,

    /// File whose first number is the operations so far; read at each sample.
    #[arg(long, value_name = "FILE", help_heading = WATCHING)]
    pub progress: Option<PathBuf>,

    /// Shell command that works the program, such as a load generator of a server. It is
    /// run again whenever it ends, its lines are read as well, and its memory and time are
    /// not the program's.
    #[arg(long, value_name = "COMMAND", help_heading = WATCHING)]
    pub load: Option<String>,

    /// A limit: `rss-drift=5%/h`, `anonymous-drift=5%/h`, `throughput-loss=1%/h`, `cv=2%`,
    /// `p50=1 ms`, `p95`, `p99`, `p99.9`, `max`, `changes=0` or `system-calls=0.001` (an
    /// operation). May be given several times.
    #[arg(long = "budget", value_name = "NAME=LIMIT", help_heading = WATCHING)]
    pub budgets: Vec<String>,
}

impl Watching {
    /// Whether any of it was asked for.
    pub fn given(&self) -> bool {
        let texts = [
            &self.time,
            &self.every,
            &self.epoch,
            &self.warm,
            &self.line,
            &self.load,
        ];
        texts.iter().any(|text| text.is_some())
            || self.progress.is_some()
            || !self.budgets.is_empty()
    }
}
