//! The parts of a report, one file each.
//!
//! A part is a function from a file of the document to a [`Part`], or to nothing when
//! there is nothing to show.

mod apart;
mod built;
mod census;
mod crates;
mod findings;
mod functions;
mod growth;
mod known;
mod leaks;
mod sections;
mod survival;

use crate::document::Part;
use karat_model::audit_document::{AuditDocument, AuditedFile};

pub use growth::{by_function, differing};

/// What writes a part.
type Write = fn(&AuditDocument, &AuditedFile) -> Option<Part>;

/// All parts, in the order of a report: what changed and what is wrong first.
const ALL: &[Write] = &[
    findings::part,
    growth::part,
    leaks::part,
    built::part,
    survival::part,
    known::part,
    census::part,
    crates::part,
    functions::part,
    sections::part,
    apart::part,
];

/// The parts of one file's report.
pub fn all(document: &AuditDocument, file: &AuditedFile) -> Vec<Part> {
    ALL.iter().filter_map(|part| part(document, file)).collect()
}
