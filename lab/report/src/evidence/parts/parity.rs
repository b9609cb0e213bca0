//! Whether behaviour is the same.

use crate::compare;
use crate::document::{Block, Code, Column, Detail, Part, Row, Table, Text, Value};
use crate::evidence::tables::parity;
use crate::wording::{Tone, heading};
use karat_model::evidence::{Evidence, ParityCheck};

/// Failures that a form shows, and lines of each of their differences.
const fn limits(detail: Detail) -> (usize, usize) {
    match detail {
        Detail::Brief => (4, 6),
        Detail::Middle => (12, 40),
        Detail::Full => (usize::MAX, 200),
    }
}

const NOTE: &str = "Exit code, output and warnings of each variant against the baseline's; where \
    the study names a reader, the tests, messages and crashes that the outputs tell of.";

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if evidence.parity.is_empty() {
        let none = "No parity check was run.";
        return super::nothing("parity", heading::PARITY, none, detail);
    }
    let failed: Vec<&ParityCheck> = parity::failed(evidence).collect();
    let read = || {
        evidence
            .parity
            .iter()
            .filter_map(|c| Some((c, c.logs.as_ref()?)))
    };
    let mut blocks = Vec::new();
    match detail {
        Detail::Brief => {}
        Detail::Middle => blocks.push(Block::list(read().filter(|(c, _)| c.passed).map(
            |(check, logs)| {
                let text = format!(", {}: {}", check.name, compare::behaviour_of(logs));
                Text::default().code(&check.variant).plain(text)
            },
        ))),
        Detail::Full => blocks.push(outcomes(evidence, failed.len())),
    }
    let (most, lines) = limits(detail);
    for check in failed.iter().take(most) {
        blocks.extend(differences(check, lines, detail));
    }
    if failed.len() > most {
        let more = failed.len() - most;
        blocks.push(Block::text(format!("and {more} more in the report")));
    }
    if detail == Detail::Full {
        blocks.extend(read().map(|(check, logs)| {
            let behaviour = compare::behaviour_of(logs);
            let summary = format!("{} of {}: {behaviour}", check.name, check.variant);
            Block::details(summary, compare::inside(logs))
        }));
    }
    // What agrees in everything is told by the card.
    let silent = failed.is_empty() && (detail == Detail::Brief || read().next().is_none());
    if silent && detail != Detail::Full {
        return None;
    }
    let part = Part::new("parity", heading::PARITY, blocks).note(NOTE);
    Some(part.aside("behaviour differs from the baseline's"))
}

fn outcomes(evidence: &Evidence, failed: usize) -> Block {
    let (checks, variants) = parity::axes(evidence);
    let mut columns = vec![Column::new("variant", "")];
    columns.extend(checks.iter().map(|check| Column::tinted(*check, "")));
    let row = |variant: &&str| {
        let cell = |check: &&str| match parity::find(evidence, check, variant) {
            Some(c) if c.passed => Value::Toned(Tone::Even, "passed".into()),
            Some(_) => Value::Toned(Tone::Bad, "FAILED".into()),
            None => Value::Absent("not run"),
        };
        let mut cells = vec![Value::Code((*variant).to_owned())];
        cells.extend(checks.iter().map(cell));
        Row::from(cells)
    };
    let rows = variants.iter().map(row).collect();
    let total = evidence.parity.len();
    Block::Details {
        id: String::new(),
        summary: match failed {
            0 => format!("All {total} checks passed"),
            _ => format!("{failed} of {total} checks failed"),
        },
        open: failed > 0,
        blocks: vec![Block::Table(Table::new(
            "Parity checks by variant",
            columns,
            rows,
        ))],
    }
}

fn differences(check: &ParityCheck, lines: usize, detail: Detail) -> Vec<Block> {
    let title = Text::default().toned(Tone::Bad, "FAILED").plain(" ");
    let title = title
        .code(&check.variant)
        .plain(format!(": {}", check.name));
    let mut blocks = vec![Block::text(title)];
    if detail == Detail::Full && !check.args.is_empty() {
        let args = Text::from("arguments ").code(check.args.join(" "));
        blocks.push(Block::fine(args));
    }
    let most = if detail == Detail::Brief {
        1
    } else {
        usize::MAX
    };
    let differences = check.differences.iter().take(most);
    blocks.extend(differences.map(|d| Block::Code(Code::first("diff", d, lines))));
    blocks
}
