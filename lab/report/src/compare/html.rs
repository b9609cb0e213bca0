//! The report as one self-contained page.

use super::parts::{Block, Part, Table, headline, parts};
use crate::html::frame;
use crate::html::write::{Writer, tone};
use crate::wording::Tone;
use karat_model::compare::LogComparison;

/// Rows of a table; all of them are in the JSON.
const ROWS: usize = 5000;

/// The comparison as a page.
#[must_use]
pub fn html(found: &LogComparison) -> String {
    let parts = parts(found);
    let title = format!("{} · karat compare", headline(found).0);
    frame::page(&title, include_str!("style.css"), |w| {
        w.node("main", &[], |w| body(w, found, &parts));
    })
}

fn body(w: &mut Writer, found: &LogComparison, parts: &[Part]) {
    w.node("header", &[], |w| {
        w.element("p", &[("class", "eyebrow")], "karat compare");
        w.element("h1", &[], "Before and after, compared");
    });
    w.node("section", &[("id", "verdict"), ("class", "verdict")], |w| {
        verdict(w, found);
    });
    w.node("nav", &[("aria-label", "Contents")], |w| {
        w.node("ol", &[], |w| {
            entry(w, "verdict", "Verdict");
            for part in parts {
                entry(w, part.id, part.heading);
            }
        });
    });
    w.node("div", &[("class", "parts")], |w| {
        for part in parts {
            w.node("section", &[("id", part.id)], |w| {
                w.element("h2", &[], part.heading);
                for block in &part.blocks {
                    put(w, block, part.heading);
                }
            });
        }
        w.node("footer", &[], |w| {
            w.text(&format!("karat {}, schema {}", found.karat, found.schema));
        });
    });
}

/// What a parity check's outputs told, within the report of a run: tests, messages and
/// environment. Speed is that report's own matter.
pub(crate) fn inside(w: &mut Writer, found: &LogComparison) {
    for part in parts(found) {
        if matches!(part.id, "tests" | "messages" | "environment") {
            let heading = part
                .heading
                .trim_start_matches(|c: char| !c.is_alphabetic());
            w.element("h3", &[], heading);
            for block in &part.blocks {
                put(w, block, heading);
            }
        }
    }
}

fn entry(w: &mut Writer, id: &str, heading: &str) {
    w.node("li", &[], |w| {
        w.element("a", &[("href", &format!("#{id}"))], heading);
    });
}

fn verdict(w: &mut Writer, found: &LogComparison) {
    let (word, tint) = headline(found);
    let sign = match tint {
        Tone::Good => "✓",
        Tone::Bad => "✗",
        Tone::Even => "=",
        Tone::Open => "?",
    };
    w.element("h2", &[("class", "hidden")], "Verdict");
    w.node("div", &[("class", &format!("card {}", tone(tint)))], |w| {
        w.node("p", &[("class", "word")], |w| {
            w.element("span", &[("class", "sign"), ("aria-hidden", "true")], sign);
            w.text(" ");
            w.element("strong", &[], word);
        });
        w.element("p", &[("class", "advice")], &found.verdict.summary);
        if !found.verdict.reasons.is_empty() {
            w.node("ul", &[("class", "reasons-list")], |w| {
                for reason in &found.verdict.reasons {
                    w.element("li", &[], reason);
                }
            });
        }
    });
}

/// A table's caption is left out where it only repeats the heading.
fn put(w: &mut Writer, block: &Block, heading: &str) {
    match block {
        Block::Text(text) => w.element("p", &[("class", "note")], text),
        Block::List(items) => w.node("ul", &[], |w| {
            for item in items {
                w.element("li", &[], item);
            }
        }),
        Block::Table(table) if table.folded => {
            let summary = format!("{} ({})", table.caption, table.rows.len());
            w.details(&summary, table.figures, |w| rows(w, table));
        }
        Block::Table(table) => {
            if table.caption != heading {
                w.element("h3", &[], &table.caption);
            }
            rows(w, table);
        }
    }
}

fn rows(w: &mut Writer, table: &Table) {
    let class = if table.figures { "numbers" } else { "compared" };
    w.table(&table.caption, class, |w| {
        w.node("thead", &[], |w| {
            w.node("tr", &[], |w| {
                for name in &table.head {
                    w.th("col", name);
                }
            });
        });
        w.node("tbody", &[], |w| {
            for cells in table.rows.iter().take(ROWS) {
                w.node("tr", &[], |w| {
                    for (i, cell) in cells.iter().enumerate() {
                        match (i, cell.tone) {
                            (0, _) => w.th("row", &cell.text),
                            (_, Tone::Even) => w.node("td", &[], |w| w.path(&cell.text)),
                            (_, tint) => w.node("td", &[], |w| {
                                let class = format!("tag {}", tone(tint));
                                w.element("span", &[("class", &class)], &cell.text);
                            }),
                        }
                    }
                });
            }
        });
    });
    if table.rows.len() > ROWS {
        let more = format!("… and {} more rows, in the JSON.", table.rows.len() - ROWS);
        w.element("p", &[("class", "fine")], &more);
    }
}
