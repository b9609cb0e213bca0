//! The scan in Markdown, for pull requests and CI summaries.

use super::rows;
use crate::markdown::write::{code, row, table, text};
use karat_model::scan::{Class, Scan};

/// A heading, a table for each class, and what was read.
#[must_use]
pub fn markdown(scan: &Scan) -> String {
    let mut out = String::from("# Where the sources choose by CPU features\n\n");
    out += &format!("{} {}\n", text(&rows::flags(scan)), text(&rows::read(scan)));
    for class in Class::ALL {
        let rows = rows::rows(scan, class);
        let rest = rows::always_text(scan).filter(|_| class == Class::CompileTime);
        if rows.is_empty() && rest.is_none() {
            continue;
        }
        let places: usize = rows.iter().map(|r| r.sites.len()).sum();
        let title = format!("{} {}: {places}", class.code(), rows::heading(class));
        out += &format!("\n## {}\n\n{}\n", text(&title), text(rows::meaning(class)));
        if !rows.is_empty() {
            out.push('\n');
            let mut head = vec!["package", "features", "under these flags", "place"];
            if scan.binary.is_some() {
                head.insert(3, "in the binary");
            }
            let head: Vec<String> = head.into_iter().map(str::to_owned).collect();
            table(&mut out, &head);
            for line in &rows {
                let mut cells = vec![
                    text(&line.package()),
                    text(&line.features()),
                    text(&line.under_flags().0),
                    code(&line.place()),
                ];
                if scan.binary.is_some() {
                    cells.insert(3, text(&line.in_binary()));
                }
                row(&mut out, &cells);
            }
        }
        if let Some(rest) = rest {
            out += &format!("\n{}\n", text(&rest));
        }
    }
    if let Some(left) = rows::left_out(scan) {
        out += &format!("\n{}\n", text(&left));
    }
    if !scan.notes.is_empty() {
        out += "\n## Not scanned\n\n";
        for note in &scan.notes {
            let line = note
                .location
                .line
                .map_or(String::new(), |l| format!(":{l}"));
            let place = format!("{}{line}", note.location.file);
            out += &format!("- {}: {}\n", code(&place), text(&note.message));
        }
    }
    out
}
