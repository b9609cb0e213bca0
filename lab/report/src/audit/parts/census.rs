//! Instructions by width and by extension.

use crate::audit::part::{Block, Column, Part, Row, Table, Value};
use crate::wording::{self, heading};
use karat_model::audit::{BinaryAudit, Census};
use karat_model::audit_document::{AuditDocument, AuditedFile};

/// Extensions in the short forms.
const BRIEF: usize = 12;

pub fn part(_: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let audit = &file.audit;
    let mut blocks = vec![Block::Table(widths(audit))];
    if audit.total.extensions.is_empty() {
        blocks.push(Block::Text(
            "No instruction needs more than the baseline of the architecture.".into(),
        ));
    } else {
        blocks.push(Block::Table(extensions(audit)));
    }
    Some(Part {
        id: "census",
        title: heading::CENSUS.into(),
        note: wording::CENSUS_NOTE.into(),
        blocks,
    })
}

/// A class and how to count it.
type Class = (&'static str, fn(&Census) -> u64);

const CLASSES: [Class; 5] = [
    ("zmm (512 bits)", |c| c.zmm),
    ("ymm (256 bits)", |c| c.ymm),
    ("xmm (128 bits)", |c| c.xmm),
    ("with a mask register", |c| c.mask),
    ("all instructions", |c| c.instructions),
];

fn widths(audit: &BinaryAudit) -> Table {
    let total = &audit.total;
    let mut rows: Vec<Row> = CLASSES
        .iter()
        .map(|(name, of)| {
            Row::from(vec![
                Value::Text((*name).into()),
                Value::Count(of(total)),
                Value::Share(of(total), total.instructions),
            ])
        })
        .collect();
    if total.undecodable > 0 {
        rows.push(Row::from(vec![
            Value::Text("undecodable positions".into()),
            Value::Count(total.undecodable),
            Value::Text(String::new()),
        ]));
    }
    Table {
        caption: "Instructions by register width".into(),
        columns: vec![
            Column::new("width", "of the widest register that an instruction names"),
            Column::new("instructions", ""),
            Column::new("share", "of all instructions"),
        ],
        brief: rows.len(),
        rows,
        more: 0,
    }
}

fn extensions(audit: &BinaryAudit) -> Table {
    let total = &audit.total;
    let mut counts: Vec<(&String, u64)> = total.extensions.iter().map(|(n, c)| (n, *c)).collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    Table {
        caption: "Instructions by extension".into(),
        columns: vec![
            Column::new(
                "extension",
                "what a CPU must have; an instruction may need several",
            ),
            Column::new("instructions", ""),
            Column::new("share", "of all instructions"),
        ],
        rows: counts
            .into_iter()
            .map(|(name, count)| {
                Row::from(vec![
                    Value::Text(name.clone()),
                    Value::Count(count),
                    Value::Share(count, total.instructions),
                ])
            })
            .collect(),
        brief: BRIEF,
        more: 0,
    }
}
