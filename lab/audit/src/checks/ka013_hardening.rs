//! # KA013: a guard is switched off
//!
//! The file lets its stack be executed, has memory that may be both written and executed,
//! or changes its own code when it is loaded (text relocations).
//!
//! ## Why it matters
//! No present-day compiler does so unless it is told to, or an assembly file forgot to say
//! that it needs no executable stack. A library does it to the whole process that loads
//! it. Distributions and app stores refuse such files.
//!
//! ## What to do
//! - Executable stack: add `.section .note.GNU-stack,"",@progbits` to each assembly file,
//!   or link with `-z noexecstack`.
//! - Text relocations: compile all of it with `-fPIC`.
//! - Memory that is writable and executable: look for `-z rwx`, `-N`, or a linker script.
//!
//! What else the report says of guards (PIE, RELRO, canary, FORTIFY, CET) are facts, not
//! findings: whether they are wanted is for the file's maker to say.

use karat_model::facts::{FileFacts, Grade};
use karat_model::finding::{Finding, Severity};

pub(super) fn run(variant: &str, facts: &FileFacts) -> Vec<Finding> {
    let bad = facts.hardening.iter().filter(|h| h.grade == Grade::Bad);
    let findings = bad.map(|guard| Finding {
        code: "KA013".into(),
        severity: Severity::Warning,
        variant: Some(variant.to_owned()),
        place: None,
        location: None,
        message: format!("{}: {}", guard.name, guard.state),
    });
    findings.collect()
}
