//! Facts worth attention, the gravest first.

use crate::audit::part::{Block, Entry, Part};
use crate::wording::{self, heading};
use karat_model::audit_document::{AuditDocument, AuditedFile};

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
        place: f.place.clone().unwrap_or_default(),
        message: f.message.clone(),
    });
    Some(Part {
        id: "findings",
        title: heading::FINDINGS.into(),
        note: "`karat explain CODE` says what a code means and what to do.".into(),
        blocks: vec![Block::Findings(entries.collect())],
    })
}
