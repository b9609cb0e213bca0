//! The functions with most wide vector instructions, as the audit orders them.

use crate::audit::widths::Widths;
use crate::document::{Block, Chart, Column, Part, Row, Table, Value};
use crate::svg::map::{Area, Map};
use karat_model::audit::FunctionCensus;
use karat_model::audit_document::{AuditDocument, AuditedFile};

/// Functions in the short forms.
const BRIEF: usize = 12;
/// Rectangles of the map.
const AREAS: usize = 40;
/// Extensions that a row names.
const EXTENSIONS: usize = 4;

pub fn part(document: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let audit = &file.audit;
    if audit.functions.is_empty() {
        return None;
    }
    let place = document.files.iter().position(|f| std::ptr::eq(f, file));
    let anchor = |f: &FunctionCensus| Some(format!("f{}-{:x}", place.unwrap_or(0), f.address));
    let widths = Widths::of([audit]);
    let kinds = widths.bar();
    let wide = |f: &FunctionCensus| widths.wide(&f.census);
    let functions = &audit.functions;
    let full = functions.iter().map(wide).max().unwrap_or(0);
    let rows = functions.iter().map(|f| {
        let mut cells = vec![Value::Code(f.name.clone())];
        cells.extend(widths.cells(&f.census, full));
        cells.extend([
            Value::Count(f.census.instructions),
            Value::Bytes(f.census.bytes),
            Value::Address(f.address),
            Value::Text(extensions(f)),
        ]);
        Row {
            anchor: anchor(f),
            cells,
        }
    });
    let mut columns = vec![Column::new("function", "")];
    columns.extend(widths.columns(Column::new("wide", "the two before it together")));
    columns.extend([
        Column::new("instructions", "inlined code included"),
        Column::wide("bytes", ""),
        Column::wide("address", "of the first instruction, as linked"),
        Column::wide("extensions", "the most frequent"),
    ]);
    let table = Table::new("Functions by vector instructions", columns, rows.collect());
    let table = Table {
        more: audit.functions_total.saturating_sub(functions.len() as u64),
        ..table.brief(BRIEF)
    };
    let areas: Vec<Area> = functions
        .iter()
        .filter(|f| wide(f) > 0)
        .take(AREAS)
        .map(|f| Area {
            name: f.name.clone(),
            counts: kinds.map(|kind| (kind.of)(&f.census)),
            anchor: anchor(f),
        })
        .collect();
    let mut blocks = Vec::new();
    if areas.len() > 1 {
        blocks.push(Block::chart(Chart::Map(Map {
            kinds: kinds.map(|k| [k.name, k.long]),
            areas,
        })));
    }
    blocks.push(Block::Table(table));
    let title = format!("Functions with most {}", widths.words());
    let note = "By symbol. [fde …] is code that only the unwind table knows, [no symbol] code \
               that nothing does, such as stripped assembly.";
    Some(Part::new("functions", title, blocks).note(note).folded())
}

fn extensions(function: &FunctionCensus) -> String {
    let mut counts: Vec<(&str, u64)> = function
        .census
        .extensions
        .iter()
        .map(|(name, count)| (name.as_str(), *count))
        .collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let mut names: Vec<&str> = counts.iter().take(EXTENSIONS).map(|(n, _)| *n).collect();
    if counts.len() > EXTENSIONS {
        names.push("…");
    }
    names.join(" ")
}
