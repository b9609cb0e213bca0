//! What each stage cost, with its bound.

use crate::document::{Block, Column, Detail, Part, Row, Table, Value};
use crate::evidence::tables::machine;
use crate::number;
use crate::wording::{Tone, heading};
use karat_model::evidence::{Cost, Evidence};

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if detail == Detail::Brief {
        return None;
    }
    if evidence.costs.is_empty() {
        return super::nothing("costs", heading::COSTS, "No costs were recorded.", detail);
    }
    let row = |cost: &Cost| {
        let tone = match cost.met {
            Some(false) => Tone::Bad,
            _ => Tone::Even,
        };
        Row::from(vec![
            Value::plain(&cost.name),
            Value::Number(number::value(cost.value, &cost.unit)),
            Value::Toned(tone, machine::bound(cost)),
        ])
    };
    let rows = evidence.costs.iter().map(row).collect();
    let table = Table::new("Costs", Column::all(["stage", "cost", "bound"]), rows);
    Some(Part::new("costs", heading::COSTS, vec![Block::Table(table)]).folded())
}
