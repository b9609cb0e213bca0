//! `karat kernels`: karat's kernels on this machine.

mod bench;
mod check;
mod list;
mod sizes;
mod tune;

use super::failed;
use crate::{args, exit};
use anyhow::Result;
use karat_bench::kernels::KernelError;

/// Lists, checks or measures.
pub fn run(args: &args::Kernels, quiet: bool) -> Result<u8> {
    // Before any work: a kernel that is asked for its body can only panic.
    karat_cpu::check_force(&karat_all::kernels())
        .map_err(|e| failed(exit::USAGE, e.to_string()))?;
    match args {
        args::Kernels::List { output } => list::run(output),
        args::Kernels::Check { kernels, seed } => check::run(kernels, *seed, quiet),
        args::Kernels::Bench(bench) => bench::run(bench, quiet),
        args::Kernels::Tune {
            kernels,
            file,
            records,
        } => tune::run(kernels, file.as_deref(), records, quiet),
    }
}

/// What the library says, with the exit code for it.
fn failed_kernels(error: KernelError) -> anyhow::Error {
    let code = match error {
        KernelError::Unknown { .. } | KernelError::UnknownTask { .. } | KernelError::Program(_) => {
            exit::USAGE
        }
        KernelError::NothingLeft => exit::NOTHING,
        KernelError::Disagree { .. } => exit::PARITY,
        KernelError::Bench(_) => exit::MEASURE,
    };
    let option = match error {
        KernelError::Unknown { .. } => "--kernel: ",
        KernelError::UnknownTask { .. } => "--task: ",
        _ => "",
    };
    failed(code, format!("{option}{error}"))
}

/// A seed, drawn from the clock when none is given.
fn seed(given: Option<u64>) -> u64 {
    given.unwrap_or_else(|| jiff::Timestamp::now().as_nanosecond() as u64)
}
