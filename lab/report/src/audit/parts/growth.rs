//! Growth against the baseline.

use crate::audit::facts;
use crate::audit::part::{Block, Column, Part, Row, Table, Value};
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::bloat::{Amount, Bloat, Growth};
use karat_model::units::grouped;

/// Crates and functions in the short forms.
const BRIEF: usize = 10;

pub fn part(document: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let bloat = file.audit.bloat.as_ref()?;
    if bloat.functions_differ == 0 && bloat.total.before == bloat.total.after {
        return None;
    }
    let baseline = facts::name(document, document.baseline.as_ref()?);
    let mut blocks = vec![Block::Table(widths(bloat))];
    if bloat.crates.len() > 1 {
        blocks.push(Block::Table(changes(
            "crate",
            "Growth by crate",
            &bloat.crates,
            0,
        )));
    }
    if let Some(table) = by_function(bloat) {
        blocks.push(Block::Text(differing(bloat)));
        blocks.push(Block::Table(table));
    }
    Some(Part {
        id: "growth",
        title: format!("Growth against {baseline}"),
        note: "Instructions that exist, whether or not they run: growth is a reason to measure, \
               not a result. Functions are matched by name; parts that the compiler split off \
               (`.cold`, `.part` …) count with their function."
            .into(),
        blocks,
    })
}

/// How many functions differ, came and went.
pub fn differing(bloat: &Bloat) -> String {
    format!(
        "Functions that differ in their counts: {} ({} of them new, {} gone).",
        grouped(bloat.functions_differ),
        grouped(bloat.functions_new),
        grouped(bloat.functions_gone)
    )
}

/// Growth by function, if any differs.
pub fn by_function(bloat: &Bloat) -> Option<Table> {
    let functions = &bloat.functions;
    let more = bloat.functions_differ - functions.len().min(bloat.functions_differ as usize) as u64;
    let table = || changes("function", "Growth by function", functions, more);
    (!functions.is_empty()).then(table)
}

/// A width's name and how to count it.
type Width = (&'static str, fn(&Amount) -> u64);

const WIDTHS: [Width; 4] = [
    ("zmm (512 bits)", |a| a.zmm),
    ("ymm (256 bits)", |a| a.ymm),
    ("xmm (128 bits)", |a| a.xmm),
    ("all instructions", |a| a.instructions),
];

fn widths(bloat: &Bloat) -> Table {
    let (before, after) = (&bloat.total.before, &bloat.total.after);
    let mut rows: Vec<Row> = WIDTHS
        .iter()
        .map(|(name, of)| {
            Row::from(vec![
                Value::Text((*name).into()),
                Value::Count(of(before)),
                Value::Count(of(after)),
                Value::Change(of(after) as i64 - of(before) as i64),
                Value::Ratio(of(after), of(before)),
            ])
        })
        .collect();
    rows.push(Row::from(vec![
        Value::Text("bytes of code".into()),
        Value::Bytes(before.bytes),
        Value::Bytes(after.bytes),
        Value::BytesChange(bloat.total.bytes_change()),
        Value::Ratio(after.bytes, before.bytes),
    ]));
    Table {
        caption: "Growth by register width".into(),
        columns: vec![
            Column::new("width", ""),
            Column::new("before", "in the baseline"),
            Column::new("now", "in this file"),
            Column::new("change", ""),
            Column::new("", ""),
        ],
        brief: rows.len(),
        rows,
        more: 0,
    }
}

fn changes(what: &'static str, caption: &str, growths: &[Growth], more: u64) -> Table {
    let full = growths.iter().map(|g| g.after.wide()).max().unwrap_or(0);
    let rows = growths.iter().map(|g| {
        let (before, after) = (&g.before, &g.after);
        let change = |of: fn(&Amount) -> u64| Value::Change(of(after) as i64 - of(before) as i64);
        Row::from(vec![
            Value::Code(g.name.clone()),
            change(|a| a.zmm),
            change(|a| a.ymm),
            Value::Bar(after.zmm, after.ymm, full),
            change(|a| a.xmm),
            change(|a| a.instructions),
            Value::BytesChange(g.bytes_change()),
            Value::Ratio(after.bytes, before.bytes),
        ])
    });
    Table {
        caption: caption.into(),
        columns: vec![
            Column::new(what, ""),
            Column::new("zmm", "512-bit instructions"),
            Column::new("ymm", "256-bit instructions"),
            Column::wide("wide now", "zmm and ymm instructions in this file"),
            Column::new("xmm", "128-bit instructions"),
            Column::new("instructions", ""),
            Column::new("bytes", ""),
            Column::new("size", "bytes against the baseline's"),
        ],
        rows: rows.collect(),
        brief: BRIEF,
        more,
    }
}
