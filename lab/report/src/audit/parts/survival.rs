//! What became of expected functions.

use crate::document::{Block, Column, Part, Row, Table, Value};
use crate::survival;
use crate::wording::{self, heading};
use karat_model::audit_document::{AuditDocument, AuditedFile};

/// Hosts that a row names.
const HOSTS: usize = 3;

pub fn part(document: &AuditDocument, file: &AuditedFile) -> Option<Part> {
    let survivals = &file.audit.survival;
    if survivals.is_empty() {
        return None;
    }
    let rows: Vec<Row> = survivals
        .iter()
        .map(|s| {
            let before = document.baseline.as_ref();
            let before = before.and_then(|b| survival::find(&b.audit, &s.function));
            Row::from(vec![
                Value::Code(s.function.clone()),
                Value::Toned(
                    wording::survival_tone(s.state),
                    wording::survival_word(s.state).into(),
                ),
                Value::Count(s.census.instructions),
                Value::Count(s.census.zmm),
                Value::Count(s.census.ymm),
                Value::Text(survival::similarity(s)),
                Value::Text(survival::hosts(s, HOSTS, wording::short_path)),
                Value::Text(before.map_or(String::new(), |b| survival::mix_text(&b.mix, &s.mix))),
            ])
        })
        .collect();
    let mut caveats: Vec<&str> = Vec::new();
    for caveat in survivals.iter().filter_map(|s| s.caveat.as_deref()) {
        if !caveats.contains(&caveat) {
            caveats.push(caveat);
        }
    }
    let columns = vec![
        Column::new("function", ""),
        Column::new("state", ""),
        Column::new("instructions", "that came from it, wherever they are"),
        Column::new("zmm", ""),
        Column::new("ymm", ""),
        Column::new("alike", "similarity to the baseline's instruction mix"),
        Column::new("inlined into", ""),
        Column::wide("mix", "what of the mix differs most from the baseline's"),
    ];
    let table = Table::new(heading::SURVIVAL, columns, rows);
    let mut blocks = vec![Block::Table(table)];
    blocks.extend(caveats.into_iter().map(Block::caveat));
    let part = Part::new("survival", heading::SURVIVAL, blocks);
    Some(part.note(wording::SURVIVAL_NOTE))
}
