//! Code that the totals leave out, or say less about.

use crate::audit::part::{Block, Column, Part, Row, Table, Value};
use karat_model::audit_document::{AuditDocument, AuditedFile};

pub fn part(_: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let regions = &file.audit.apart;
    if regions.is_empty() {
        return None;
    }
    let rows: Vec<Row> = regions
        .iter()
        .map(|r| {
            Row::from(vec![
                Value::Code(r.section.clone()),
                Value::Bytes(r.bytes),
                Value::Count(r.undecodable),
                Value::Text(r.why.clone()),
            ])
        })
        .collect();
    Some(Part {
        id: "apart",
        title: "Told apart from the counts".into(),
        note: String::new(),
        blocks: vec![Block::Table(Table {
            caption: "Code that is told apart".into(),
            columns: vec![
                Column::new("section", ""),
                Column::new("bytes", ""),
                Column::new(
                    "undecodable",
                    "positions that do not decode as an instruction",
                ),
                Column::new("why", ""),
            ],
            brief: rows.len(),
            rows,
            more: 0,
        })],
    })
}
