//! The command line as a whole.

use super::{Ab, Audit, Compare, Doctor, Gates, History, Init, Kernels, Report, Run, Scan, Soak};
use clap::{Parser, Subcommand, ValueEnum};

/// Heading of the options that every command has, which would else stand in between.
const EVERYWHERE: &str = "Options of every command";

/// Did this change to the build or the code really help, is behaviour the same,
/// and if not, why?
#[derive(Debug, Parser)]
#[command(name = "karat", version, after_help = crate::exit::ALL_HELP)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colour.
    #[arg(long, global = true, help_heading = EVERYWHERE, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Say only the result and errors; of `compare` only the verdict.
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
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
    /// Build, audit, check, measure and judge the variants of a study.
    Run(Run),
    /// Compare commands: which is faster, and by how much?
    Ab(Box<Ab>),
    /// What is in a binary: SIMD instructions by function and crate, growth, findings.
    Audit(Audit),
    /// Compare the logs of two versions: is behaviour the same, what changed in speed?
    Compare(Compare),
    /// What this machine is and how far its measurements can be trusted.
    Doctor(Doctor),
    /// karat's own kernels: what runs here, whether it is right, how fast it is.
    #[command(subcommand)]
    Kernels(Kernels),
    /// Where gates are asked in a binary, behind what, and whether a command executes them.
    Gates(Gates),
    /// Where a cargo dependency tree chooses code by CPU features, and what flags make of it.
    Scan(Scan),
    /// Watch one program for a long time: throughput, memory, stability and tails against limits.
    Soak(Box<Soak>),
    /// Write a study for what is in a folder; overwrites nothing.
    Init(Init),
    /// Render a finished run again.
    Report(Report),
    /// List finished runs.
    History(History),
    /// Say what a finding's code means and what to do about it, or what a key of a study is.
    Explain {
        /// A code such as KA003, or a key such as study.measure.margin; without one, all are
        /// listed.
        code: Option<String>,
    },
    /// Print a completion script for a shell.
    #[command(after_help = "\
For this user, where the shell looks for it:
  bash: karat completions bash > ~/.local/share/bash-completion/completions/karat
  fish: karat completions fish > ~/.config/fish/completions/karat.fish
  zsh:  karat completions zsh > DIR/_karat, with a DIR of $fpath")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}
