//! Facts worth attention.

use super::some;
use crate::document::{Block, Detail, Entry, Part, Text};
use crate::evidence::tables::findings::{Group, groups};
use crate::wording::{self, heading};
use karat_model::evidence::Evidence;
use karat_model::finding::Severity;

/// Findings on a terminal.
const FINDINGS: usize = 3;

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    let groups = groups(evidence);
    if groups.is_empty() {
        return super::nothing("findings", heading::FINDINGS, "None.", detail);
    }
    let block = match detail {
        Detail::Brief => Block::Lines(groups.iter().take(FINDINGS).map(line).collect()),
        _ => Block::Findings(groups.iter().map(|g| entry(g, detail)).collect()),
    };
    let part = Part::new("findings", heading::FINDINGS, vec![block]);
    Some(part.aside(some(FINDINGS, groups.len())))
}

fn entry(group: &Group<'_>, detail: Detail) -> Entry {
    let first = group.findings.first().map_or("", |f| f.message.as_str());
    let each = || {
        let variant = |f: &karat_model::finding::Finding| {
            let name = f.variant.as_deref().unwrap_or("study");
            (name.to_owned(), f.message.clone())
        };
        group.findings.iter().map(|f| variant(f)).collect()
    };
    let variants = group.variants();
    // An error is worth its words in each variant, of others one example does in Markdown.
    let all = detail == Detail::Full || group.severity == Severity::Error;
    let (about, message, each) = match group.common_message() {
        Some(message) => (variants, message.to_owned(), Vec::new()),
        None if all => (variants, String::new(), each()),
        None => (
            format!("{variants}; in the first"),
            first.to_owned(),
            Vec::new(),
        ),
    };
    Entry {
        severity: (
            wording::severity(group.severity),
            wording::severity_tone(group.severity),
        ),
        code: group.code.to_owned(),
        place: group.place.to_owned(),
        about,
        message,
        each,
    }
}

/// One example is enough here; the report has them all.
fn line(group: &Group<'_>) -> Text {
    let mut line = format!("{} {}", group.code, wording::severity(group.severity));
    if !group.place.is_empty() {
        line += &format!(" {}", group.place);
    }
    let first = group.findings.first().and_then(|f| f.variant.as_deref());
    match (group.findings.len(), first) {
        (1, Some(variant)) => line += &format!(" in {variant}"),
        (count, Some(variant)) if group.common_message().is_none() => {
            line += &format!(" in {count} variants, such as {variant}");
        }
        (count, Some(_)) => line += &format!(" in {count} variants"),
        _ => {}
    }
    if let Some(finding) = group.findings.first() {
        line += &format!(": {}", finding.message);
    }
    line.into()
}
