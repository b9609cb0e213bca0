//! The first screen: what was asked, what came out, what to do.

use super::write::{Writer, tone};
use crate::advice;
use crate::number;
use crate::tables::matrix;
use crate::wording::{self, heading};
use karat_model::evidence::{Evidence, VariantEvidence};

/// The title and what the run was.
pub fn header(w: &mut Writer, evidence: &Evidence) {
    w.node("header", &[], |w| {
        w.node("p", &[("class", "eyebrow")], |w| {
            w.text("karat study ");
            w.code(&evidence.study.name);
            w.text(" · ");
            w.text(
                evidence
                    .run
                    .started
                    .get(..10)
                    .unwrap_or(&evidence.run.started),
            );
            w.text(" · ");
            w.text(&evidence.machine.cpu);
        });
        w.element("h1", &[], &evidence.study.title);
        if !evidence.study.description.is_empty() {
            w.element("p", &[("class", "lead")], &evidence.study.description);
        }
    });
}

/// The verdict, the advice and the commands.
pub fn write(w: &mut Writer, evidence: &Evidence) {
    let said = &evidence.verdict;
    let class = tone(wording::verdict_tone(said.verdict));
    w.element("h2", &[("class", "hidden")], heading::VERDICT);
    w.node("div", &[("class", &format!("card {class}"))], |w| {
        w.node("p", &[("class", "word")], |w| {
            w.element(
                "span",
                &[("class", "sign"), ("aria-hidden", "true")],
                wording::verdict_sign(said.verdict),
            );
            w.text(" ");
            w.element("strong", &[], wording::verdict(said.verdict));
            let about = if said.verdict.is_none() {
                &said.withheld
            } else {
                &said.about
            };
            if let Some(about) = about {
                w.text(" ");
                w.element("span", &[("class", "about")], about);
            }
        });
        w.element("p", &[("class", "advice")], &advice::advice(evidence));
        w.element("p", &[("class", "summary")], &said.summary);
        if let Some(variant) = advice::to_build(evidence) {
            w.node("div", &[("class", "split")], |w| {
                w.node("div", &[], |w| recipe(w, variant));
                w.node("div", &[], |w| effects(w, evidence, variant));
            });
        }
        w.node("ul", &[("class", "trust")], |w| {
            for (t, fact) in advice::trust(evidence) {
                w.element("li", &[("class", tone(t))], &fact);
            }
        });
    });
}

fn recipe(w: &mut Writer, variant: &VariantEvidence) {
    w.element("h3", &[], "How to build it");
    if !variant.reproduce.is_empty() {
        // Each word in a span, so that lines break between words only.
        w.node("pre", &[], |w| {
            for piece in variant.reproduce.join("\n").split_inclusive([' ', '\n']) {
                let word = piece.trim_end_matches([' ', '\n']);
                w.element("span", &[], word);
                w.text(&piece[word.len()..]);
            }
        });
    }
    if !variant.settings.is_empty() {
        w.node("ul", &[("class", "plain")], |w| {
            for setting in &variant.settings {
                w.element("li", &[], setting);
            }
        });
    }
}

fn effects(w: &mut Writer, evidence: &Evidence, variant: &VariantEvidence) {
    w.node("h3", &[], |w| {
        w.text("Its speed against ");
        w.code(wording::baseline_name(evidence));
    });
    w.table("Speed of the recommended variant", "effects", |w| {
        for workload in &evidence.workloads {
            w.node("tr", &[], |w| {
                w.th("row", &workload.name);
                match matrix::comparison(workload, &variant.name) {
                    Some(c) => {
                        w.element("td", &[("class", "n")], &number::change(c.speed.estimate));
                        w.node("td", &[], |w| {
                            super::matrix::judgement(w, c.judgement);
                        });
                    }
                    None => w.element("td", &[("colspan", "2")], "not measured"),
                }
            });
        }
    });
}
