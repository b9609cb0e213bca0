//! Whether behaviour is the same.

use super::write::Writer;
use crate::compare;
use crate::tables::parity;
use crate::wording;
use karat_model::evidence::{Evidence, ParityCheck};

/// Lines of a difference that are shown.
const LINES: usize = 200;

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    if evidence.parity.is_empty() {
        w.element("p", &[], "No parity check was run.");
        return;
    }
    w.element(
        "p",
        &[("class", "note")],
        "Exit code, output and warnings of each variant against the baseline's; where the study \
         names a reader, the tests, messages and crashes that the outputs tell of.",
    );
    let failed = parity::failed(evidence).count();
    let total = evidence.parity.len();
    let summary = if failed == 0 {
        format!("All {total} checks passed")
    } else {
        format!("{failed} of {total} checks failed")
    };
    w.details(&summary, failed > 0, |w| outcomes(w, evidence));
    parity::failed(evidence).for_each(|check| differences(w, check));
    for check in &evidence.parity {
        if let Some(logs) = &check.logs {
            let summary = format!(
                "{} of {}: {}",
                check.name,
                check.variant,
                compare::behaviour_of(logs)
            );
            w.details(&summary, false, |w| compare::inside(w, logs));
        }
    }
}

fn outcomes(w: &mut Writer, evidence: &Evidence) {
    let (checks, variants) = parity::axes(evidence);
    w.table("Parity checks by variant", "matrix", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                w.th("col", "Variant");
                for check in &checks {
                    w.th("col", check);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for variant in variants {
                w.node("tr", &[], |w| {
                    w.th("row", variant);
                    for check in &checks {
                        let found = parity::find(evidence, check, variant);
                        let class = match found {
                            Some(c) if c.passed => "even",
                            Some(_) => "bad",
                            None => "none",
                        };
                        w.node("td", &[("class", class)], |w| {
                            let tag = format!("tag {class}");
                            w.element("span", &[("class", &tag)], parity::word(found));
                        });
                    }
                });
            }
        });
    });
}

fn differences(w: &mut Writer, check: &ParityCheck) {
    w.node("h3", &[], |w| {
        w.text(&format!("{} differs in ", check.name));
        w.code(&check.variant);
    });
    if !check.args.is_empty() {
        w.node("p", &[("class", "fine")], |w| {
            w.text("arguments ");
            w.code(&check.args.join(" "));
        });
    }
    for difference in &check.differences {
        let (shown, more) = wording::first_lines(difference, LINES);
        w.element("pre", &[], &shown);
        if more > 0 {
            let text = format!("{more} more lines in evidence.json");
            w.element("p", &[("class", "fine")], &text);
        }
    }
}
