//! GitHub-flavoured Markdown, small enough for a step summary (1 MiB).

use super::facts;
use super::part::{Block, Part, Table, Value};
use super::parts;
use super::widths::Widths;
use crate::markdown::write::{code, details, row, table as head, text};
use crate::number;
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::units::{self, grouped};

/// All of it.
pub fn render(document: &AuditDocument) -> String {
    let mut out = String::new();
    if document.files.len() > 1 {
        overview(&mut out, document);
    }
    for file in &document.files {
        one(&mut out, document, file);
    }
    for failed in &document.failed {
        out += &format!("\n## ✗ {}: not audited\n\n", code(&failed.path));
        out += &format!("{}\n", text(&failed.why));
    }
    let karat = text(&document.karat);
    out += &format!("\n<sub>karat {karat}, `karat audit`</sub>\n");
    out.trim_start().to_owned()
}

fn overview(out: &mut String, document: &AuditDocument) {
    let widths = Widths::of(document.files.iter().map(|f| &f.audit));
    let mut names = vec!["file", "code", "functions"];
    names.extend(widths.all().rev().map(|w| w.name));
    names.push("findings");
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    head(out, &names);
    for file in &document.files {
        let audit = &file.audit;
        let (sign, _, words) = facts::state(document, file);
        let count = |n| Value::Count(n).text();
        let mut cells = vec![
            code(&facts::name(document, file)),
            units::bytes(audit.code_bytes),
            count(audit.functions_total),
        ];
        let counts = widths.all().rev();
        cells.extend(counts.map(|w| count((w.of)(&audit.total))));
        cells.push(format!("{sign} {words}"));
        row(out, &cells);
    }
}

fn one(out: &mut String, document: &AuditDocument, file: &AuditedFile) {
    let (sign, _, words) = facts::state(document, file);
    let name = code(&facts::name(document, file));
    *out += &format!("\n## {sign} {name}: {words}\n\n");
    *out += &format!("{}\n", text(&facts::headline(&file.audit)));
    if let Some(growth) = facts::growth(document, file) {
        *out += &format!("\n{}\n", text(&growth));
    }
    for remark in facts::remarks(file) {
        *out += &format!("\n{}\n", text(&remark));
    }
    for part in parts::all(document, file) {
        let mut body = String::new();
        write(&mut body, &part);
        // What is wrong or new is open, the rest is folded.
        if matches!(part.id, "findings" | "growth" | "survival") {
            *out += &format!("\n### {}\n\n{}", text(&part.title), body.trim_start());
        } else {
            details(out, &part.title, &body);
        }
    }
}

fn write(out: &mut String, part: &Part) {
    if !part.note.is_empty() {
        *out += &format!("{}\n", part.note);
    }
    for block in &part.blocks {
        out.push('\n');
        match block {
            Block::Text(paragraph) => *out += &format!("{}\n", text(paragraph)),
            Block::Findings(entries) => {
                for e in entries {
                    let place = match e.place.is_empty() {
                        true => String::new(),
                        false => format!(" {}", code(&e.place)),
                    };
                    let message = text(&e.message);
                    *out += &format!("- **{}** {}{place}: {message}\n", e.severity.0, e.code);
                }
            }
            Block::Table(table) => self::table(out, table),
            Block::Map(_) => {}
        }
    }
}

fn table(out: &mut String, table: &Table) {
    let kept: Vec<usize> = (0..table.columns.len())
        .filter(|c| !table.columns[*c].wide)
        // A bar needs a page.
        .filter(|c| {
            !table
                .rows
                .iter()
                .any(|r| matches!(r.cells[*c], Value::Bar(..)))
        })
        .filter(|c| {
            let mut cells = table.rows.iter().map(|r| r.cells[*c].text());
            *c == 0 || cells.any(|text| !matches!(text.as_str(), "" | "=" | number::MISSING))
        })
        .collect();
    let right = |c: usize| table.rows.iter().any(|r| r.cells[c].is_number());
    let names: Vec<String> = kept.iter().map(|c| text(table.columns[*c].name)).collect();
    row(out, &names);
    let rules: Vec<String> = kept
        .iter()
        .map(|c| if right(*c) { "---:" } else { "---" }.to_owned())
        .collect();
    row(out, &rules);
    for line in table.rows.iter().take(table.brief) {
        let cells: Vec<String> = kept
            .iter()
            .map(|c| match &line.cells[*c] {
                Value::Code(name) => code(name),
                other => text(&other.text()),
            })
            .collect();
        row(out, &cells);
    }
    let more = table.rows.len().saturating_sub(table.brief) as u64 + table.more;
    if more > 0 {
        *out += &format!("\n<sub>and {} more</sub>\n", grouped(more));
    }
}
