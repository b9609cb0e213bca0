//! The census by section.

use crate::audit::widths::Widths;
use crate::document::{Block, Column, Part, Row, Table, Value};
use karat_model::audit_document::{AuditDocument, AuditedFile};

/// Sections in the short forms.
const BRIEF: usize = 8;

pub fn part(_: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let audit = &file.audit;
    // One section is all of it, which the census has shown.
    if audit.sections.len() < 2 {
        return None;
    }
    let widths = Widths::of([audit]);
    let sections = &audit.sections;
    let full = sections.iter().map(|s| widths.wide(&s.census)).max();
    let rows = sections.iter().map(|section| {
        let mut cells = vec![Value::Code(section.name.clone())];
        cells.extend(widths.cells(&section.census, full.unwrap_or(0)));
        cells.push(Value::Count(section.census.instructions));
        cells.push(Value::Bytes(section.bytes));
        cells.push(Value::Share(section.bytes, audit.code_bytes));
        Row::from(cells)
    });
    let mut columns = vec![Column::new("section", "")];
    columns.extend(widths.columns(Column::new("wide", "the two before it together")));
    columns.extend([
        Column::new("instructions", ""),
        Column::new("bytes", "that count as code"),
        Column::new("share", "of all bytes of code"),
    ]);
    let table = Table::new("Instructions by section", columns, rows.collect()).brief(BRIEF);
    let note = "Sections of one name, as objects and archives have them, are taken together.";
    let part = Part::new("sections", "By section", vec![Block::Table(table)]);
    Some(part.note(note).folded())
}
