//! Variants against each other, where the study asks for it.

use super::speed::{effect, workload};
use crate::document::{Block, Column, Detail, Part, Row, Table, Value};
use crate::evidence::tables::pairs;
use crate::wording::{self, heading};
use karat_model::evidence::Evidence;

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    let lines = pairs::rows(evidence);
    if lines.is_empty() {
        return None;
    }
    // Where a table goes to several blocks, one column names the rows.
    let brief = detail == Detail::Brief;
    let mut columns = match brief {
        true => Column::all(["pair"]),
        false => Column::all(["variant", "against"]),
    };
    columns.extend(evidence.workloads.iter().map(|w| workload(w, detail)));
    let row = |line: &pairs::Row<'_>| {
        let mut cells = match brief {
            true => vec![Value::Text(format!("{} / {}", line.variant, line.against))],
            false => [line.variant, line.against]
                .map(|name| Value::Code(name.to_owned()))
                .into(),
        };
        cells.extend(line.cells.iter().map(|cell| effect(*cell)));
        Row::from(cells)
    };
    let rows = lines.iter().map(row).collect();
    let table = Table::new("Variants against each other", columns, rows);
    let part = Part::new("pairs", heading::PAIRS, vec![Block::Table(table)]);
    let aside = "%, [interval]; variant against variant";
    Some(part.note(wording::PAIRS_NOTE).aside(aside))
}
