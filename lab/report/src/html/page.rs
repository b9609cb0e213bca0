//! The page: its frame, its table of contents, the order of its parts.

use super::write::Writer;
use super::{
    causes, census, charts, findings, frame, layout, matrix, noise, parity, reproduce, survival,
    usage, verdict,
};
use crate::Render;
use crate::svg::marker;
use crate::wording::heading;
use karat_model::evidence::Evidence;

/// Renders one self-contained HTML page.
#[derive(Clone, Copy, Debug)]
pub struct Html;

/// A part's anchor, its heading, and what writes it.
type Part = (&'static str, &'static str, fn(&mut Writer, &Evidence));

/// The parts after the verdict, in the order of the page.
const PARTS: [Part; 13] = [
    ("speed", heading::SPEED, matrix::write),
    ("noise", heading::NOISE, noise::write),
    ("effects", heading::FOREST, charts::forests),
    ("layout", heading::LAYOUT, layout::write),
    ("causes", heading::CAUSES, causes::write),
    ("survival", heading::SURVIVAL, survival::write),
    ("census", heading::CENSUS, census::write),
    ("parity", heading::PARITY, parity::write),
    ("usage", heading::USAGE, usage::write),
    ("order", heading::ORDER, charts::run_orders),
    ("findings", heading::FINDINGS, findings::write),
    ("reproduce", heading::REPRODUCE, reproduce::write),
    ("costs", heading::COSTS, reproduce::costs),
];

impl Render for Html {
    fn render(&self, evidence: &Evidence) -> String {
        let headline = crate::advice::headline(evidence);
        let title = format!("{headline} · {}", evidence.study.name);
        // Growth by function is drawn as `karat audit` draws it.
        let style = include_str!("../audit/html/style.css");
        frame::page(&title, style, |w| body(w, evidence))
    }
}

fn body(w: &mut Writer, evidence: &Evidence) {
    marker::symbols(w);
    w.node("main", &[], |w| {
        verdict::header(w, evidence);
        w.node("section", &[("id", "verdict"), ("class", "verdict")], |w| {
            verdict::write(w, evidence);
        });
        w.node("nav", &[("aria-label", "Contents")], |w| {
            w.node("ol", &[], |w| {
                entry(w, "verdict", heading::VERDICT);
                for (id, heading, _) in PARTS {
                    entry(w, id, heading);
                }
            });
        });
        w.node("div", &[("class", "parts")], |w| {
            for (id, heading, write) in PARTS {
                w.node("section", &[("id", id)], |w| {
                    w.element("h2", &[], heading);
                    write(w, evidence);
                });
            }
            w.node("footer", &[], |w| reproduce::footer(w, evidence));
        });
    });
}

fn entry(w: &mut Writer, id: &str, heading: &str) {
    w.node("li", &[], |w| {
        w.element("a", &[("href", &format!("#{id}"))], heading);
    });
}
