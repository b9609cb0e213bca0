//! Whose code it is: crates, and C by the directory of its sources.

use crate::audit::facts::UNATTRIBUTED;
use crate::audit::widths::Widths;
use crate::document::{Block, Chart, Column, Part, Row, Table, Value};
use crate::svg::map::{Area, Map};
use crate::wording;
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
    let owner = wording::owner([audit]);
    let widths = Widths::of([audit]);
    let kinds = widths.bar();
    let known = |c: &&CrateCensus| c.name != UNATTRIBUTED;
    let mut blocks = Vec::new();
    if audit.crates.iter().any(|c| known(&c)) {
        let mut crates: Vec<&CrateCensus> = audit.crates.iter().collect();
        // The audit sorts by instructions, and this sort is stable.
        crates.sort_by_key(|c| std::cmp::Reverse(widths.wide(&c.census)));
        let areas: Vec<Area> = crates
            .iter()
            .filter(|c| widths.wide(&c.census) > 0)
            .take(AREAS)
            .map(|c| Area {
                name: shown(c),
                counts: kinds.map(|kind| (kind.of)(&c.census)),
                anchor: None,
            })
            .collect();
        if areas.len() > 1 {
            blocks.push(Block::chart(Chart::Map(Map {
                kinds: kinds.map(|k| [k.name, k.long]),
                areas,
            })));
        }
        blocks.push(Block::Table(table(
            &widths,
            &crates,
            audit.total.bytes,
            owner,
        )));
    }
    let wide = widths.wide(&audit.total) > 0;
    if blocks.is_empty() && !wide {
        return None;
    }
    if let Some(missing) = file
        .debug_missing
        .as_ref()
        .filter(|_| !audit.has_line_tables)
    {
        blocks.push(Block::text(missing.clone()));
    } else if !audit.has_line_tables {
        blocks.push(Block::text(
            "There are no line tables: whose code this is cannot be told, but for functions of \
             Rust by their symbols. Build with debug information (`debug = \"line-tables-only\"` in a Cargo profile, `-g1` in C) to \
             see it by crate or folder.",
        ));
    }
    let title = match wide {
        true => format!("Who brought the {}", widths.words()),
        false => "Whose code it is".into(),
    };
    let note = match owner {
        "crate" => "Counted in the crate (in C: the folder)",
        _ => "Counted in the folder",
    };
    let note = format!(
        "{note} whose source an instruction comes from, wherever it was inlined. Code without \
         a source line is counted by the symbol of its function (by symbol), else as \
         [unattributed]."
    );
    Some(Part::new("crates", title, blocks).note(note).folded())
}

fn shown(of: &CrateCensus) -> String {
    match of.by_symbol {
        true => format!("{} (by symbol)", of.name),
        false => of.name.clone(),
    }
}

fn table(widths: &Widths, crates: &[&CrateCensus], code: u64, owner: &str) -> Table {
    let full = crates.iter().map(|c| widths.wide(&c.census)).max();
    let rows = crates.iter().take(MOST).map(|c| {
        let mut cells = vec![Value::Code(shown(c))];
        cells.extend(widths.cells(&c.census, full.unwrap_or(0)));
        cells.push(Value::Count(c.census.instructions));
        cells.push(Value::Bytes(c.census.bytes));
        cells.push(Value::Share(c.census.bytes, code));
        Row::from(cells)
    });
    let mut columns = vec![Column::new(owner, "")];
    columns.extend(widths.columns(Column::new("wide", "the two before it together")));
    columns.extend([
        Column::new("instructions", ""),
        Column::new("bytes", ""),
        Column::new("share", "of all bytes of code"),
    ]);
    let table = Table::new(format!("Instructions by {owner}"), columns, rows.collect());
    Table {
        more: crates.len().saturating_sub(MOST) as u64,
        ..table.brief(BRIEF)
    }
}
