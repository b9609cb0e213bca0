//! Facts worth attention, the gravest first.

use crate::document::{Block, Entry, Part, Text};
use crate::wording::{self, heading};
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::names::folded;

pub fn part(document: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let findings = document.findings_of(file);
    if findings.is_empty() {
        return None;
    }
    let entries = findings.iter().map(|f| Entry {
        severity: (
            wording::severity(f.severity),
            wording::severity_tone(f.severity),
        ),
        code: f.code.clone(),
        place: folded(f.place.as_deref().unwrap_or_default()).into_owned(),
        about: String::new(),
        message: f.message.clone(),
        each: Vec::new(),
    });
    let note = Text::default().code("karat explain CODE");
    let blocks = vec![Block::Findings(entries.collect())];
    let part = Part::new("findings", heading::FINDINGS, blocks);
    Some(part.note(note.plain(" says what a code means and what to do.")))
}
