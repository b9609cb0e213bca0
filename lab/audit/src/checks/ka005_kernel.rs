//! # KA005: known kernel gone
//!
//! The baseline has a kernel of karat's catalogue (or of a user's), and the
//! other binary has it neither under its name, nor inlined, nor as code of the
//! same instructions.
//!
//! ## Why it matters
//! Libraries choose their fast code by features, flags and linker behaviour; a
//! build that lost it gives the same results, slower. The catalogue answers this
//! for stripped binaries too, where expected functions cannot be named.
//!
//! ## What to do
//! - Look whether the other binary has another kernel of the library: a switch
//!   from AVX2 to AVX-512 may be what was wanted.
//! - If only its name was stripped and its version or compiler changed, the code
//!   may be unlike all catalogued builds: `karat audit BIN --learn NAME` on a
//!   good build that has symbols adds it.
//! - Otherwise find what left it out: a feature of the crate or library, an
//!   assembler that was missing, `cfg(target_feature)`, a linker that dropped it.

use super::Pair;
use karat_model::catalogue::{KnownEvidence, KnownKernel};
use karat_model::finding::{Finding, Severity};

pub(super) fn run(pair: &Pair<'_>) -> Vec<Finding> {
    let after = &pair.audit.known;
    let mut seen: Vec<(&str, &str)> = Vec::new();
    let mut out = Vec::new();
    for before in &pair.baseline.known {
        let name = (before.library.as_str(), before.kernel.as_str());
        let is_there = after.iter().any(|k| (&*k.library, &*k.kernel) == name);
        // An algorithm told by constants may have got its library's name since.
        let by_constants = matches!(before.evidence, KnownEvidence::Constants { .. });
        if is_there || by_constants || seen.contains(&name) {
            continue;
        }
        seen.push(name);
        out.push(pair.finding(
            "KA005",
            Severity::Warning,
            Some(&before.title()),
            message(before, after),
        ));
    }
    out
}

fn message(before: &KnownKernel, after: &[KnownKernel]) -> String {
    let place = match &before.function {
        Some(function) => format!("in {function}"),
        None => format!("at {:#x}, without a symbol", before.address),
    };
    let others = after.iter().filter(|k| k.library == before.library);
    let mut others: Vec<&str> = others.map(|k| k.kernel.as_str()).collect();
    others.sort_unstable();
    others.dedup();
    let others = match others.is_empty() {
        true => "nothing of this library is left".to_string(),
        false => format!("of this library it has: {}", others.join("; ")),
    };
    format!(
        "gone: the baseline has it ({place}, {} instructions); {others}",
        before.instructions
    )
}
