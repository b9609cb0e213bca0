//! Reports of `karat audit`.
//!
//! Each part is one file in `parts`: it turns what an audit found into tables and
//! sentences, and is not there when there is nothing to show.

mod facts;
mod package;
mod parts;
mod tried;
mod widths;

pub(crate) use parts::{by_function, differing};

use crate::document::{Block, Card, Chapter, Column, Detail, Document, Row, Table, Text, Value};
use crate::format::{Format, Report, json};
use crate::wording::Tone;
use karat_model::audit_document::{AuditDocument, AuditedFile, UnauditedFile};
use karat_model::finding::Finding;
use karat_model::units;
use widths::Widths;

impl Report for AuditDocument {
    const FORMATS: &'static [Format] = &[
        Format::Human,
        Format::Markdown,
        Format::Json,
        Format::Html,
        Format::Sarif,
    ];

    fn document(&self, detail: Detail) -> Document {
        let packages = self.packages.iter().enumerate();
        let packages = packages.map(|(nth, one)| package::chapter(self, one, nth));
        let files = package::shown(self, detail).iter().enumerate();
        let tried = self.tried.iter().map(tried::chapter);
        let chapters = tried
            .chain(packages)
            .chain(files.map(|(nth, file)| chapter(self, file, nth)));
        Document {
            title: format!("Audit of {}", package::titles(self).join(", ")),
            origin: "karat audit".into(),
            // On a terminal the card names the file.
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => heading(self),
            },
            lead: "Static facts: instructions that exist, counted once, whether or not they ever \
                   run."
                .into(),
            overview: (self.files.len() > 1).then(|| overview(self)),
            overview_first: !self.packages.is_empty(),
            chapters: chapters.chain(self.failed.iter().map(failed)).collect(),
            footer: format!("Made by karat audit, karat {}.", self.karat).into(),
            sortable: true,
        }
    }

    fn json(&self) -> String {
        json(self)
    }

    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }
}

/// Packages that a heading names all of, at most, and how many it names of more.
const MOST: usize = 4;
const FIRST: usize = 3;

fn heading(document: &AuditDocument) -> Text {
    let what = Text::from("What is in ");
    let what = match &document.files[..] {
        _ if !document.packages.is_empty() => listed(what, &package::titles(document)),
        [one] => what.code(facts::name(document, one)),
        many => what.plain(format!("{} binaries", many.len())),
    };
    match &document.baseline {
        Some(baseline) => what
            .plain(", against ")
            .code(facts::name(document, baseline)),
        None => what,
    }
}

/// A heading names some packages; each has its place below.
fn listed(what: Text, names: &[String]) -> Text {
    let shown = if names.len() > MOST {
        FIRST
    } else {
        names.len()
    };
    let what = what.code(names[..shown].join(", "));
    match names.len() - shown {
        0 => what,
        more => what.plain(format!(" and {more} more")),
    }
}

/// One line for each file.
fn overview(document: &AuditDocument) -> Table {
    let widths = Widths::of(document.files.iter().map(|f| &f.audit));
    let mut columns = Column::all(["file", "code", "functions"]);
    columns.extend(widths.all().rev().map(|w| Column::new(w.name, w.meaning)));
    columns.push(Column::new("findings", ""));
    let row = |file: &AuditedFile| {
        let audit = &file.audit;
        let (_, tone, words) = facts::state(document, file);
        let mut cells = vec![
            Value::Code(facts::name(document, file)),
            Value::Bytes(audit.code_bytes),
            Value::Count(audit.functions_total),
        ];
        let counts = widths.all().rev();
        cells.extend(counts.map(|w| Value::Count((w.of)(&audit.total))));
        cells.push(Value::Toned(tone, words));
        Row::from(cells)
    };
    let rows = document.files.iter().map(row).collect();
    Table::new("Files", columns, rows)
}

fn chapter(document: &AuditDocument, file: &AuditedFile, nth: usize) -> Chapter {
    let (sign, tone, words) = facts::state(document, file);
    let name = facts::name(document, file);
    let mut blocks = vec![Block::text(facts::headline(&file.audit))];
    blocks.extend(facts::growth(document, file).map(Block::text));
    blocks.extend(facts::remarks(file).into_iter().map(Block::text));
    blocks.push(Block::fine(Text::default().code(&file.path).plain(
        format!(
            ": {}, read in {}",
            units::bytes(file.bytes),
            units::seconds(file.audit.seconds)
        ),
    )));
    let mut parts = parts::all(document, file);
    // The files have their parts side by side.
    if document.files.len() + document.failed.len() + document.packages.len() > 1 {
        parts.iter_mut().for_each(|p| p.id += &format!("-{nth}"));
    }
    Chapter {
        card: Some(Card {
            sign: (sign, tone),
            word: Text::default().code(&name),
            about: words.into(),
            blocks,
        }),
        name,
        parts,
    }
}

fn failed(file: &UnauditedFile) -> Chapter {
    Chapter {
        name: file.path.clone(),
        card: Some(Card {
            sign: ("✗", Tone::Bad),
            word: Text::default().code(&file.path),
            about: "not audited".into(),
            blocks: vec![Block::text(file.why.clone())],
        }),
        parts: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_names_few_packages() {
        let names = |count: usize| (1..=count).map(|n| format!("{n}.whl")).collect::<Vec<_>>();
        let heading = |count| listed(Text::default(), &names(count)).words();
        assert_eq!(heading(4), "1.whl, 2.whl, 3.whl, 4.whl");
        assert_eq!(heading(6), "1.whl, 2.whl, 3.whl and 3 more");
    }
}
