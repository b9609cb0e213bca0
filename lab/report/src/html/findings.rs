//! Facts worth attention.

use super::write::{Writer, tone};
use crate::wording;
use karat_model::evidence::Evidence;

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    if evidence.findings.is_empty() {
        w.element("p", &[], "None.");
        return;
    }
    w.node("ul", &[("class", "findings")], |w| {
        for finding in &evidence.findings {
            w.node("li", &[], |w| {
                let class = format!("tag {}", tone(wording::severity_tone(finding.severity)));
                w.element(
                    "span",
                    &[("class", &class)],
                    wording::severity(finding.severity),
                );
                w.text(" ");
                w.element("b", &[], &finding.code);
                w.text(" ");
                let place = wording::place(finding);
                if !place.is_empty() {
                    w.code(&place);
                    w.text(" ");
                }
                w.text(&finding.message);
            });
        }
    });
}
