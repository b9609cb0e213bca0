//! # KA010: instruction-set leak
//!
//! An instruction above the declared baseline is reached from an entry of the
//! program by direct calls, and nothing on the way asks the CPU. The message
//! gives the first such instruction and the calls that lead there.
//!
//! ## Why it matters
//! On a CPU of the baseline the program dies with SIGILL, there and only there:
//! the machines it was built and tested on have the extension. Usual causes are a
//! file compiled with more flags than the rest, whose inline functions the linker
//! then picks for everybody, `target-cpu=native` on a build machine, and a kernel
//! that is called without its check.
//!
//! A gate is a branch on CPUID's answer, on a variable that got it
//! (`is_x86_feature_detected!`, `__builtin_cpu_supports`, a library's own), a
//! pointer that was chosen by one, or an ifunc resolver. It must imply what it guards:
//! behind a gate that asks for SSE4.2, for the vendor, or for the opposite, AVX2 code
//! is reached as without one, and the message names both. What a gate implies goes by
//! the architecture (AVX-512 implies AVX2), and for BMI, FMA, F16C, LZCNT and MOVBE
//! behind AVX2 by all CPUs of Intel and AMD; confidence is then medium.
//!
//! A file of a package that something loads by its name, or another instead, has no leaks:
//! whether that asks is not known (KA012). Of one in a folder `glibc-hwcaps/x86-64-v3` what
//! that level lacks leaks, since the loader takes it only where the level is there.
//!
//! A leak of high or medium confidence is an error. At low confidence, where a question
//! on the way was not understood or the file is too large to be followed whole, it is a
//! warning. The message says the confidence unless it is high.
//!
//! ## What to do
//! - Follow the path from its end: the first function that should not be where it
//!   is tells which flag or which missing check is at fault.
//! - Compile only the kernel's own file, or function, with its flags.
//! - If the program is meant for newer CPUs only, declare that baseline.

use super::Single;
use karat_model::finding::{Finding, Severity};
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};
use karat_model::names::folded;
use std::cmp::Reverse;

/// Findings for one file; what is left is counted.
const LISTED: usize = 20;

pub(super) fn run(single: &Single<'_>) -> Vec<Finding> {
    let Some(report) = &single.audit.leaks else {
        return Vec::new();
    };
    let baseline = &report.baseline;
    // What picks the file may ask: KA012 says so.
    if let Some(built) = report
        .built_for
        .as_ref()
        .filter(|_| report.picked.is_none())
    {
        let message = format!(
            "built for at least {}: {} functions need more than {baseline}, and nothing was \
             found that asks for it",
            built.level, built.functions
        );
        return vec![single.finding("KA010", Severity::Error, None, message)];
    }
    let mut out = Vec::new();
    let mut leaks: Vec<_> = leaks(report).filter(|leak| !leak.is_dispatcher).collect();
    // What is sure is not cut off behind what is not.
    leaks.sort_by_key(|leak| Reverse(leak.confidence));
    for leak in leaks.into_iter().take(LISTED) {
        out.push(single.at("KA010", severity(leak), leak, describe(leak, baseline)));
    }
    let all = report.counts.leaks + report.counts.insufficient;
    if let Some(more) = all.checked_sub(LISTED as u64)
        && more > 0
        && out.len() == LISTED
    {
        let message = format!("about {more} more functions leak; these are the first");
        // Those that are left are no surer than the last one listed.
        let severity = out.last().map_or(Severity::Error, |last| last.severity);
        out.push(single.finding("KA010", severity, None, message));
    }
    out
}

/// What is only supposed does not block.
pub(super) fn severity(leak: &AboveBaseline) -> Severity {
    match leak.confidence {
        Certainty::Low => Severity::Warning,
        Certainty::Medium | Certainty::High => Severity::Error,
    }
}

/// The leaks that a report lists.
pub(super) fn leaks(report: &LeakReport) -> impl Iterator<Item = &AboveBaseline> {
    let is_one = |f: &&AboveBaseline| matches!(f.reach, Reach::Leak | Reach::Insufficient);
    report.functions.iter().filter(is_one)
}

/// Instruction, place and path, and how sure that is.
pub(super) fn describe(leak: &AboveBaseline, baseline: &str) -> String {
    let said = said(leak, baseline);
    match leak.confidence {
        Certainty::Low => format!("{said} (by the code alone, at low confidence)"),
        Certainty::Medium => format!("{said} (by the code alone, at medium confidence)"),
        Certainty::High => said,
    }
}

fn said(leak: &AboveBaseline, baseline: &str) -> String {
    let first = &leak.first;
    let source = first.location.as_ref().map_or(String::new(), |place| {
        let line = place.line.map_or(String::new(), |line| format!(":{line}"));
        format!(", {}{line}", place.file)
    });
    let path = leak.path.iter().map(|step| folded(&step.function));
    let path: Vec<_> = path.collect();
    if let (Reach::Insufficient, Some(gate)) = (leak.reach, leak.gates.first()) {
        let way = match path.is_empty() {
            true => String::new(),
            false => format!(": {}", path.join(" → ")),
        };
        return format!(
            "`{}` at {:#x}{source} needs {} beyond {baseline}; {} (at {:#x} in {}, on {}){way}",
            first.mnemonic,
            first.address,
            first.extensions.join(" and "),
            folded(&leak.reason),
            gate.address,
            folded(&gate.function),
            gate.asks,
        );
    }
    format!(
        "`{}` at {:#x}{source} needs {} beyond {baseline} and is reached without asking the \
         CPU: {}",
        first.mnemonic,
        first.address,
        first.extensions.join(" and "),
        path.join(" → ")
    )
}
