//! The scan for a terminal: a block for each class, then what was read.

use super::rows;
use crate::text::{Cell, Paint, grid, wrap};
use crate::wording::{Tone, shortened};
use karat_model::scan::{Class, Scan};
use std::fmt::Write as _;

/// Longest set of features that is printed whole.
const FEATURES: usize = 28;

/// Notes that are printed; JSON has all.
const NOTES: usize = 5;

/// Text in columns; sentences of at most `width` columns, 40 to 100.
#[must_use]
pub fn terminal(scan: &Scan, color: bool, width: usize) -> String {
    let width = width.clamp(40, 100);
    let paint = Paint { on: color };
    let mut out = String::new();
    for class in Class::ALL {
        block(&mut out, scan, class, paint, width);
    }
    if scan.sites.is_empty() {
        out.push_str("No place chooses by CPU features.\n\n");
    }
    wrap(&mut out, &rows::flags(scan), 0, width);
    wrap(&mut out, &rows::read(scan), 0, width);
    if let Some(text) = rows::left_out(scan) {
        wrap(&mut out, &text, 0, width);
    }
    for note in scan.notes.iter().take(NOTES) {
        let line = note
            .location
            .line
            .map_or(String::new(), |l| format!(":{l}"));
        let text = format!("{}{line}: {}", note.location.file, note.message);
        wrap(&mut out, &paint.dim(&text), 2, width);
    }
    if scan.notes.len() > NOTES {
        let _ = writeln!(out, "  and {} more files", scan.notes.len() - NOTES);
    }
    out.push_str("karat explain KS001 … KS006 says what to do.\n");
    out
}

fn block(out: &mut String, scan: &Scan, class: Class, paint: Paint, width: usize) {
    let rows = rows::rows(scan, class);
    let rest = rows::always_text(scan).filter(|_| class == Class::CompileTime);
    if rows.is_empty() && rest.is_none() {
        return;
    }
    let places: usize = rows.iter().map(|r| r.sites.len()).sum();
    let title = format!("{} {}: {places}", class.code(), rows::heading(class));
    let _ = writeln!(out, "{}", paint.bold(&title));
    wrap(out, rows::meaning(class), 0, width);
    if !rows.is_empty() {
        let mut head = vec!["package", "features", "under these flags", "place"];
        if scan.binary.is_some() {
            head.insert(3, "in the binary");
        }
        let mut table: Vec<Vec<Cell>> = vec![head.iter().map(Cell::plain).collect()];
        for row in &rows {
            let (flags, tone): (String, Tone) = row.under_flags();
            let mut cells = vec![
                Cell::plain(row.package()),
                Cell::plain(shortened(&row.features(), FEATURES)),
                Cell::toned(flags, tone),
                Cell::plain(row.place()),
            ];
            if scan.binary.is_some() {
                cells.insert(3, Cell::plain(row.in_binary()));
            }
            table.push(cells);
        }
        grid(out, paint, &table);
    }
    if let Some(text) = rest {
        wrap(out, &text, 2, width);
    }
    out.push('\n');
}
