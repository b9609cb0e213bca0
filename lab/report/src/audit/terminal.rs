//! The form for a terminal.

use super::facts;
use super::part::{Block, Entry, Part, Table, Value};
use super::parts;
use super::widths::Widths;
use crate::text::{Cell, Paint, grid, wrap};
use crate::wording::{Tone, printable, shortened};
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::units::{self, grouped};

/// Characters of a bar.
const BAR: usize = 16;
/// Least width of a name.
const NAME: usize = 16;
/// Most findings of a file that are printed.
const FINDINGS: usize = 20;

/// All of it, about a screen for each file.
pub fn render(document: &AuditDocument, color: bool, width: usize) -> String {
    let paint = Paint { on: color };
    let width = width.max(40);
    let mut out = String::new();
    if document.files.len() > 1 {
        overview(&mut out, document, paint, width);
    }
    for file in &document.files {
        if !out.is_empty() {
            out.push('\n');
        }
        one(&mut out, document, file, paint, width);
    }
    for failed in &document.failed {
        if !out.is_empty() {
            out.push('\n');
        }
        let line = format!("✗ {}: not audited", printable(&failed.path));
        out.push_str(&paint.bold(&paint.tone(Tone::Bad, &line)));
        out.push('\n');
        wrap(&mut out, &failed.why, 2, width);
    }
    out
}

/// One line for each file.
fn overview(out: &mut String, document: &AuditDocument, paint: Paint, width: usize) {
    let widths = Widths::of(document.files.iter().map(|f| &f.audit));
    let mut heading = vec!["file", "code", "functions"];
    heading.extend(widths.all().rev().map(|w| w.name));
    heading.push("findings");
    let rows: Vec<Vec<Value>> = document
        .files
        .iter()
        .map(|file| {
            let audit = &file.audit;
            let (_, tone, words) = facts::state(document, file);
            let mut row = vec![
                Value::Text(facts::name(document, file)),
                Value::Bytes(audit.code_bytes),
                Value::Count(audit.functions_total),
            ];
            let counts = widths.all().rev();
            row.extend(counts.map(|w| Value::Count((w.of)(&audit.total))));
            row.push(Value::Toned(tone, words));
            row
        })
        .collect();
    let rows: Vec<Vec<&Value>> = rows.iter().map(|row| row.iter().collect()).collect();
    lines(out, paint, &heading, &rows, width);
}

fn one(out: &mut String, document: &AuditDocument, file: &AuditedFile, paint: Paint, width: usize) {
    let (sign, tone, words) = facts::state(document, file);
    let line = format!(
        "{sign} {}: {words}",
        printable(&facts::name(document, file))
    );
    out.push_str(&paint.bold(&paint.tone(tone, &line)));
    out.push('\n');
    wrap(out, &facts::headline(&file.audit), 2, width);
    if let Some(growth) = facts::growth(document, file) {
        wrap(out, &growth, 2, width);
    }
    for remark in facts::remarks(file) {
        wrap(out, &printable(&remark), 2, width);
    }
    for part in parts::all(document, file) {
        write(out, &part, paint, width);
    }
    let took = format!(
        "{} in {}",
        units::bytes(file.bytes),
        units::seconds(file.audit.seconds)
    );
    out.push('\n');
    out.push_str(&paint.dim(&format!("  {took}")));
    out.push('\n');
}

fn write(out: &mut String, part: &Part, paint: Paint, width: usize) {
    out.push('\n');
    out.push_str(&paint.bold(&part.title));
    out.push('\n');
    for (index, block) in part.blocks.iter().enumerate() {
        match block {
            Block::Text(text) => wrap(out, text, 2, width),
            Block::Findings(entries) => findings(out, entries, paint, width),
            Block::Table(table) => {
                if index > 0 && matches!(part.blocks[index - 1], Block::Table(_)) {
                    out.push('\n');
                }
                self::table(out, table, paint, width);
            }
            Block::Map(_) => {}
        }
    }
}

fn findings(out: &mut String, entries: &[Entry], paint: Paint, width: usize) {
    for entry in entries.iter().take(FINDINGS) {
        let (word, tone) = entry.severity;
        out.push_str(&format!("  {} {}", paint.tone(tone, word), entry.code));
        if !entry.place.is_empty() {
            let room = width.saturating_sub(20).max(NAME);
            out.push_str(&format!(" {}", shortened(&printable(&entry.place), room)));
        }
        out.push('\n');
        wrap(out, &entry.message, 4, width);
    }
    if entries.len() > FINDINGS {
        let more = entries.len() - FINDINGS;
        out.push_str(&format!(
            "  and {more} more (`--format json` has them all)\n"
        ));
    }
}

fn table(out: &mut String, table: &Table, paint: Paint, width: usize) {
    let kept: Vec<usize> = (0..table.columns.len())
        .filter(|c| !table.columns[*c].wide)
        // A column in which no row says anything.
        .filter(|c| {
            let mut cells = table.rows.iter().map(|r| &r.cells[*c]);
            *c == 0 || cells.any(|v| !is_silent(v))
        })
        .collect();
    let heading: Vec<&str> = kept.iter().map(|c| table.columns[*c].name).collect();
    let rows = table.rows.iter().take(table.brief);
    let rows: Vec<Vec<&Value>> = rows
        .map(|row| kept.iter().map(|c| &row.cells[*c]).collect())
        .collect();
    lines(out, paint, &heading, &rows, width);
    let more = table.rows.len().saturating_sub(table.brief) as u64 + table.more;
    if more > 0 {
        let line = format!("    and {} more", grouped(more));
        out.push_str(&paint.dim(&line));
        out.push('\n');
    }
}

/// Whether a cell says nothing.
fn is_silent(value: &Value) -> bool {
    match value {
        Value::Bar(zmm, ymm, _) => zmm + ymm == 0,
        Value::Count(n) | Value::Bytes(n) => *n == 0,
        Value::Change(n) | Value::BytesChange(n) => *n == 0,
        other => matches!(other.text().as_str(), "" | crate::number::MISSING),
    }
}

/// zmm as full blocks, ymm as light ones.
fn bar(zmm: u64, ymm: u64, full: u64) -> String {
    if full == 0 {
        return String::new();
    }
    let length = |n: u64| (n as f64 / full as f64 * BAR as f64).round() as usize;
    let all = length(zmm + ymm).max(usize::from(zmm + ymm > 0));
    let zmm = length(zmm).min(all);
    format!("{}{}", "█".repeat(zmm), "▒".repeat(all - zmm))
}

/// Rows in columns. Numbers stand right, and the first column gives way when the
/// terminal is narrow.
fn lines(out: &mut String, paint: Paint, heading: &[&str], rows: &[Vec<&Value>], width: usize) {
    let shown = |value: &Value| match value {
        Value::Bar(zmm, ymm, full) => bar(*zmm, *ymm, *full),
        other => printable(&other.text()),
    };
    let mut text: Vec<Vec<String>> = vec![heading.iter().map(|h| (*h).to_owned()).collect()];
    text.extend(
        rows.iter()
            .map(|row| row.iter().map(|v| shown(v)).collect()),
    );
    let wide = |c: usize| {
        text.iter()
            .map(|row| row[c].chars().count())
            .max()
            .unwrap_or(0)
    };
    let right = |c: usize| c > 0 && rows.iter().any(|row| row[c].is_number());
    let others: usize = (1..heading.len()).map(|c| wide(c) + 2).sum();
    let room = width.saturating_sub(others + 2).max(NAME);
    let cells: Vec<Vec<Cell>> = text
        .iter()
        .enumerate()
        .map(|(r, line)| {
            let cell = |(c, text): (usize, &String)| {
                let text = match c {
                    0 => shortened(text, room),
                    _ if right(c) => format!("{text:>0$}", wide(c)),
                    _ => text.clone(),
                };
                match r.checked_sub(1).map(|r| rows[r][c]) {
                    Some(Value::Toned(tone, _)) => Cell::toned(text, *tone),
                    _ => Cell::plain(text),
                }
            };
            line.iter().enumerate().map(cell).collect()
        })
        .collect();
    grid(out, paint, &cells);
}
