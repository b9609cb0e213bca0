//! The frame of a page: its head, its cards, its table of contents, its parts.

use super::blocks;
use crate::wording::{Tone, VERDICT};
use crate::{Card, Chapter, Document, Part};
use karat_page::Writer;
use karat_page::marker;

/// Chapters whose cards fit above all parts.
const MANY: usize = 8;

/// The page.
pub fn render(document: &Document) -> String {
    let mut w = Writer::default();
    w.constant("<!DOCTYPE html>\n");
    w.node("html", &[("lang", "en")], |w| {
        w.node("head", &[], |w| head(w, &document.title));
        w.node("body", &[], |w| {
            marker::symbols(w);
            w.node("main", &[], |w| main(w, document));
            if document.sortable {
                w.node("script", &[], |w| w.constant(include_str!("sort.js")));
            }
        });
    });
    w.constant("\n");
    w.finish()
}

fn head(w: &mut Writer, title: &str) {
    w.empty("meta", &[("charset", "utf-8")]);
    let fits = "width=device-width, initial-scale=1";
    w.empty("meta", &[("name", "viewport"), ("content", fits)]);
    let schemes = [("name", "color-scheme"), ("content", "light dark")];
    w.empty("meta", &schemes);
    w.element("title", &[], title);
    w.node("style", &[], |w| w.constant(include_str!("style.css")));
}

fn main(w: &mut Writer, document: &Document) {
    let several = document.chapters.len() > 1;
    w.node("header", &[], |w| {
        w.node("p", &[("class", "eyebrow")], |w| {
            blocks::spans(w, &document.origin)
        });
        w.node("h1", &[], |w| blocks::spans(w, &document.heading));
        if !document.lead.is_empty() {
            w.element("p", &[("class", "lead")], &document.lead);
        }
    });
    let overview = document
        .overview
        .as_ref()
        .filter(|_| document.overview_first);
    if let Some(table) = overview {
        w.node(
            "section",
            &[("id", "overview"), ("class", "overview")],
            |w| {
                w.element("h2", &[], &table.caption);
                super::table::write(w, table, document.sortable);
            },
        );
    }
    // Of many chapters a good one has its card above its parts.
    let many = overview.is_some() && document.chapters.len() > MANY;
    let is_apart = |chapter: &Chapter| {
        let is_good = |card: &Card| matches!(card.sign.1, Tone::Good);
        many && !chapter.parts.is_empty() && chapter.card.as_ref().is_some_and(is_good)
    };
    let first = || document.chapters.iter().filter(|c| !is_apart(c));
    let cards = || first().filter_map(|c| c.card.as_ref());
    if cards().next().is_some() {
        w.node("section", &[("id", "verdict"), ("class", "verdict")], |w| {
            w.element("h2", &[("class", "hidden")], VERDICT);
            cards().for_each(|one| card(w, one, several));
        });
    }
    w.node("nav", &[("aria-label", "Contents")], |w| {
        w.node("ol", &[], |w| {
            if cards().next().is_some() {
                entry(w, "verdict", VERDICT);
            }
            for chapter in &document.chapters {
                match chapter.parts.first().filter(|_| many) {
                    Some(part) => entry(w, &part.id, &chapter.name),
                    None => contents(w, chapter, several),
                }
            }
        });
    });
    w.node("div", &[("class", "parts")], |w| {
        for chapter in &document.chapters {
            for (nth, one) in chapter.parts.iter().enumerate() {
                w.node("section", &[("id", &one.id)], |w| {
                    if nth == 0 && is_apart(chapter) {
                        chapter.card.iter().for_each(|own| card(w, own, several));
                    }
                    if several {
                        w.element("p", &[("class", "eyebrow")], &chapter.name);
                    }
                    part(w, one, document.sortable);
                });
            }
        }
        w.node("footer", &[], |w| blocks::spans(w, &document.footer));
    });
}

/// Of many cards each is smaller.
fn card(w: &mut Writer, card: &Card, several: bool) {
    let (sign, state) = card.sign;
    w.node(
        "div",
        &[("class", &format!("card {}", state.class()))],
        |w| {
            let class = if several { "word small" } else { "word" };
            w.node("p", &[("class", class)], |w| {
                let hidden = [("class", "sign"), ("aria-hidden", "true")];
                w.element("span", &hidden, sign);
                w.text(" ");
                w.node("strong", &[], |w| blocks::spans(w, &card.word));
                if !card.about.is_empty() {
                    w.text(" ");
                    w.node("span", &[("class", "about")], |w| {
                        blocks::spans(w, &card.about)
                    });
                }
            });
            blocks::write(w, &card.blocks, false);
        },
    );
}

fn contents(w: &mut Writer, chapter: &Chapter, several: bool) {
    for (number, part) in chapter.parts.iter().enumerate() {
        if several && number == 0 {
            w.node("li", &[], |w| w.element("strong", &[], &chapter.name));
        }
        entry(w, &part.id, &part.title);
    }
}

fn entry(w: &mut Writer, id: &str, heading: &str) {
    w.node("li", &[], |w| {
        w.element("a", &[("href", &format!("#{id}"))], heading);
    });
}

fn part(w: &mut Writer, part: &Part, sortable: bool) {
    w.element("h2", &[], &part.title);
    if !part.note.is_empty() {
        w.node("p", &[("class", "note")], |w| blocks::spans(w, &part.note));
    }
    blocks::write(w, &part.blocks, sortable);
}
