//! `karat kernels` and its subcommands.

use super::Output;
use clap::Subcommand;
use std::path::PathBuf;

/// What to do with the kernels.
#[derive(Debug, Subcommand)]
pub enum Kernels {
    /// Each kernel's implementations: what they need, which one is chosen here and why.
    List {
        /// How and where the list goes.
        #[command(flatten)]
        output: Output,
    },
    /// Every implementation that this CPU has, against known answers and the portable one;
    /// exit code 1 when one is wrong.
    Check {
        /// Only this kernel. May be given several times.
        #[arg(long = "kernel", value_name = "NAME")]
        kernels: Vec<String>,

        /// Seed of the random inputs (default: drawn from the clock).
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
    },
    /// Every implementation that this CPU has, measured side by side.
    Bench(KernelBench),
    /// Whether what is chosen is the fastest on this CPU: a minute or two of measuring.
    Tune {
        /// Only this kernel. May be given several times.
        #[arg(long = "kernel", value_name = "NAME")]
        kernels: Vec<String>,

        /// Write the fastest of each kernel to FILE, for `KARAT_TUNED=FILE`.
        #[arg(short = 'o', long = "output", value_name = "FILE")]
        file: Option<PathBuf>,

        /// Write what was measured to FILE as well (.csv, .json, .html, .md, .txt): a record
        /// from which karat's own choices can be made. May be given several times.
        #[arg(long = "record", value_name = "FILE")]
        records: Vec<PathBuf>,
    },
}

/// Options of `karat kernels bench`.
#[derive(Debug, clap::Args)]
pub struct KernelBench {
    /// Measure other crates' functions as well, and compare with the fastest of them.
    /// Needs a karat that was built with `--features peers`.
    #[arg(long)]
    pub peers: bool,

    /// A program to measure as well, with its arguments separated by spaces. It speaks the
    /// line protocol of docs/peer-programs.md. May be given several times.
    #[arg(long = "peer", value_name = "COMMAND")]
    pub programs: Vec<String>,

    /// Only this kernel. May be given several times.
    #[arg(long = "kernel", value_name = "NAME")]
    pub kernels: Vec<String>,

    /// Only this task, by its name in the report's table of figures (CSV), such as
    /// `rs-b-64+32`. May be given several times.
    #[arg(long = "task", value_name = "NAME")]
    pub tasks: Vec<String>,

    /// Sizes of a message or another item, such as `64,1K,1M`, at most 256M (default: 64
    /// bytes to 16 MiB for one message, 64, 100, 1K and 8K for many). Tasks for small items
    /// leave out large ones.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub sizes: Vec<String>,

    /// Measure several threads as well, by the wall clock.
    #[arg(long)]
    pub threads: bool,

    /// Histograms of core cycles of 1000 units of work as well. The core's clock is read
    /// between batches by a chain of additions, each of which takes a cycle.
    #[arg(long)]
    pub cycles: bool,

    /// A few rounds of a few sizes only: shows that all of it works.
    #[arg(long)]
    pub quick: bool,

    /// Seed of inputs and order (default: drawn from the clock).
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// How and where the report goes.
    #[command(flatten)]
    pub output: Output,
}
