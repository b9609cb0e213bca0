//! A table in columns.
//!
//! A row that is too wide loses letters of its widest names first. Where that is not
//! enough, the columns go to several blocks, each of which begins with the names of the
//! rows.

use super::grid::{Cell, Paint, grid};
use crate::number;
use crate::wording::{self, Tone, shortened, shortened_cell};
use crate::{Effect, Row, Table, Value};
use karat_model::units::grouped;

/// Characters of a bar.
const BAR: usize = 16;
/// Least width that a name is shortened to.
const LEAST: usize = 14;
/// Width that a place gets at least.
const PLACE: usize = 30;
/// Longest name that is printed whole where there are several blocks.
const NAME: usize = 24;

/// Writes it.
pub fn write(out: &mut String, table: &Table, paint: Paint, width: usize) {
    let kept = table.kept(false);
    let rows: Vec<&Row> = table.rows.iter().take(table.brief[0]).collect();
    let head: Vec<Cell> = kept
        .iter()
        .map(|c| Cell::plain(&table.columns[*c].name))
        .collect();
    let mut lines = vec![head];
    let line = |row: &&Row| kept.iter().map(|c| cell(&row.cells[*c])).collect();
    lines.extend(rows.iter().map(line));
    let yields = |c: usize| {
        let cells = || rows.iter().map(|r| &r.cells[kept[c]]);
        cells().all(|v| matches!(v, Value::Text(_) | Value::Code(_) | Value::Toned(..)))
    };
    // A place at the end of a row is to be opened or copied: it stays whole, and may stick out.
    let last = kept.len().saturating_sub(1);
    let place = |row: &&Row| matches!(row.cells[kept[last]], Value::Code(_));
    let sticks_out = last > 0 && rows.iter().any(place);
    let fitting = if sticks_out { last } else { kept.len() };
    let room = width.saturating_sub(2 + (kept.len() - fitting) * PLACE);
    fit(&mut lines, fitting, room, yields);
    for (c, column) in kept.iter().enumerate() {
        if table.is_right(*column) {
            let wide = widest(&lines, c);
            for line in &mut lines {
                line[c].text = format!("{:>wide$}", line[c].text);
            }
        }
    }
    match sticks_out {
        true => grid(out, paint, &lines),
        false => blocks(out, &lines, paint, width),
    }
    let more = table.rows.len().saturating_sub(rows.len()) as u64 + table.more;
    if more > 0 {
        let line = format!("    and {} more", grouped(more));
        *out += &format!("{}\n", paint.dim(&line));
    }
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Toned(tone, text) => Cell::toned(text, *tone),
        Value::Absent(why) => Cell::toned(why, Tone::Open),
        Value::Bar(zmm, ymm, full) => Cell::plain(bar(*zmm, *ymm, *full)),
        Value::Effect(effect) => {
            Cell::toned(brief(effect), wording::judgement_tone(effect.judgement))
        }
        Value::Stack(values) => {
            let cells = values.iter().map(|v| cell(v).text);
            let said: Vec<String> = cells.filter(|text| !text.is_empty()).collect();
            Cell::plain(said.join(" "))
        }
        other => Cell::plain(other.text()),
    }
}

/// `▲ +25.1 [+24.6 … +25.7]`.
fn brief(effect: &Effect) -> String {
    let change = number::change(effect.speed.estimate).replace(" %", "");
    format!(
        "{} {change:>5} [{}]",
        wording::judgement_sign(effect.judgement),
        wording::bare_interval(&effect.speed)
    )
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

fn widest(lines: &[Vec<Cell>], column: usize) -> usize {
    let lengths = lines.iter().map(|line| line[column].text.chars().count());
    lengths.max().unwrap_or(0)
}

/// Shortens the texts of the widest of the first columns that may yield until they fit.
fn fit(lines: &mut [Vec<Cell>], columns: usize, width: usize, yields: impl Fn(usize) -> bool) {
    loop {
        let widths: Vec<usize> = (0..columns).map(|c| widest(lines, c)).collect();
        let whole = widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1);
        let least = |c: usize| match yields(c) {
            true => widths[c].min(LEAST),
            false => widths[c],
        };
        let narrowest = (0..columns).map(least).sum::<usize>() + 2 * columns.saturating_sub(1);
        if narrowest > width {
            // Several blocks, each with the names.
            for line in lines.iter_mut() {
                line[0].text = shortened(&line[0].text, NAME);
            }
            return;
        }
        let can = (0..columns).filter(|c| yields(*c) && widths[*c] > LEAST);
        let Some(column) = can.max_by_key(|c| widths[*c]).filter(|_| whole > width) else {
            return;
        };
        let most = widths[column];
        let limit = most
            .saturating_sub(whole - width)
            .max(most * 2 / 3)
            .max(LEAST);
        for line in lines.iter_mut() {
            line[column].text = shortened_cell(&line[column].text, limit);
        }
    }
}

/// Writes columns in as many blocks as the width needs.
fn blocks(out: &mut String, lines: &[Vec<Cell>], paint: Paint, width: usize) {
    let columns = lines.first().map_or(0, Vec::len);
    let mut from = 1;
    loop {
        let mut used = widest(lines, 0) + 2;
        let mut to = from;
        while to < columns && (to == from || used + widest(lines, to) + 2 <= width) {
            used += widest(lines, to) + 2;
            to += 1;
        }
        let part = |line: &Vec<Cell>| {
            let cells = line[from.min(columns)..to].iter().cloned();
            line.first().cloned().into_iter().chain(cells).collect()
        };
        let block: Vec<Vec<Cell>> = lines.iter().map(part).collect();
        grid(out, paint, &block);
        if to >= columns {
            return;
        }
        from = to;
    }
}
