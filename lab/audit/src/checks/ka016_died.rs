//! # KA016: proven: it died on the emulated CPU
//!
//! `--try` ran a command on an emulated CPU that has what `--isa` names and nothing more,
//! and an instruction ended it with SIGILL. The finding names the instruction, its file,
//! its function and, where the file has line tables, its line.
//!
//! ## Why it matters
//! What the analysis of a file can only claim has happened here. Every machine of that
//! kind ends the same way when it gets there.
//!
//! ## What to do
//! - Compare with what the static analysis says of the same function: the finding has it.
//! - Compile that function for the baseline, or ask the CPU before it is called.
//! - An instruction that emulators do not know dies too: where the finding's instruction is
//!   within the baseline, look for a newer QEMU.

use karat_model::finding::{Finding, Location, Severity};
use karat_model::tried::{Died, Tried};

/// The finding about a run that died in a file with this label.
pub(super) fn finding(label: Option<&str>, tried: &Tried, died: &Died) -> Finding {
    let own = Location {
        file: died.file.clone().unwrap_or_default(),
        address: died.address,
        ..Location::default()
    };
    let location = died.location.clone().unwrap_or(own);
    Finding {
        code: "KA016".into(),
        severity: Severity::Error,
        variant: label.map(str::to_owned),
        place: died.function.clone(),
        location: Some(location).filter(|l| !l.file.is_empty()),
        message: format!("proven: {}", tried.told()),
    }
}
