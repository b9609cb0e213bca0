//! `karat kernels`: the hash kernels of this program on this machine.

mod bench;
mod check;
mod list;

use super::failed;
use crate::{args, exit};
use anyhow::Result;
use karat_cpu::AnyKernel;

/// Lists, checks or measures.
pub fn run(args: &args::Kernels, quiet: bool) -> Result<u8> {
    // Before any work: a kernel that is asked for its body can only panic.
    karat_cpu::check_force(karat_hash::kernels())
        .map_err(|e| failed(exit::USAGE, e.to_string()))?;
    match args {
        args::Kernels::List { format } => list::run(*format),
        args::Kernels::Check { kernels, seed } => check::run(kernels, *seed, quiet),
        args::Kernels::Bench(bench) => bench::run(bench, quiet),
    }
}

/// The kernels of these names, or all.
fn named(names: &[String]) -> Result<Vec<&'static dyn AnyKernel>> {
    let all = karat_hash::kernels();
    for name in names {
        if !all.iter().any(|k| k.name() == name) {
            let known: Vec<&str> = all.iter().map(|k| k.name()).collect();
            let message = format!(
                "--kernel: no kernel is called `{name}`; there are {}",
                known.join(", ")
            );
            return Err(failed(exit::USAGE, message));
        }
    }
    let wanted = |k: &&&dyn AnyKernel| names.is_empty() || names.iter().any(|n| n == k.name());
    Ok(all.iter().filter(wanted).copied().collect())
}

/// A seed, drawn from the clock when none is given.
fn seed(given: Option<u64>) -> u64 {
    given.unwrap_or_else(|| jiff::Timestamp::now().as_nanosecond() as u64)
}
