//! The report for a terminal: what differs, not what agrees.

use super::parts::{Block, Part, Table, headline, parts};
use crate::text::{Cell, Paint, grid, wrap};
use crate::wording::shortened;
use karat_model::compare::LogComparison;

/// Rows of a table that are printed.
const ROWS: usize = 40;

/// Figures up to which those of all sections are printed.
const FIGURES: usize = 40;

/// The comparison for people: `width` in columns.
#[must_use]
pub fn terminal(found: &LogComparison, color: bool, width: usize) -> String {
    let paint = Paint { on: color };
    let width = width.clamp(60, 160);
    let mut out = String::new();
    let (word, tone) = headline(found);
    out += &format!("{}\n", paint.bold(&paint.tone(tone, word)));
    wrap(&mut out, &found.verdict.summary, 0, width);
    for part in parts(found) {
        // It repeats what stands above.
        if part.id != "conclusion" {
            write(&mut out, found, &part, paint, width);
        }
    }
    if !found.verdict.reasons.is_empty() {
        out += &format!("\n{}\n", paint.bold("Conclusion"));
        for reason in &found.verdict.reasons {
            item(&mut out, reason, width);
        }
    }
    out
}

fn write(out: &mut String, found: &LogComparison, part: &Part, paint: Paint, width: usize) {
    *out += &format!("\n{}\n", paint.bold(part.heading));
    for block in &part.blocks {
        match block {
            Block::Text(text) => wrap(out, text, 0, width),
            Block::List(items) => items.iter().for_each(|i| item(out, i, width)),
            Block::Table(table) => {
                let small = table.figures && found.figures.len() <= FIGURES;
                if !table.whole || small {
                    grid_of(out, table, table.caption != part.heading, paint, width);
                }
            }
        }
    }
}

fn item(out: &mut String, text: &str, width: usize) {
    let mut wrapped = String::new();
    wrap(&mut wrapped, text, 2, width);
    // The first of the two spaces that every line begins with becomes the mark.
    wrapped.replace_range(..1, "-");
    *out += &wrapped;
}

fn grid_of(out: &mut String, table: &Table, titled: bool, paint: Paint, width: usize) {
    if titled {
        *out += &format!("\n  {}\n", paint.bold(&table.caption));
    }
    let mut rows = vec![table.head.iter().map(Cell::plain).collect::<Vec<_>>()];
    rows.extend(table.rows.iter().take(ROWS).cloned());
    fit(&mut rows, width);
    grid(out, paint, &rows);
    if table.rows.len() > ROWS {
        *out += &format!("  … and {} more\n", table.rows.len() - ROWS);
    }
}

/// Shortens the texts of the widest columns until a row fits.
fn fit(rows: &mut [Vec<Cell>], width: usize) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    loop {
        let widths: Vec<usize> = (0..columns)
            .map(|c| {
                let cells = rows.iter().filter_map(|r| r.get(c));
                cells
                    .map(|cell| cell.text.chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let whole = widths.iter().sum::<usize>() + 2 * columns;
        let Some((widest, most)) = widths.iter().copied().enumerate().max_by_key(|w| w.1) else {
            return;
        };
        if whole <= width || most <= 12 {
            return;
        }
        let limit = most.saturating_sub(whole - width).max(most * 2 / 3).max(12);
        for row in rows.iter_mut() {
            if let Some(cell) = row.get_mut(widest) {
                cell.text = shortened(&cell.text, limit);
            }
        }
    }
}
