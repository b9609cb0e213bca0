//! Whether the expected functions are still there.

use super::some;
use crate::document::{Block, Column, Detail, Part, Row, Table, Value};
use crate::evidence::tables::survival::{self, Row as Line};
use crate::survival as found;
use crate::wording::{self, heading};
use karat_model::audit::{Survival, SurvivalState};
use karat_model::evidence::{Evidence, VariantEvidence};

/// Hosts that are named.
const HOSTS: usize = 3;
/// Functions on a terminal.
const FUNCTIONS: usize = 3;

pub fn part(evidence: &Evidence, detail: Detail) -> Option<Part> {
    let functions = survival::functions(evidence);
    if functions.is_empty() {
        let none = "The study names no function that must survive.";
        return super::nothing("survival", heading::SURVIVAL, none, detail);
    }
    if detail == Detail::Brief {
        return Some(short(evidence, &functions));
    }
    let mut blocks: Vec<Block> = blind(evidence).into_iter().collect();
    let overview = Block::Table(overview(evidence, &functions, detail));
    match detail {
        Detail::Full => {
            blocks.push(overview);
            blocks.extend(functions.iter().map(|function| {
                let rows = survival::rows(evidence, function);
                let summary = format!("Hosts and instructions of {function}");
                Block::details(summary, hosts(function, &rows))
            }));
        }
        _ => blocks.push(Block::details(
            "State and similarity by variant",
            vec![overview],
        )),
    }
    let part = Part::new("survival", heading::SURVIVAL, blocks);
    Some(part.note(wording::SURVIVAL_NOTE))
}

/// A line for each function that changed, and one for all that did not.
fn short(evidence: &Evidence, functions: &[&str]) -> Part {
    let mut kept: Vec<&str> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for function in functions {
        let rows = survival::rows(evidence, function);
        let name = wording::short_path(function);
        match survival::by_state(&rows, SurvivalState::Present).len() == rows.len() {
            true => kept.push(name),
            false => lines.push(format!("{name}: {}", survival::changed(&rows))),
        }
    }
    if !kept.is_empty() {
        let word = wording::survival_word(SurvivalState::Present);
        lines.push(format!("{word} in all: {}", kept.join(", ")));
    }
    let aside = some(FUNCTIONS, lines.len());
    lines.truncate(FUNCTIONS);
    let mut blocks: Vec<Block> = lines.into_iter().map(Block::text).collect();
    blocks.extend(blind(evidence));
    Part::new("survival", "Survival", blocks).aside(aside)
}

fn blind(evidence: &Evidence) -> Option<Block> {
    let names = survival::without_line_tables(evidence).join(", ");
    let text = format!("No line tables, so INLINED cannot be told from GONE: {names}");
    (!names.is_empty()).then(|| Block::caveat(text))
}

fn overview(evidence: &Evidence, functions: &[&str], detail: Detail) -> Table {
    let mut columns = vec![Column::new("variant", "")];
    let names = functions.iter().map(|f| wording::short_path(f));
    columns.extend(
        names
            .zip(functions)
            .map(|(name, path)| Column::tinted(name, *path)),
    );
    let row = |variant: &VariantEvidence| {
        let audit = variant.audit.as_ref();
        let cell = |f: &&str| match audit.and_then(|a| found::find(a, f)) {
            Some(survival) => state(variant, survival, detail),
            None if variant.left_out.is_some() => Value::Absent("left out"),
            None => Value::Absent("not audited"),
        };
        let mut cells = vec![Value::Code(variant.name.clone())];
        cells.extend(functions.iter().map(cell));
        Row::from(cells)
    };
    let rows = evidence.variants.iter().map(row).collect();
    Table::new("Survival by variant and function", columns, rows)
}

/// The state, where it is inlined, and how similar it is.
fn state(variant: &VariantEvidence, s: &Survival, detail: Detail) -> Value {
    let word = wording::survival_word(s.state).to_owned();
    let mut cells = vec![Value::Toned(wording::survival_tone(s.state), word)];
    if detail == Detail::Full
        && s.state == SurvivalState::Inlined
        && let Some(host) = s.inlined_into.first()
    {
        let host = wording::short_path(&host.function);
        cells.push(Value::Text(format!("into {host}")));
    }
    cells.push(Value::Text(match variant.baseline {
        true => "the baseline".to_owned(),
        false => format!("{} alike", found::similarity(s)),
    }));
    Value::Stack(cells)
}

fn hosts(function: &str, rows: &[Line<'_>]) -> Vec<Block> {
    let columns = Column::all([
        "variant",
        "state",
        "similarity",
        "instructions",
        "inlined into",
        "what differs most, baseline → variant",
    ]);
    let row = |row: &Line<'_>| {
        let s = row.survival;
        let word = wording::survival_word(s.state).to_owned();
        Row::from(vec![
            Value::Code(row.variant.to_owned()),
            Value::Toned(wording::survival_tone(s.state), word),
            Value::Number(found::similarity(s)),
            Value::Count(s.census.instructions),
            Value::Text(found::hosts(s, HOSTS, |name| name)),
            Value::Text(match row.baseline {
                true => "the baseline".to_owned(),
                false => row.mix.clone(),
            }),
        ])
    };
    let lines = rows.iter().map(row).collect();
    let table = Table::new(format!("Survival of {function}"), columns, lines);
    let mut caveats: Vec<&str> = Vec::new();
    for caveat in rows.iter().filter_map(|r| r.survival.caveat.as_deref()) {
        if !caveats.contains(&caveat) {
            caveats.push(caveat);
        }
    }
    let caveats = caveats.into_iter().map(Block::caveat);
    std::iter::once(Block::Table(table))
        .chain(caveats)
        .collect()
}
