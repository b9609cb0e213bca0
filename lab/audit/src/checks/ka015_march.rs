//! # KA015: compiled for one kind of CPU
//!
//! The debug information says that units were compiled with `-march=` or `-mcpu=` of a
//! CPU. GCC writes there which one `native` was.
//!
//! ## Why it matters
//! The machine that built the file is often newer than those it runs on: there such code
//! ends in SIGILL. A single file that is compiled so and called behind a question to the
//! CPU is as it should be.
//!
//! ## What to do
//! - Build with a level (`-march=x86-64-v2`) instead of `native` or a CPU's name.
//! - Ask what it means for CPUs without it: `karat audit FILE --isa x86-64-v2`.

use karat_model::facts::FileFacts;
use karat_model::finding::{Finding, Severity};

pub(super) fn run(variant: &str, facts: &FileFacts) -> Vec<Finding> {
    let flags = facts.tools.iter().flat_map(|tool| &tool.flags);
    let mut named: Vec<&str> = flags.map(String::as_str).filter(|f| is_cpu(f)).collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return Vec::new();
    }
    vec![Finding {
        code: "KA015".into(),
        severity: Severity::Note,
        variant: Some(variant.to_owned()),
        place: None,
        location: None,
        message: format!("units were compiled with {}", named.join(", ")),
    }]
}

/// Whether a flag asks for a CPU rather than for a level of the architecture.
fn is_cpu(flag: &str) -> bool {
    let asked = flag
        .strip_prefix("-march=")
        .or_else(|| flag.strip_prefix("-mcpu="));
    asked.is_some_and(|cpu| {
        !cpu.starts_with("x86-64") && !cpu.starts_with("armv") && cpu != "generic"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_no_cpus() {
        for (flag, is) in [
            ("-march=native", true),
            ("-march=znver3", true),
            ("-mcpu=neoverse-n1", true),
            ("-march=x86-64-v3", false),
            ("-march=armv8-a+crc", false),
            ("-mtune=generic", false),
        ] {
            assert_eq!(is_cpu(flag), is, "{flag}");
        }
    }
}
