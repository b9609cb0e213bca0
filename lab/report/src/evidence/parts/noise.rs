//! What the baseline against itself says about every other number.

use crate::document::{Block, Column, Detail, Part, Row, Span, Table, Text, Value, Weight};
use crate::evidence::tables::{layout, neighbours, noise, oddities};
use crate::svg::run_order::RunOrder;
use crate::wording::{self, Tone, heading};
use karat_model::evidence::{Evidence, WorkloadEvidence};

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if evidence.workloads.is_empty() {
        return super::unmeasured("noise", heading::NOISE, detail);
    }
    let brief = detail == Detail::Brief;
    let mut blocks = vec![Block::Table(match brief {
        true => short(evidence),
        false => table(evidence),
    })];
    if let Some((tone, line)) = neighbours::line(evidence) {
        blocks.push(match tone {
            Tone::Open => Block::caveat(line),
            _ => Block::note(line),
        });
    }
    match detail {
        Detail::Brief => {
            // Of several layouts the table says more than the pilot did.
            let pilots = layout::pilots(evidence).filter(|_| evidence.layouts.layouts <= 1);
            let said: Vec<String> = layout::method(evidence).into_iter().chain(pilots).collect();
            blocks.push(Block::text(said.join(" ")));
        }
        Detail::Middle => blocks.push(odd(evidence, detail)),
        Detail::Full => {
            blocks.push(odd(evidence, detail));
            blocks.extend(noise::looks(evidence).map(Block::fine));
            let workloads = evidence.workloads.iter();
            blocks.push(Block::List(
                Weight::Fine,
                workloads.filter_map(about).collect(),
            ));
        }
    }
    let title = match brief {
        true => heading::NOISE_AND_LAYOUT,
        false => heading::NOISE,
    };
    let part = Part::new("noise", title, blocks);
    let aside = "A/A: the baseline against itself";
    Some(part.note(wording::NOISE_NOTE).aside(aside))
}

fn table(evidence: &Evidence) -> Table {
    let columns = Column::all([
        "workload",
        "A/A change",
        "interval",
        "gate",
        "noise floor",
        "detectable change",
        "rounds",
        "layout tax (standard deviation)",
    ]);
    let row = |row: noise::Row<'_>| {
        let tone = match row.workload.again_passed {
            true => Tone::Even,
            false => Tone::Bad,
        };
        Row::from(vec![
            Value::Code(row.workload.name.clone()),
            Value::Number(row.again),
            Value::Number(row.interval),
            Value::Toned(tone, row.gate.into()),
            Value::Number(row.floor),
            Value::Number(row.detectable),
            Value::Number(row.rounds),
            Value::Text(layout::taxes(row.workload).unwrap_or_default()),
        ])
    };
    let rows = noise::rows(evidence).into_iter().map(row).collect();
    Table::new("Noise floor by workload", columns, rows)
}

/// The same for a terminal: of the gate only that it failed, and oddities in columns.
fn short(evidence: &Evidence) -> Table {
    let names = ["workload", "A/A", "floor", "detectable", "rounds"];
    let mut columns = Column::all(names);
    columns.extend(Column::all(["layout tax (sd)", "drifting", "two levels"]));
    let row = |row: noise::Row<'_>| {
        let again = match row.workload.again_passed {
            true => Value::Number(row.again),
            false => Value::Toned(Tone::Bad, format!("{} {}", row.again, row.gate)),
        };
        let odd = |kind| Value::Text(oddities::count(evidence, row.workload, kind));
        Row::from(vec![
            Value::Code(row.workload.name.clone()),
            again,
            Value::Number(row.floor),
            Value::Number(row.detectable),
            Value::Number(row.rounds),
            Value::Text(layout::taxes_brief(row.workload)),
            odd("drift"),
            odd("two-levels"),
        ])
    };
    let rows = noise::rows(evidence).into_iter().map(row).collect();
    Table::new("Noise floor by workload", columns, rows)
}

/// A line for each workload that is odd; on a page with a way to its plot.
fn odd(evidence: &Evidence, detail: Detail) -> Block {
    let line = |(nth, workload): (usize, &WorkloadEvidence)| {
        let mut text = Text::named(&workload.name, oddities::line(workload)?);
        if detail == Detail::Full && RunOrder::new(evidence, nth).is_some() {
            text = text.plain(" ");
            text.0
                .push(Span::Link(super::order::id(nth), "plot".into()));
        }
        Some(text)
    };
    let lines = evidence.workloads.iter().enumerate().filter_map(line);
    Block::List(Weight::Caveat, lines.collect())
}

/// What a workload is.
fn about(workload: &WorkloadEvidence) -> Option<Text> {
    if workload.why.is_empty() && workload.args.is_empty() {
        return None;
    }
    let mut text = Text::default().code(&workload.name);
    if !workload.why.is_empty() {
        text = text.plain(format!(": {}", workload.why));
    }
    if !workload.args.is_empty() {
        text = text.plain(" ").code(workload.args.join(" "));
    }
    Some(text)
}
