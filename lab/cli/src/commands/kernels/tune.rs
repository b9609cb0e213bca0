//! `karat kernels tune`: whether what is chosen is the fastest on this CPU.

use super::{bench, failed_kernels, seed};
use crate::args::Output;
use crate::commands::outputs;
use crate::{exit, say};
use anyhow::{Context as _, Result};
use karat_bench::kernels::{Options, Tuned, Wanted, document, tuned};
use karat_model::kernels::KernelBench;
use karat_report::Format;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time for the rounds of one case.
const MAX_TIME: Duration = Duration::from_millis(1500);

/// Measures karat's implementations, tells where another one leads, and writes the fastest,
/// and what was measured.
pub fn run(
    kernels: &[String],
    file: Option<&Path>,
    records: &[PathBuf],
    quiet: bool,
) -> Result<u8> {
    if let Some(file) = file {
        outputs::writable(file)?;
    }
    let records = Output {
        format: Format::Human,
        outputs: records.to_vec(),
    };
    outputs::check::<KernelBench>(&records)?;
    let wanted = Wanted {
        kernels: kernels.to_vec(),
        quick: true,
        ..Wanted::default()
    };
    let plans = wanted.plans(karat_all::SUITES).map_err(failed_kernels)?;
    let options = Options {
        max_time: MAX_TIME,
        rounds: 50,
        seed: seed(None),
        ..Options::default()
    };
    let setting = bench::setting(false);
    let bench = bench::watched(plans.len(), quiet, |begin| {
        document(&plans, &[], Vec::new(), &options, setting, begin)
    })?;
    if bench.cases.len() < plans.len() {
        return Ok(exit::INTERRUPTED);
    }
    outputs::files(&records, &bench, &[])?;
    let found = tuned(&bench.cases);
    say::result(&table(&found))?;
    if let Some(file) = file {
        std::fs::write(file, choices(&found))
            .with_context(|| format!("cannot write {}", file.display()))?;
        say::note(&format!(
            "programs that link karat's kernels follow it with KARAT_TUNED={}",
            file.display()
        ));
    }
    Ok(exit::GOOD)
}

fn table(found: &[Tuned]) -> String {
    let mut out = String::new();
    for one in found {
        let (kernel, fastest, chosen) = (&one.kernel, &one.fastest, &one.chosen);
        let gain = one.gain * 100.0;
        let _ = match &one.loss {
            _ if !one.has_faster() => writeln!(out, "{kernel:14} {chosen} is chosen rightly"),
            None => writeln!(
                out,
                "{kernel:14} {fastest} is {gain:.1} % faster than {chosen}, which is chosen"
            ),
            Some(loss) => writeln!(
                out,
                "{kernel:14} {chosen} stays: {fastest} is {gain:.1} % faster over all, and {:.1} % \
                 slower in {}",
                loss.by * 100.0,
                loss.task
            ),
        };
    }
    let better = found.iter().filter(|t| t.is_worth_it()).count();
    let _ = match better {
        0 => writeln!(out, "What is chosen is the fastest here, within 2 %."),
        _ => writeln!(
            out,
            "{better} of {} kernels have a faster implementation here; `-o FILE` writes them for \
             KARAT_TUNED=FILE.\nPlease report it with the file of `--record kernels.csv`: choices \
             are made of such records.",
            found.len()
        ),
    };
    out
}

/// The lines of a file for `KARAT_TUNED`: only what differs from what is chosen.
fn choices(found: &[Tuned]) -> String {
    let cpu = karat_cpu::identity();
    let mut out = format!(
        "# karat kernels tune, on {} family {} model {}\n",
        String::from_utf8_lossy(&cpu.vendor).trim_matches('\0'),
        cpu.family,
        cpu.model
    );
    for one in found.iter().filter(|t| t.is_worth_it()) {
        let _ = writeln!(out, "{}={}", one.kernel, one.fastest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_bench::kernels::Loss;

    #[test]
    fn what_is_faster_is_told_and_written() {
        let one = |kernel: &str, fastest: &str, gain| Tuned {
            kernel: kernel.into(),
            chosen: "avx2".into(),
            fastest: fastest.into(),
            gain,
            loss: None,
        };
        let found = [
            one("sum", "portable", 0.123),
            one("product", "sse4.1", 0.01),
        ];
        let text = table(&found);
        assert!(
            text.contains("portable is 12.3 % faster than avx2"),
            "{text}"
        );
        assert!(text.contains("avx2 is chosen rightly") && text.contains("1 of 2 kernels"));
        let file = choices(&found);
        assert!(
            file.starts_with('#') && file.ends_with("\nsum=portable\n"),
            "{file}"
        );
        assert!(table(&found[1..]).contains("the fastest here"));

        // What is faster alone and slower in a program is told, and not written.
        let mut mixed = one("product", "wide", 0.57);
        mixed.loss = Some(Loss {
            task: "square".into(),
            by: 0.05,
        });
        let text = table(std::slice::from_ref(&mixed));
        let told = "avx2 stays: wide is 57.0 % faster over all, and 5.0 % slower in square";
        assert!(text.contains(told), "{text}");
        assert!(!choices(&[mixed]).contains("wide"));
    }
}
