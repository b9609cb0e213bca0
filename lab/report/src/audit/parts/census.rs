//! Instructions by width and by extension.

use crate::audit::widths::Widths;
use crate::document::{Block, Column, Part, Row, Table, Value};
use crate::wording::{self, heading};
use karat_model::audit::BinaryAudit;
use karat_model::audit_document::{AuditDocument, AuditedFile};

/// Extensions in the short forms.
const BRIEF: usize = 12;

pub fn part(_: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let audit = &file.audit;
    let mut blocks = vec![Block::Table(widths(audit))];
    if audit.total.extensions.is_empty() {
        blocks.push(Block::text(
            "No instruction needs more than the baseline of the architecture.",
        ));
    } else {
        blocks.push(Block::Table(extensions(audit)));
    }
    let part = Part::new("census", heading::CENSUS, blocks);
    Some(part.note(wording::CENSUS_NOTE).folded())
}

fn widths(audit: &BinaryAudit) -> Table {
    let total = &audit.total;
    let row = |name: &str, count: u64| {
        Row::from(vec![
            Value::Text(name.into()),
            Value::Count(count),
            Value::Share(count, total.instructions),
        ])
    };
    let classes = Widths::of([audit]);
    let mut rows: Vec<Row> = classes
        .all()
        .map(|class| row(class.long, (class.of)(total)))
        .collect();
    let is_x86 = classes.all().any(|class| class.name == "zmm");
    if is_x86 {
        rows.push(row("with a mask register", total.mask));
    }
    rows.push(row("all instructions", total.instructions));
    if total.undecodable > 0 {
        rows.push(Row::from(vec![
            Value::Text("undecodable positions".into()),
            Value::Count(total.undecodable),
            Value::Text(String::new()),
        ]));
    }
    Table::new(
        match is_x86 {
            true => "Instructions by register width",
            false => "Instructions by part of the architecture",
        },
        vec![
            match is_x86 {
                true => Column::new("width", "of the widest register that an instruction names"),
                false => Column::new("part", "the encoding group that an instruction is of"),
            },
            Column::new("instructions", ""),
            Column::new("share", "of all instructions"),
        ],
        rows,
    )
}

fn extensions(audit: &BinaryAudit) -> Table {
    let total = &audit.total;
    let mut counts: Vec<(&String, u64)> = total.extensions.iter().map(|(n, c)| (n, *c)).collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let rows = counts.into_iter().map(|(name, count)| {
        Row::from(vec![
            Value::Text(name.clone()),
            Value::Count(count),
            Value::Share(count, total.instructions),
        ])
    });
    Table::new(
        "Instructions by extension",
        vec![
            Column::new(
                "extension",
                "what a CPU must have; an instruction may need several",
            ),
            Column::new("instructions", ""),
            Column::new("share", "of all instructions"),
        ],
        rows.collect(),
    )
    .brief(BRIEF)
}
