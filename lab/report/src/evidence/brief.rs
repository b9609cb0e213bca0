//! A few lines for a comparison of commands: what `karat ab` prints.

use super::advice;
use super::tables::{findings, layout, neighbours, noise, oddities, usage};
use crate::document::{Block, Chapter, Column, Document, Part, Row, Table, Value};
use crate::wording::{self, Tone};
use crate::{number, write};
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::finding::Severity;
use karat_model::verdict::Comparison;

/// The comparison for people: a line for each arm, then how far to trust it. `width` in
/// columns.
#[must_use]
pub fn human(evidence: &Evidence, color: bool, width: usize) -> String {
    let mut parts: Vec<Part> = evidence
        .workloads
        .iter()
        .map(|w| workload(evidence, w))
        .collect();
    parts.push(Part::new("", "", said(evidence)));
    let document = Document {
        chapters: vec![Chapter {
            parts,
            ..Chapter::default()
        }],
        ..Document::default()
    };
    write::terminal::render(&document, color, width)
}

fn workload(evidence: &Evidence, workload: &WorkloadEvidence) -> Part {
    let several = evidence.workloads.len() > 1;
    let arms = evidence.variants.iter();
    let mut rows: Vec<Row> = arms.map(|v| row(workload, &v.name)).collect();
    rows.extend(workload.pairs.iter().map(|c| compared(workload, c)));
    let names = [
        "",
        &workload.metric.name,
        "word",
        "speed",
        "interval",
        "fastest, typical",
    ];
    let table = Table::new("", Column::all(names), rows);
    let mut blocks = vec![Block::Table(table), Block::text(trust(evidence, workload))];
    blocks.extend(oddities::line(workload).map(Block::text));
    let title = match several {
        true => workload.metric.name.clone(),
        false => String::new(),
    };
    Part::new("", title, blocks)
}

fn said(evidence: &Evidence) -> Vec<Block> {
    let mut blocks = Vec::new();
    if evidence.layouts.layouts > 1 {
        blocks.extend(layout::method(evidence).map(Block::text));
        let several = evidence.workloads.len() > 1;
        for workload in &evidence.workloads {
            let Some(tax) = layout::taxes(workload) else {
                continue;
            };
            let of = match several {
                true => format!(" of {}", workload.metric.name),
                false => String::new(),
            };
            let text = format!("layout tax{of} (standard deviation): {tax}");
            blocks.push(Block::text(text));
        }
    }
    if let Some((tone, line)) = neighbours::line(evidence) {
        blocks.push(match tone {
            Tone::Open => Block::caveat(line),
            _ => Block::text(line),
        });
    }
    if let Some(open) = advice::open(evidence) {
        blocks.push(Block::text(open.text));
        blocks.extend(open.command.map(|command| Block::Commands(vec![command])));
    }
    // What runs used, whatever they are judged by.
    let used = usage::table(evidence, 0);
    if !used.rows.is_empty() {
        blocks.push(Block::Table(used));
    }
    blocks.extend(weighty(evidence));
    if !evidence.study.description.is_empty() {
        blocks.push(Block::text(evidence.study.description.clone()));
    }
    let withheld = evidence.verdict.withheld.as_ref();
    blocks.extend(withheld.map(|why| Block::text(format!("no verdict: {why}"))));
    blocks
}

/// Warnings and errors; notes are in the other reports.
fn weighty(evidence: &Evidence) -> Vec<Block> {
    let mut blocks = Vec::new();
    let groups = findings::groups(evidence).into_iter();
    for group in groups.filter(|g| g.severity >= Severity::Warning) {
        for finding in &group.findings {
            let of = match &finding.variant {
                Some(variant) => format!(" {variant}"),
                None => String::new(),
            };
            blocks.push(Block::text(format!(
                "{} {}{of}: {}",
                wording::severity(group.severity),
                group.code,
                finding.message
            )));
        }
    }
    blocks
}

fn row(workload: &WorkloadEvidence, arm: &str) -> Row {
    if let Some(c) = workload.comparisons.iter().find(|c| c.variant == arm) {
        return compared(workload, c);
    }
    let unit = &workload.metric.unit;
    let value = workload.again.as_ref().map(|c| c.baseline_value);
    let value = value.map_or_else(|| number::MISSING.into(), |v| number::value(v, unit));
    let mut cells = vec![
        Value::plain(arm),
        Value::Number(value),
        Value::Absent("baseline"),
    ];
    cells.extend([(); 3].map(|()| Value::plain("")));
    Row::from(cells)
}

fn compared(workload: &WorkloadEvidence, c: &Comparison) -> Row {
    let tone = wording::judgement_tone(c.judgement);
    let split = c.split.map(|split| {
        format!(
            "{} in the fastest runs, {} in a typical one",
            number::change(split.floor),
            number::change(split.typical)
        )
    });
    Row::from(vec![
        Value::Text(wording::compared(c)),
        Value::Number(number::value(c.variant_value, &workload.metric.unit)),
        Value::Toned(tone, c.judgement.word().into()),
        Value::Number(number::change(c.speed.estimate)),
        Value::Number(format!("[{}]", wording::interval(&c.speed))),
        Value::Text(split.unwrap_or_default()),
    ])
}

fn trust(evidence: &Evidence, workload: &WorkloadEvidence) -> String {
    let floor = workload.noise_floor.map(number::percent);
    let again = if workload.again_passed {
        "passed"
    } else {
        "FAILED"
    };
    format!(
        "{} rounds of {} ({}), margin {}, noise floor {} (A/A {again})",
        noise::rounds(workload),
        workload.metric.name,
        if workload.metric.unit.is_empty() {
            "no unit"
        } else {
            &workload.metric.unit
        },
        number::chosen(evidence.study.margin),
        floor.unwrap_or_else(|| "no bound yet".into()),
    )
}
