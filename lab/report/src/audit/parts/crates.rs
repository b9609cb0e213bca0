//! Whose code it is: crates, and C by the directory of its sources.

use crate::audit::facts::UNATTRIBUTED;
use crate::audit::part::{Area, Block, Column, Part, Row, Table, Value};
use karat_model::audit::CrateCensus;
use karat_model::audit_document::{AuditDocument, AuditedFile};

/// Crates in the short forms.
const BRIEF: usize = 12;
/// Crates on a page.
const MOST: usize = 200;
/// Rectangles of the map.
const AREAS: usize = 40;

pub fn part(_: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let audit = &file.audit;
    let known = |c: &&CrateCensus| c.name != UNATTRIBUTED;
    let mut blocks = Vec::new();
    if audit.crates.iter().any(|c| known(&c)) {
        let mut crates: Vec<&CrateCensus> = audit.crates.iter().collect();
        // The audit sorts by instructions, and this sort is stable.
        crates.sort_by_key(|c| std::cmp::Reverse(c.census.zmm + c.census.ymm));
        let areas: Vec<Area> = crates
            .iter()
            .filter(|c| c.census.zmm + c.census.ymm > 0)
            .take(AREAS)
            .map(|c| Area {
                name: c.name.clone(),
                zmm: c.census.zmm,
                ymm: c.census.ymm,
                anchor: None,
            })
            .collect();
        if areas.len() > 1 {
            blocks.push(Block::Map(areas));
        }
        blocks.push(Block::Table(table(&crates, audit.total.bytes)));
    }
    let wide = audit.total.zmm + audit.total.ymm > 0;
    if blocks.is_empty() && !wide {
        return None;
    }
    if !audit.has_line_tables {
        blocks.push(Block::Text(
            "There are no line tables: whose code this is cannot be told. Build with debug \
             information (`debug = \"line-tables-only\"` in a Cargo profile, `-g1` in C) to \
             see it by crate."
                .into(),
        ));
    }
    Some(Part {
        id: "crates",
        title: match wide {
            true => "Who brought the wide vector code".into(),
            false => "Whose code it is".into(),
        },
        note: "Counted in the crate (in C: the directory) whose source an instruction comes \
               from, wherever it was inlined. [unattributed] has no line table."
            .into(),
        blocks,
    })
}

fn table(crates: &[&CrateCensus], code: u64) -> Table {
    let wide = |c: &CrateCensus| c.census.zmm + c.census.ymm;
    let full = crates.iter().map(|c| wide(c)).max().unwrap_or(0);
    let rows = crates.iter().take(MOST).map(|c| {
        Row::from(vec![
            Value::Code(c.name.clone()),
            Value::Count(c.census.zmm),
            Value::Count(c.census.ymm),
            Value::Bar(c.census.zmm, c.census.ymm, full),
            Value::Count(c.census.xmm),
            Value::Count(c.census.instructions),
            Value::Bytes(c.census.bytes),
            Value::Share(c.census.bytes, code),
        ])
    });
    Table {
        caption: "Instructions by crate".into(),
        columns: vec![
            Column::new("crate", ""),
            Column::new("zmm", "512-bit instructions"),
            Column::new("ymm", "256-bit instructions"),
            Column::new("wide", "zmm and ymm instructions together"),
            Column::new("xmm", "128-bit instructions"),
            Column::new("instructions", ""),
            Column::new("bytes", ""),
            Column::new("share", "of all bytes of code"),
        ],
        rows: rows.collect(),
        brief: BRIEF,
        more: crates.len().saturating_sub(MOST) as u64,
    }
}
