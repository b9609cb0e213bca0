//! Tables of what differs, and of all.

use crate::document::{Block, Column, Detail, Row, Table, Value};

/// Rows up to which a table of everything is shown open.
const OPEN: usize = 12;
/// Rows of a table on a terminal.
const ROWS: usize = 40;

/// A table of rows, each as long as the head.
pub fn table(caption: &str, head: &[&str], rows: Vec<Vec<Value>>) -> Table {
    let columns = head.iter().map(|name| Column::new(*name, "")).collect();
    let rows = rows.into_iter().map(Row::from).collect();
    Table {
        brief: [ROWS, usize::MAX],
        ..Table::new(caption, columns, rows)
    }
}

/// A table that holds what agrees too: folded when it is long, and none in a brief form.
pub fn whole(table: Table, detail: Detail) -> Option<Block> {
    let long = table.rows.len() > OPEN;
    (detail != Detail::Brief).then(|| {
        if long {
            folded(table)
        } else {
            Block::Table(table)
        }
    })
}

fn folded(table: Table) -> Block {
    let summary = format!("{} ({})", table.caption, table.rows.len());
    Block::details(summary, vec![Block::Table(table)])
}

/// What differs, then all of it. Where nothing differs, the first is left out.
pub fn differing_and_all<T>(
    captions: [&str; 2],
    head: &[&str],
    all: &[T],
    differs: impl Fn(&T) -> bool,
    row: impl Fn(&T) -> Vec<Value>,
    detail: Detail,
) -> Vec<Block> {
    let differing: Vec<_> = all.iter().filter(|t| differs(t)).map(&row).collect();
    let all = table(captions[1], head, all.iter().map(row).collect());
    if differing.is_empty() {
        return whole(all, detail).into_iter().collect();
    }
    let mut blocks = vec![Block::Table(table(captions[0], head, differing))];
    blocks.extend((detail != Detail::Brief).then(|| folded(all)));
    blocks
}
