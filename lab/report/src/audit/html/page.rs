//! The frame of the page and its parts.

use super::{map, table};
use crate::audit::facts;
use crate::audit::part::{Block, Entry, Part};
use crate::audit::parts;
use crate::html::frame;
use crate::html::write::{Writer, tone};
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::units;

/// The page.
pub fn render(document: &AuditDocument) -> String {
    let names = document.files.iter().map(|f| facts::name(document, f));
    let names: Vec<String> = names.collect();
    let title = format!("Audit of {}", names.join(", "));
    frame::page(&title, include_str!("style.css"), |w| body(w, document))
}

/// Where a file's part begins: the files have their parts side by side.
fn anchor(document: &AuditDocument, file: usize, id: &str) -> String {
    match document.files.len() {
        1 => id.to_owned(),
        _ => format!("{id}-{file}"),
    }
}

fn body(w: &mut Writer, document: &AuditDocument) {
    let files: Vec<(&AuditedFile, Vec<Part>)> = document
        .files
        .iter()
        .map(|file| (file, parts::all(document, file)))
        .collect();
    w.node("main", &[], |w| {
        w.node("header", &[], |w| header(w, document));
        w.node("section", &[("id", "verdict"), ("class", "verdict")], |w| {
            for (index, (file, _)) in files.iter().enumerate() {
                card(w, document, file, index);
            }
            for failed in &document.failed {
                w.node("div", &[("class", "card bad")], |w| {
                    w.node("p", &[("class", "advice")], |w| {
                        w.text("✗ ");
                        w.code(&failed.path);
                        w.text(": not audited");
                    });
                    w.element("p", &[("class", "summary")], &failed.why);
                });
            }
        });
        w.node("nav", &[("aria-label", "Contents")], |w| {
            w.node("ol", &[], |w| {
                for (index, (file, parts)) in files.iter().enumerate() {
                    contents(w, document, file, parts, index);
                }
            });
        });
        w.node("div", &[("class", "parts")], |w| {
            for (index, (file, parts)) in files.iter().enumerate() {
                for part in parts {
                    let id = anchor(document, index, part.id);
                    w.node("section", &[("id", &id)], |w| {
                        if files.len() > 1 {
                            let name = facts::name(document, file);
                            w.element("p", &[("class", "eyebrow")], &name);
                        }
                        write(w, part);
                    });
                }
            }
            w.node("footer", &[], |w| {
                w.text(&format!("Made by karat audit, karat {}.", document.karat));
            });
        });
    });
    w.node("script", &[], |w| w.constant(include_str!("sort.js")));
}

fn header(w: &mut Writer, document: &AuditDocument) {
    w.element("p", &[("class", "eyebrow")], "karat audit");
    w.node("h1", &[], |w| {
        w.text("What is in ");
        match &document.files[..] {
            [one] => w.path(&facts::name(document, one)),
            many => w.text(&format!("{} binaries", many.len())),
        }
        if let Some(baseline) = &document.baseline {
            w.text(", against ");
            w.path(&facts::name(document, baseline));
        }
    });
    w.element(
        "p",
        &[("class", "lead")],
        "Static facts: instructions that exist, counted once, whether or not they ever run.",
    );
}

/// A file's state in a frame.
fn card(w: &mut Writer, document: &AuditDocument, file: &AuditedFile, index: usize) {
    let (sign, state, words) = facts::state(document, file);
    let class = format!("card {}", tone(state));
    let first = parts::all(document, file);
    let target = first.first().map_or("census", |p| p.id);
    w.node("div", &[("class", &class)], |w| {
        w.node("p", &[("class", "advice")], |w| {
            w.text(sign);
            w.text(" ");
            w.code(&facts::name(document, file));
            w.text(": ");
            let to = format!("#{}", anchor(document, index, target));
            w.element("a", &[("href", &to)], &words);
        });
        w.element("p", &[("class", "summary")], &facts::headline(&file.audit));
        if let Some(growth) = facts::growth(document, file) {
            w.element("p", &[("class", "summary")], &growth);
        }
        for remark in facts::remarks(file) {
            w.element("p", &[("class", "summary")], &remark);
        }
        w.node("p", &[("class", "fine")], |w| {
            w.path(&file.path);
            w.text(&format!(
                ": {}, read in {}",
                units::bytes(file.bytes),
                units::seconds(file.audit.seconds)
            ));
        });
    });
}

fn contents(
    w: &mut Writer,
    document: &AuditDocument,
    file: &AuditedFile,
    parts: &[Part],
    index: usize,
) {
    let many = document.files.len() > 1;
    for (number, part) in parts.iter().enumerate() {
        w.node("li", &[], |w| {
            if many && number == 0 {
                w.element("strong", &[], &facts::name(document, file));
                w.constant("<br>");
            }
            let to = format!("#{}", anchor(document, index, part.id));
            w.element("a", &[("href", &to)], &part.title);
        });
    }
}

fn write(w: &mut Writer, part: &Part) {
    w.element("h2", &[], &part.title);
    if !part.note.is_empty() {
        w.element("p", &[("class", "note")], &part.note.replace('`', ""));
    }
    for block in &part.blocks {
        match block {
            Block::Text(text) => w.element("p", &[], text),
            Block::Findings(entries) => findings(w, entries),
            Block::Table(table) => table::write(w, table),
            Block::Map(map) => map::draw(w, map),
        }
    }
}

fn findings(w: &mut Writer, entries: &[Entry]) {
    w.node("ul", &[("class", "findings")], |w| {
        for entry in entries {
            w.node("li", &[], |w| {
                let (word, state) = entry.severity;
                let class = format!("tag {}", tone(state));
                w.element("span", &[("class", &class)], word);
                w.text(" ");
                w.element("b", &[], &entry.code);
                w.text(" ");
                if !entry.place.is_empty() {
                    w.code(&entry.place);
                    w.text(" ");
                }
                w.text(&entry.message);
            });
        }
    });
}
