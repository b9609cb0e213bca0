//! The first screen: what was asked, what came out, what to do.

use super::write::{Writer, tone};
use crate::advice;
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
            recipe(w, variant);
        }
        if let Some(open) = advice::open(evidence) {
            w.element("p", &[("class", "summary")], &open.text);
            if let Some(command) = &open.command {
                words(w, command);
            }
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
        words(w, &variant.reproduce.join("\n"));
    }
    if !variant.settings.is_empty() {
        w.node("ul", &[("class", "plain")], |w| {
            for setting in &variant.settings {
                w.element("li", &[], setting);
            }
        });
    }
}

/// Commands, each word in a span, so that lines break between words only.
fn words(w: &mut Writer, commands: &str) {
    w.node("pre", &[], |w| {
        for piece in commands.split_inclusive([' ', '\n']) {
            let word = piece.trim_end_matches([' ', '\n']);
            w.element("span", &[], word);
            w.text(&piece[word.len()..]);
        }
    });
}
