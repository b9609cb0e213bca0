//! What became of expected functions.

use crate::audit::part::{Block, Column, Part, Row, Table, Value};
use crate::tables::survival;
use crate::wording::{self, heading};
use karat_model::audit::Survival;
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
                Value::Text(hosts(s)),
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
    let caveats = caveats.into_iter().map(|c| Block::Text(c.to_owned()));
    let mut blocks = vec![Block::Table(Table {
        caption: heading::SURVIVAL.into(),
        columns: vec![
            Column::new("function", ""),
            Column::new("state", ""),
            Column::new("instructions", "that came from it, wherever they are"),
            Column::new("zmm", ""),
            Column::new("ymm", ""),
            Column::new("alike", "similarity to the baseline's instruction mix"),
            Column::new("inlined into", ""),
            Column::wide("mix", "what of the mix differs most from the baseline's"),
        ],
        brief: rows.len(),
        rows,
        more: 0,
    })];
    blocks.extend(caveats);
    Some(Part {
        id: "survival",
        title: heading::SURVIVAL.into(),
        note: wording::SURVIVAL_NOTE.into(),
        blocks,
    })
}

fn hosts(survival: &Survival) -> String {
    let hosts = &survival.inlined_into;
    let mut names: Vec<String> = hosts
        .iter()
        .take(HOSTS)
        .map(|h| {
            let name = wording::short_path(&h.function);
            format!("{name} ({})", karat_model::units::grouped(h.instructions))
        })
        .collect();
    if hosts.len() > HOSTS {
        names.push(format!("{} more", hosts.len() - HOSTS));
    }
    names.join(", ")
}
