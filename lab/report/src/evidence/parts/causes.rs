//! The clock, and how each possible cause stands.

use crate::document::{Block, Column, Detail, Fact, Part, Row, Table, Text, Value};
use crate::evidence::tables::{causes, matrix};
use crate::number;
use crate::wording::{self, Tone, heading};
use karat_model::evidence::{Evidence, WorkloadEvidence};
use karat_model::measure::ClockReading;
use karat_model::verdict::{Cause, Stance};

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    if detail == Detail::Brief {
        return None;
    }
    let summary = causes::summary(evidence.workloads.iter().flat_map(|w| &w.comparisons));
    if summary.is_empty() && detail == Detail::Middle {
        return None;
    }
    let mut blocks = vec![Block::list(summary)];
    let folded = match detail {
        Detail::Full => evidence
            .workloads
            .iter()
            .filter_map(|w| by_variant(evidence, w))
            .collect(),
        _ => about(evidence),
    };
    if folded.is_empty() && detail == Detail::Full {
        let none = "No clock was read and no cause was examined.";
        return super::nothing("causes", heading::CAUSES, none, detail);
    }
    blocks.extend(folded);
    let part = Part::new("causes", heading::CAUSES, blocks);
    Some(match detail {
        Detail::Full => part.note(wording::CAUSES_NOTE),
        _ => part,
    })
}

/// The causes of what the verdict is about.
fn about(evidence: &Evidence) -> Vec<Block> {
    let Some(about) = &evidence.verdict.about else {
        return Vec::new();
    };
    let fact = |workload: &WorkloadEvidence| {
        let found = matrix::comparison(workload, about)?;
        let said: Vec<Text> = found.causes.iter().map(stance).collect();
        let name = Text::default().code(&workload.name);
        (!said.is_empty()).then_some(Fact { name, said })
    };
    let facts: Vec<Fact> = evidence.workloads.iter().filter_map(fact).collect();
    match facts.is_empty() {
        true => Vec::new(),
        false => vec![Block::details(
            format!("Causes: {about}"),
            vec![Block::Facts(facts)],
        )],
    }
}

/// The clock of each variant, then what holds for every variant once, then what each has
/// of its own.
fn by_variant(evidence: &Evidence, workload: &WorkloadEvidence) -> Option<Block> {
    let rows = causes::rows(evidence, workload);
    let found = causes::stances(workload);
    if rows.iter().all(|r| r.clock.is_none()) && found.total == 0 {
        return None;
    }
    let mut facts = Vec::new();
    if !found.common.is_empty() {
        facts.push(Fact {
            name: format!("in all {}", found.total).into(),
            said: found.common.iter().map(|c| stance(c)).collect(),
        });
    }
    facts.extend(found.own.iter().map(|(c, own)| {
        let change = number::change(c.speed.estimate);
        let name = Text::default().code(&c.variant);
        Fact {
            name: name.plain(format!(" {change} {}", c.judgement.word())),
            said: own.iter().map(|c| stance(c)).collect(),
        }
    }));
    let count = wording::plural(found.total, "difference");
    let blocks = vec![Block::Table(clocks(workload, &rows)), Block::Facts(facts)];
    Some(Block::details(
        format!("{}: {count}", workload.name),
        blocks,
    ))
}

fn clocks(workload: &WorkloadEvidence, rows: &[causes::Row<'_>]) -> Table {
    let columns = Column::all([
        "variant",
        "speed",
        "GHz before",
        "during",
        "after",
        "during, against the baseline's",
    ]);
    let row = |row: &causes::Row<'_>| {
        let ghz = |of: fn(&ClockReading) -> f64| {
            let read = row.clock.map(|c| number::gigahertz(of(c)));
            Value::Number(read.unwrap_or_else(|| "not read".to_owned()))
        };
        let speed = row.comparison.map(|c| number::change(c.speed.estimate));
        let relative = row.relative.map(number::change);
        Row::from(vec![
            Value::Code(row.variant.to_owned()),
            Value::Number(speed.unwrap_or_else(|| "baseline".to_owned())),
            ghz(|c| c.before),
            ghz(|c| c.during),
            ghz(|c| c.after),
            Value::Number(relative.unwrap_or_else(|| number::MISSING.to_owned())),
        ])
    };
    let rows = rows.iter().map(row).collect();
    Table::new(format!("Clock during {}", workload.name), columns, rows)
}

fn stance(cause: &Cause) -> Text {
    let tone = match cause.stance {
        Stance::Excluded => Tone::Even,
        Stance::Consistent => Tone::Good,
        Stance::Unknown => Tone::Open,
    };
    Text::default()
        .strong(&cause.kind)
        .plain(" ")
        .toned(tone, wording::stance(cause.stance).to_lowercase())
        .plain(format!(": {}", cause.text))
}
