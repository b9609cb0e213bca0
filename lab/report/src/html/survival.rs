//! Whether the expected functions are still there.

use super::write::{Writer, tone};
use crate::tables::survival::{self, Row};
use crate::wording;
use karat_model::audit::{Survival, SurvivalState};
use karat_model::evidence::{Evidence, VariantEvidence};
use karat_model::units;

/// Hosts that are named.
const HOSTS: usize = 3;

/// Writes the part.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    let functions = survival::functions(evidence);
    if functions.is_empty() {
        w.element("p", &[], "The study names no function that must survive.");
        return;
    }
    w.element("p", &[("class", "note")], wording::SURVIVAL_NOTE);
    blind(w, evidence);
    overview(w, evidence, &functions);
    for function in &functions {
        let rows = survival::rows(evidence, function);
        let summary = format!("Hosts and instructions of {function}");
        w.details(&summary, false, |w| detail(w, function, &rows));
    }
}

fn blind(w: &mut Writer, evidence: &Evidence) {
    let names = survival::without_line_tables(evidence);
    if !names.is_empty() {
        w.element(
            "p",
            &[("class", "caveat")],
            &format!(
                "No line tables, so INLINED cannot be told from GONE: {}.",
                names.join(", ")
            ),
        );
    }
}

fn overview(w: &mut Writer, evidence: &Evidence, functions: &[&str]) {
    w.table("Survival by variant and function", "matrix", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                w.th("col", "Variant");
                for function in functions {
                    w.node("th", &[("scope", "col")], |w| {
                        w.path(wording::short_path(function));
                    });
                }
            });
        });
        w.node("tbody", &[], |w| {
            for variant in &evidence.variants {
                w.node("tr", &[], |w| {
                    w.th("row", &variant.name);
                    let found = |f| variant.audit.as_ref().and_then(|a| survival::find(a, f));
                    for function in functions {
                        cell(w, variant, found(function));
                    }
                });
            }
        });
    });
}

fn cell(w: &mut Writer, variant: &VariantEvidence, found: Option<&Survival>) {
    let Some(s) = found else {
        let why = if variant.left_out.is_some() {
            "left out"
        } else {
            "not audited"
        };
        return w.element("td", &[("class", "none")], why);
    };
    let class = tone(wording::survival_tone(s.state));
    w.node("td", &[("class", class)], |w| {
        state(w, s);
        if s.state == SurvivalState::Inlined
            && let Some(host) = s.inlined_into.first()
        {
            w.node("small", &[("class", "host")], |w| {
                w.text("into ");
                w.path(wording::short_path(&host.function));
            });
        }
        let alike = if variant.baseline {
            "the baseline".to_owned()
        } else {
            format!("{} alike", survival::similarity(s))
        };
        w.element("small", &[], &alike);
    });
}

fn state(w: &mut Writer, s: &Survival) {
    let class = format!("tag {}", tone(wording::survival_tone(s.state)));
    w.element(
        "span",
        &[("class", &class)],
        wording::survival_word(s.state),
    );
}

fn detail(w: &mut Writer, function: &str, rows: &[Row<'_>]) {
    w.table(&format!("Survival of {function}"), "causes", |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for name in [
                    "Variant",
                    "State",
                    "Similarity",
                    "Instructions",
                    "What differs most, baseline → variant",
                ] {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for row in rows {
                w.node("tr", &[], |w| {
                    w.th("row", row.variant);
                    w.node("td", &[("class", "prose narrow")], |w| {
                        place(w, row.survival)
                    });
                    w.element("td", &[], &survival::similarity(row.survival));
                    let count = row.survival.census.instructions;
                    w.element("td", &[], &units::grouped(count));
                    let mix = if row.baseline {
                        "the baseline"
                    } else {
                        &row.mix
                    };
                    w.node("td", &[("class", "prose")], |w| {
                        w.text(mix);
                        if let Some(caveat) = &row.survival.caveat {
                            w.element("p", &[("class", "caveat")], caveat);
                        }
                    });
                });
            }
        });
    });
}

fn place(w: &mut Writer, s: &Survival) {
    state(w, s);
    if s.inlined_into.is_empty() {
        return;
    }
    w.element(
        "small",
        &[],
        if s.state == SurvivalState::Inlined {
            "INTO"
        } else {
            "and inlined into"
        },
    );
    for host in s.inlined_into.iter().take(HOSTS) {
        w.node("p", &[], |w| {
            w.code(&host.function);
            w.text(&format!(" ({})", units::grouped(host.instructions)));
        });
    }
    if s.inlined_into.len() > HOSTS {
        let more = s.inlined_into.len() - HOSTS;
        w.element("p", &[], &format!("and {more} more"));
    }
}
