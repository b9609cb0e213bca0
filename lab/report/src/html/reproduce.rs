//! Everything that is needed to do it again, and what it cost.

use super::write::Writer;
use crate::tables::machine;
use crate::{number, wording};
use karat_model::evidence::{Evidence, VariantEvidence};
use karat_model::units;

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    w.details("The study file", false, |w| {
        w.element("pre", &[], &evidence.study.source);
    });
    w.details("Commands that build each variant", false, |w| {
        for variant in &evidence.variants {
            commands(w, variant);
        }
    });
    w.node("div", &[("class", "split")], |w| {
        w.node("div", &[], |w| {
            w.element("h3", &[], "Machine");
            pairs(w, &machine::machine(evidence));
            if !evidence.machine.isas.is_empty() {
                let summary = format!("{} ISAs", evidence.machine.isas.len());
                w.details(&summary, false, |w| {
                    w.element("p", &[("class", "fine")], &evidence.machine.isas.join(" "));
                });
            }
        });
        w.node("div", &[], |w| {
            w.element("h3", &[], "Run");
            pairs(w, &machine::run(evidence));
        });
    });
}

fn commands(w: &mut Writer, variant: &VariantEvidence) {
    w.element("h3", &[], &variant.name);
    if let Some(reason) = &variant.left_out {
        w.element("p", &[("class", "fine")], &format!("left out: {reason}"));
    }
    if !variant.reproduce.is_empty() {
        w.element("pre", &[], &variant.reproduce.join("\n"));
    }
    if let Some(build) = &variant.build {
        let cached = if build.cached {
            " (from the cache)"
        } else {
            ""
        };
        w.node("p", &[("class", "fine")], |w| {
            w.text(&format!(
                "built in {}{cached}, {}, {}, SHA-256 ",
                number::value(build.seconds, "s"),
                units::bytes(build.bytes),
                wording::plural(build.warnings as usize, "warning"),
            ));
            w.element("code", &[("class", "hash")], &build.sha256);
        });
    }
}

fn pairs(w: &mut Writer, pairs: &[(&str, String)]) {
    w.table("Facts", "pairs", |w| {
        for (name, value) in pairs {
            w.node("tr", &[], |w| {
                w.th("row", name);
                w.element("td", &[], value);
            });
        }
    });
}

/// What each stage cost, with its bound.
pub fn costs(w: &mut Writer, evidence: &Evidence) {
    if evidence.costs.is_empty() {
        w.element("p", &[], "No costs were recorded.");
        return;
    }
    w.table("Costs", "pairs", |w| {
        for cost in &evidence.costs {
            w.node("tr", &[], |w| {
                w.th("row", &cost.name);
                w.element("td", &[], &number::value(cost.value, &cost.unit));
                w.element("td", &[("class", "fine")], &machine::bound(cost));
            });
        }
    });
}

/// The last lines of the page.
pub fn footer(w: &mut Writer, evidence: &Evidence) {
    w.node("p", &[], |w| {
        w.text(&format!("karat {} · run ", evidence.run.karat));
        w.code(&evidence.run.id);
        w.text(&format!(" · {}", evidence.run.started));
    });
    w.node("p", &[], |w| {
        w.text("Every number on this page, and every sample behind it, is in ");
        w.code("evidence.json");
        w.text(&format!(
            " (schema {}) in the folder of this run.",
            evidence.schema
        ));
    });
}
