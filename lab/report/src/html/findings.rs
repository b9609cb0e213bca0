//! Facts worth attention.

use super::write::{Writer, tone};
use crate::tables::findings::{Group, groups};
use crate::wording;
use karat_model::evidence::Evidence;

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    if evidence.findings.is_empty() {
        w.element("p", &[], "None.");
        return;
    }
    w.node("ul", &[("class", "findings")], |w| {
        for group in groups(evidence) {
            w.node("li", &[], |w| one(w, &group));
        }
    });
}

fn one(w: &mut Writer, group: &Group<'_>) {
    let class = format!("tag {}", tone(wording::severity_tone(group.severity)));
    w.element(
        "span",
        &[("class", &class)],
        wording::severity(group.severity),
    );
    w.text(" ");
    w.element("b", &[], group.code);
    w.text(" ");
    if !group.place.is_empty() {
        w.code(group.place);
        w.text(" ");
    }
    let variants = group.variants();
    if let Some(message) = group.common_message() {
        if !variants.is_empty() {
            w.text(&format!("{variants}: "));
        }
        w.text(message);
        return;
    }
    w.details(&variants, false, |w| {
        w.node("ul", &[], |w| {
            for finding in &group.findings {
                w.node("li", &[], |w| {
                    w.element("b", &[], finding.variant.as_deref().unwrap_or("study"));
                    w.text(": ");
                    w.text(&finding.message);
                });
            }
        });
    });
}
