//! Variants by workloads, and why each variant has its verdict.

use crate::document::{Block, Column, Detail, Effect, Fact, Part, Row, Table, Text, Value};
use crate::evidence::tables::matrix::{self, Row as Line};
use crate::number;
use crate::wording::{self, heading};
use karat_model::evidence::{Evidence, VariantEvidence, WorkloadEvidence};
use karat_model::verdict::Comparison;

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    let rows = matrix::rows(evidence);
    let margin = number::chosen(evidence.study.margin);
    let mut blocks = Vec::new();
    if evidence.workloads.is_empty() {
        blocks.push(Block::text(wording::NOT_MEASURED));
    }
    blocks.push(Block::Table(table(evidence, &rows, detail)));
    let left = matrix::left_out(evidence);
    blocks.extend(left.map(|(name, reason)| {
        let said = Text::from("left out: ").code(name);
        Block::text(said.plain(format!(": {reason}")))
    }));
    let splits = matrix::splits(evidence);
    match (detail, &splits[..]) {
        (_, []) => {}
        (Detail::Brief, [one]) => blocks.push(Block::text(one.clone())),
        (Detail::Brief, [first, rest @ ..]) => {
            let text = format!("{first}; {} more in the report", rest.len());
            blocks.push(Block::text(text));
        }
        (Detail::Middle, all) => blocks.push(Block::list(all.iter().cloned())),
        // A page has them in the cells.
        (Detail::Full, _) => {}
    }
    if detail == Detail::Full {
        let all = evidence.variants.iter().filter(|v| v.left_out.is_none());
        let why = vec![Block::Facts(all.map(reasons).collect())];
        blocks.push(Block::details(
            "What each variant is, and why its verdict",
            why,
        ));
        if rows.iter().any(|r| r.cells.iter().any(Option::is_some)) {
            let numbers = vec![Block::Table(numbers(evidence))];
            blocks.push(Block::details("More numbers of the judge", numbers));
        }
    }
    let note = Text::from("Change of speed against ").code(wording::baseline_name(evidence));
    let note = note.plain(match detail {
        Detail::Full => format!(
            " with its interval: +10 % is one tenth faster, whatever the metric. The margin, \
             below which a change does not matter, is {margin}."
        ),
        _ => format!(" with its interval; margin {margin}. {}.", wording::SIGNS),
    });
    let aside = format!("%, [interval]; margin {margin}; {}", wording::SIGNS);
    let part = Part::new("speed", heading::SPEED, blocks);
    Some(part.note(note).aside(aside))
}

fn table(evidence: &Evidence, rows: &[Line<'_>], detail: Detail) -> Table {
    let mut columns = Column::all(["variant", "verdict"]);
    columns.extend(evidence.workloads.iter().map(|w| workload(w, detail)));
    let mut first = vec![
        Value::Code(wording::baseline_name(evidence).to_owned()),
        Value::Absent("baseline"),
    ];
    let values = evidence.workloads.iter();
    first.extend(values.map(|w| Value::Text(matrix::baseline_value(w))));
    let recommended = evidence.verdict.recommended.as_deref();
    let line = |row: &Line<'_>| {
        let is_recommended = recommended == Some(&row.variant.name);
        let mut cells = vec![
            Value::Code(row.variant.name.clone()),
            verdict(row, is_recommended, detail),
        ];
        cells.extend(row.cells.iter().map(|cell| effect(*cell)));
        Row::from(cells)
    };
    let lines = std::iter::once(Row::from(first)).chain(rows.iter().map(line));
    Table::new("Variants by workloads", columns, lines.collect())
}

/// The column of a workload; a page has room for its metric.
pub fn workload(workload: &WorkloadEvidence, detail: Detail) -> Column {
    match detail {
        Detail::Full => {
            let name = format!("{} ({})", workload.name, workload.metric.name);
            Column::tinted(name, "")
        }
        _ => Column::tinted(&workload.name, ""),
    }
}

/// The cell of a comparison.
pub fn effect(cell: Option<&Comparison>) -> Value {
    match cell {
        Some(c) => Value::Effect(Effect::from(c)),
        None => Value::Absent("not measured"),
    }
}

fn verdict(row: &Line<'_>, recommended: bool, detail: Detail) -> Value {
    let Some(said) = &row.variant.verdict else {
        return Value::plain(number::MISSING);
    };
    let (word, tone) = (
        wording::verdict(said.verdict),
        wording::verdict_tone(said.verdict),
    );
    let sign = wording::verdict_sign(said.verdict);
    let mut cells = vec![match detail {
        Detail::Full => Value::Toned(tone, format!("{sign} {word}")),
        _ => Value::Toned(tone, word.to_owned()),
    }];
    if recommended && detail != Detail::Brief {
        cells.push(Value::plain("recommended"));
    }
    if detail == Detail::Full && row.cells.iter().any(Option::is_some) {
        let mean = number::change(said.mean_speed);
        cells.push(Value::Text(format!("mean {mean}")));
    }
    match cells.len() {
        1 => cells.remove(0),
        _ => Value::Stack(cells),
    }
}

fn reasons(variant: &VariantEvidence) -> Fact {
    let name = Text::default().code(&variant.name);
    let name = match &variant.verdict {
        Some(said) => name.plain(" ").strong(wording::verdict(said.verdict)),
        None if variant.baseline => name.plain(" baseline"),
        None => name,
    };
    let reasons = variant.verdict.iter().map(|said| said.reasons.join(" · "));
    let said = [variant.why.clone(), variant.settings.join(" · ")];
    let said = said.into_iter().chain(reasons);
    Fact {
        name,
        said: said.filter(|s| !s.is_empty()).map(Text::from).collect(),
    }
}

fn numbers(evidence: &Evidence) -> Table {
    let columns = Column::all([
        "variant",
        "workload",
        "baseline",
        "variant's",
        "error level",
        "p",
        "p, Holm",
        "detectable",
        "rounds",
        "rounds needed",
    ]);
    let or_missing = |text: Option<String>| text.unwrap_or_else(|| number::MISSING.to_owned());
    let row = |workload: &WorkloadEvidence, c: &Comparison| {
        let unit = &workload.metric.unit;
        let figures = [
            number::value(c.baseline_value, unit),
            number::value(c.variant_value, unit),
            number::percent(c.level),
            number::p(c.p),
            number::p(c.p_adjusted),
            or_missing(c.detectable.map(number::percent)),
            c.rounds.to_string(),
            or_missing(c.rounds_needed.map(|r| r.to_string())),
        ];
        let mut cells = vec![
            Value::Code(wording::compared(c)),
            Value::Text(workload.name.clone()),
        ];
        cells.extend(figures.map(Value::Number));
        Row::from(cells)
    };
    let workloads = evidence.workloads.iter();
    let rows = workloads.flat_map(|w| w.comparisons.iter().chain(&w.pairs).map(move |c| row(w, c)));
    Table::new("More numbers of the judge", columns, rows.collect())
}
