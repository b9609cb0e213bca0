//! `karat gates`.

use super::Output;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `karat gates`.
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("what").required(true).multiple(true),
    after_help = crate::exit::GATES_HELP
)]
pub struct Gates {
    /// A linked ELF program or library (x86-64; `--all` takes AArch64 too).
    pub binary: PathBuf,

    /// A function that switches code on, such as `debug_enabled`, `a::b::is_on` or
    /// `a::b::*`, or a place in its sources, `src/log.c:120`. May be given several times.
    #[arg(long = "gate", value_name = "NAME", group = "what")]
    pub gates: Vec<String>,

    /// Look at code above x86-64: which of it the CPU has and the command never
    /// executes.
    #[arg(long, group = "what")]
    pub kernels: bool,

    /// Look at all functions: which of them the command executes, by crate and file.
    #[arg(long, group = "what", requires = "command")]
    pub all: bool,

    /// What another run with `--all` wrote as JSON: tells what ran in one of both only.
    #[arg(long, value_name = "FILE", requires = "all")]
    pub against: Option<PathBuf>,

    /// Count how often each place is executed, up to MOST times [default: 100000].
    /// Without it each breakpoint is removed at its first hit, and the command is hardly
    /// slower.
    #[arg(
        long,
        value_name = "MOST",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "100000",
        value_parser = clap::value_parser!(u64).range(1..),
        requires = "command"
    )]
    pub count: Option<u64>,

    /// Look for separate debug files here too.
    #[arg(long = "debug-dir", value_name = "DIR")]
    pub debug_dirs: Vec<PathBuf>,

    /// How and where the report goes.
    #[command(flatten)]
    pub output: Output,

    /// The command to run, and to watch in all processes that it starts.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}
