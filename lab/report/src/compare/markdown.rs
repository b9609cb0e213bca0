//! The report in Markdown, and cut to what GitHub takes as a step summary.

use super::parts::{Block, Table, headline, parts};
use crate::markdown::write::{details, row, table, text};
use crate::wording::Tone;
use karat_model::compare::LogComparison;

/// Rows of a table; all of them are in the JSON.
const ROWS: usize = 1000;

/// What GitHub takes as one step's summary, in bytes: 1 MiB, from its documentation
/// of workflow commands; some is left for what a step writes besides.
const SUMMARY: usize = 1_000_000;

/// The comparison as GitHub-flavoured Markdown.
#[must_use]
pub fn markdown(found: &LogComparison) -> String {
    written(found, ROWS)
}

/// The comparison as Markdown of less than 1 MB: long tables are cut until it fits.
#[must_use]
pub fn step_summary(found: &LogComparison) -> String {
    let mut rows = ROWS;
    loop {
        let mut text = written(found, rows);
        if text.len() <= SUMMARY {
            return text;
        }
        if rows == 0 {
            let mut end = SUMMARY;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            return text;
        }
        rows /= 4;
    }
}

fn written(found: &LogComparison, limit: usize) -> String {
    let mut out = String::from("# Before and after, compared\n\n");
    let (word, _) = headline(found);
    out += &format!(
        "## Verdict: {}\n\n{}\n",
        text(word),
        text(&found.verdict.summary)
    );
    for part in parts(found) {
        out += &format!("\n## {}\n", part.heading);
        for block in &part.blocks {
            match block {
                Block::Text(said) => out += &format!("\n{}\n", text(said)),
                Block::List(items) => {
                    out.push('\n');
                    for item in items {
                        out += &format!("- {}\n", text(item));
                    }
                }
                Block::Table(table) => put(&mut out, table, part.heading, limit),
            }
        }
    }
    out += &format!(
        "\n---\nkarat {} · schema {}\n",
        text(&found.karat),
        found.schema
    );
    out
}

fn put(out: &mut String, found: &Table, heading: &str, limit: usize) {
    let mut body = String::new();
    let head: Vec<String> = found.head.iter().map(|h| (*h).to_owned()).collect();
    table(&mut body, &head);
    for cells in found.rows.iter().take(limit) {
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| match (cell.tone, cell.text.is_empty()) {
                (Tone::Good | Tone::Bad, false) => format!("**{}**", text(&cell.text)),
                _ => text(&cell.text),
            })
            .collect();
        row(&mut body, &cells);
    }
    if found.rows.len() > limit {
        body += &format!(
            "\n… and {} more rows, in the JSON.\n",
            found.rows.len() - limit
        );
    }
    if found.folded {
        let summary = format!("{} ({})", found.caption, found.rows.len());
        details(out, &summary, &body);
    } else if found.caption == heading {
        *out += &format!("\n{body}");
    } else {
        *out += &format!("\n### {}\n\n{body}", text(&found.caption));
    }
}
