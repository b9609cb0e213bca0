//! Reports of source scans.
//!
//! They are made from [`Scan`] and from nothing else.

mod findings;
mod rows;

use crate::document::{Block, Chapter, Column, Detail, Document, Part, Row, Table, Text, Value};
use crate::format::{Format, Report, json};
use karat_model::finding::Finding;
use karat_model::scan::{Class, Note, Scan};

/// Notes that a terminal prints.
const NOTES: usize = 5;

impl Report for Scan {
    const FORMATS: &'static [Format] = &[
        Format::Human,
        Format::Markdown,
        Format::Json,
        Format::Html,
        Format::Sarif,
    ];

    fn document(&self, detail: Detail) -> Document {
        let heading = "Where the sources choose by CPU features";
        let classes = Class::ALL.into_iter();
        let mut parts: Vec<Part> = classes.filter_map(|class| part(self, class)).collect();
        parts.push(read(self, detail));
        Document {
            title: format!("{heading} · karat scan"),
            origin: "karat scan".into(),
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => heading.into(),
            },
            chapters: vec![Chapter {
                parts,
                ..Chapter::default()
            }],
            footer: format!("karat {}, schema {}", self.karat, self.schema).into(),
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        json(self)
    }

    fn findings(&self) -> Vec<Finding> {
        findings::findings(self)
    }
}

/// The places of a class.
fn part(scan: &Scan, class: Class) -> Option<Part> {
    let rows = rows::rows(scan, class);
    let rest = rows::always_text(scan).filter(|_| class == Class::CompileTime);
    if rows.is_empty() && rest.is_none() {
        return None;
    }
    let places: usize = rows.iter().map(|r| r.sites.len()).sum();
    let title = format!("{} {}: {places}", class.code(), rows::heading(class));
    let mut blocks = vec![Block::text(rows::meaning(class))];
    if !rows.is_empty() {
        let names = [
            "package",
            "features",
            "under these flags",
            "in the binary",
            "place",
        ];
        let rows = rows.iter().map(line).collect();
        let table = Table::new(rows::heading(class), Column::all(names), rows);
        blocks.push(Block::Table(table));
    }
    blocks.extend(rest.map(Block::text));
    Some(Part::new(class.code(), title, blocks))
}

fn line(row: &rows::Row<'_>) -> Row {
    let (flags, tone) = row.under_flags();
    Row::from(vec![
        Value::plain(row.package()),
        Value::plain(row.features()),
        Value::Toned(tone, flags),
        Value::plain(row.in_binary()),
        Value::Code(row.place()),
    ])
}

/// What was read under which flags, and what was not.
fn read(scan: &Scan, detail: Detail) -> Part {
    let mut blocks = Vec::new();
    if scan.sites.is_empty() {
        blocks.push(Block::text("No place chooses by CPU features."));
    }
    blocks.push(Block::text(rows::flags(scan)));
    blocks.push(Block::text(rows::read(scan)));
    blocks.extend(rows::left_out(scan).map(Block::text));
    let shown = match detail {
        Detail::Brief => NOTES,
        _ => usize::MAX,
    };
    blocks.push(Block::list(scan.notes.iter().take(shown).map(note)));
    let more = scan.notes.len().saturating_sub(shown);
    if more > 0 {
        blocks.push(Block::text(format!("and {more} more files")));
    }
    let explain = Text::default().code("karat explain KS001");
    let explain = explain
        .plain(" … ")
        .code("KS006")
        .plain(" says what to do.");
    blocks.push(Block::text(explain));
    Part::new("read", "What was read", blocks)
}

fn note(note: &Note) -> Text {
    let line = note
        .location
        .line
        .map_or(String::new(), |l| format!(":{l}"));
    Text::named(&format!("{}{line}", note.location.file), &*note.message)
}
