//! Which functions of a file ran.

use super::ROWS;
use super::words::counted;
use crate::document::{Block, Column, Detail, Part, Row, Table, Value};
use karat_model::gates::{Coverage, Difference, Dormant, WatchedFunction};

/// Functions that never ran which a page lists.
const DEAD: usize = 500;

/// Sums by crate and file, the largest functions that never ran, and what another run
/// did otherwise.
pub(super) fn parts(coverage: &Coverage, detail: Detail) -> Vec<Part> {
    let total = coverage.total();
    let unwatched = coverage.functions.len() as u64 - total.functions;
    let mut blocks = vec![Block::text(format!(
        "{} of {} functions executed; {} of {} bytes are of functions that never were.",
        total.executed, total.functions, total.dead_bytes, total.bytes
    ))];
    if unwatched > 0 {
        blocks.push(Block::note(format!(
            "{} could not be watched: nothing says where their instructions begin.",
            counted(unwatched, "piece of code", "pieces of code")
        )));
    }
    blocks.extend(sums("crate", &coverage.by_crate()));
    blocks.extend(sums("file", &coverage.by_file()));
    if detail == Detail::Full {
        blocks.extend(never(coverage));
    }
    let mut parts = vec![Part::new("functions", "Functions", blocks)];
    parts.extend(coverage.against.as_ref().map(beside));
    parts
}

/// A table of dead bytes, if it has more to say than the total.
fn sums(title: &'static str, sums: &[Dormant]) -> Option<Block> {
    if sums.len() < 2 {
        return None;
    }
    let rows = sums.iter().map(|sum| {
        let name = match sum.name.as_str() {
            "" => Value::Absent("[not known]"),
            name => Value::Code(name.to_owned()),
        };
        Row::from(vec![
            name,
            Value::Count(sum.dead_bytes),
            Value::Count(sum.bytes),
            Value::Count(sum.executed),
            Value::Count(sum.functions),
        ])
    });
    let columns = Column::all([title, "dead bytes", "of bytes", "executed", "of functions"]);
    let table = Table::new(format!("By {title}"), columns, rows.collect());
    Some(Block::Table(table.brief(ROWS)))
}

/// The largest functions that never ran.
fn never(coverage: &Coverage) -> Option<Block> {
    let all = coverage.functions.iter();
    let mut dead: Vec<&WatchedFunction> = all.filter(|f| f.executed == Some(false)).collect();
    if dead.is_empty() {
        return None;
    }
    dead.sort_by(|a, b| (b.bytes, &a.name).cmp(&(a.bytes, &b.name)));
    let rows = dead.iter().take(DEAD).map(|function| {
        let file = function.file.clone();
        Row::from(vec![
            Value::Code(function.name.clone()),
            Value::Count(function.bytes),
            file.map_or(Value::Absent(""), Value::Code),
        ])
    });
    let columns = Column::all(["function", "bytes", "file"]);
    let mut table = Table::new("Never executed, the largest", columns, rows.collect());
    table.more = dead.len().saturating_sub(DEAD) as u64;
    Some(Block::details(
        "Functions that never ran",
        vec![Block::Table(table)],
    ))
}

/// What ran in one of two runs only.
fn beside(difference: &Difference) -> Part {
    let mut blocks = vec![Block::text(format!(
        "{} functions ran in both, {} in neither.",
        difference.both, difference.neither
    ))];
    for (what, names) in [
        ("only here", &difference.only_here),
        ("only there", &difference.only_there),
    ] {
        blocks.push(Block::text(format!("{} {what}.", names.len())));
        if !names.is_empty() {
            let rows = names
                .iter()
                .map(|name| Row::from(vec![Value::Code(name.clone())]));
            let table = Table::new(what, Column::all([what]), rows.collect());
            blocks.push(Block::Table(table.brief(ROWS)));
        }
    }
    let title = format!("Beside {}", difference.command.join(" "));
    Part::new("beside", title, blocks)
}
