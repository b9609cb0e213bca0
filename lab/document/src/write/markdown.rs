//! GitHub-flavoured Markdown, fit for a comment and a step summary.

use super::escape::{code, details, fence, row, text};
use crate::number;
use crate::wording::{self, Tone};
use crate::{
    Block, Card, Chapter, Code, Document, Effect, Entry, Fact, Part, Span, Table, Text, Value,
    Weight,
};
use karat_model::units::grouped;

/// What GitHub takes as one step's summary, in bytes: 1 MiB, from its documentation
/// of workflow commands; some is left for what a step writes besides.
const SUMMARY: usize = 1_000_000;

/// The document, and below 1 MB: long tables are cut until it fits.
pub fn step_summary(document: &Document) -> String {
    let mut rows = 1000;
    loop {
        let mut text = Writer { rows }.document(document);
        if text.len() <= SUMMARY {
            return text;
        }
        if rows == 0 {
            let end = (0..=SUMMARY).rev().find(|at| text.is_char_boundary(*at));
            text.truncate(end.unwrap_or(0));
            return text;
        }
        rows /= 4;
    }
}

/// The document.
pub fn render(document: &Document) -> String {
    Writer { rows: usize::MAX }.document(document)
}

/// Writes documents.
#[derive(Clone, Copy)]
struct Writer {
    /// Rows of a table at most.
    rows: usize,
}

impl Writer {
    fn document(self, document: &Document) -> String {
        let mut out = String::new();
        let single = match &document.chapters[..] {
            [chapter] => chapter.card.as_ref(),
            _ => None,
        };
        // What came out is said first.
        if let Some(card) = single {
            out += &format!("# {}\n\n{}\n", headline(card), spans(&document.heading));
        } else if !document.heading.is_empty() {
            out += &format!("# {}\n", spans(&document.heading));
        }
        if !document.lead.is_empty() {
            out += &format!("\n{}\n", text(&document.lead));
        }
        if let Some(card) = single {
            self.blocks(&mut out, &card.blocks, 2);
        }
        if let Some(overview) = &document.overview {
            out.push('\n');
            self.table(&mut out, overview);
        }
        for chapter in &document.chapters {
            self.chapter(&mut out, chapter, document.chapters.len() > 1);
        }
        if !document.footer.is_empty() {
            out += &format!("\n<sub>{}</sub>\n", spans(&document.footer));
        }
        out
    }

    fn chapter(self, out: &mut String, chapter: &Chapter, several: bool) {
        let level = if several { 3 } else { 2 };
        if let Some(card) = chapter.card.as_ref().filter(|_| several) {
            *out += &format!("\n## {}\n", headline(card));
            self.blocks(out, &card.blocks, level);
        }
        for part in chapter.parts.iter().filter(|p| p.has_text()) {
            self.part(out, part, level);
        }
    }

    fn part(self, out: &mut String, part: &Part, level: usize) {
        let mut body = String::new();
        if !part.note.is_empty() {
            body += &format!("\n{}\n", spans(&part.note));
        }
        self.blocks(&mut body, &part.blocks, level + 1);
        if part.folded {
            details(out, &part.title, body.trim_start());
        } else {
            let marks = "#".repeat(level);
            *out += &format!("\n{marks} {}\n{body}", text(&part.title));
        }
    }

    fn blocks(self, out: &mut String, blocks: &[Block], level: usize) {
        let several = Block::have_captions(blocks);
        for block in blocks {
            if block.is_empty() || matches!(block, Block::Figures(_)) {
                continue;
            }
            out.push('\n');
            match block {
                Block::Prose(Weight::Strong, text) => *out += &format!("**{}**\n", spans(text)),
                Block::Prose(Weight::Fine, text) => {
                    *out += &format!("<sub>{}</sub>\n", spans(text))
                }
                Block::Prose(_, text) => *out += &format!("{}\n", spans(text)),
                Block::List(_, items) | Block::Lines(items) => {
                    items
                        .iter()
                        .for_each(|i| *out += &format!("- {}\n", spans(i)));
                }
                Block::Row(items) => {
                    let items: Vec<String> = items.iter().map(spans).collect();
                    *out += &format!("{}\n", items.join(" · "));
                }
                Block::Findings(entries) => entries.iter().for_each(|e| finding(out, e)),
                Block::Table(table) => {
                    if several {
                        *out += &format!("{} {}\n\n", "#".repeat(level), text(&table.caption));
                    }
                    self.table(out, table);
                }
                Block::Facts(facts) => self::facts(out, facts),
                Block::Commands(commands) => *out += &fence("sh", &commands.join("\n")),
                Block::Code(code) => self::code_block(out, code),
                Block::Heading(text) => *out += &format!("{} {}\n", "#".repeat(level), spans(text)),
                Block::Details {
                    summary, blocks, ..
                } => {
                    let mut body = String::new();
                    self.blocks(&mut body, blocks, level);
                    out.pop();
                    details(out, summary, body.trim_start());
                }
                Block::Figures(_) => {}
            }
        }
    }

    fn table(self, out: &mut String, table: &Table) {
        let mut kept = table.kept(false);
        kept.retain(|c| !table.rows.iter().any(|r| is_bar(&r.cells[*c])));
        let names: Vec<String> = kept.iter().map(|c| text(&table.columns[*c].name)).collect();
        row(out, &names);
        let rule = |c: &usize| if table.is_right(*c) { "---:" } else { "---" }.to_owned();
        row(out, &kept.iter().map(rule).collect::<Vec<_>>());
        let shown = table.brief[1].min(self.rows);
        for line in table.rows.iter().take(shown) {
            let cells: Vec<String> = kept.iter().map(|c| cell(&line.cells[*c])).collect();
            row(out, &cells);
        }
        let more = table.rows.len().saturating_sub(shown) as u64 + table.more;
        if more > 0 {
            *out += &format!(
                "\n<sub>and {} more rows, in the JSON</sub>\n",
                grouped(more)
            );
        }
    }
}

/// A bar needs a page.
fn is_bar(value: &Value) -> bool {
    matches!(value, Value::Bar(..) | Value::Meter(..))
}

fn headline(card: &Card) -> String {
    let about = match card.about.is_empty() {
        true => String::new(),
        false => format!(": {}", spans(&card.about)),
    };
    format!("{} {}{about}", card.sign.0, spans(&card.word))
}

fn spans(text: &Text) -> String {
    let one = |span: &Span| match span {
        Span::Code(name) => code(name),
        Span::Strong(words) | Span::Toned(Tone::Bad, words) => format!("**{}**", self::text(words)),
        other => self::text(other.words()),
    };
    text.0.iter().map(one).collect()
}

fn cell(value: &Value) -> String {
    match value {
        Value::Code(name) => code(name),
        Value::Toned(Tone::Good | Tone::Bad, words) if !words.is_empty() => {
            format!("**{}**", text(words))
        }
        Value::Effect(effect) => self::effect(effect),
        Value::Stack(values) => {
            let mut cells = values.iter().filter(|v| !is_bar(v));
            let first = cells.next().map_or_else(String::new, cell);
            let rest: Vec<String> = cells.filter(|v| !v.is_silent()).map(cell).collect();
            match rest.is_empty() {
                true => first,
                false => format!("{first} ({})", rest.join(", ")),
            }
        }
        other => text(&other.text()),
    }
}

/// A narrow cell, for a table has as many columns as there are workloads.
fn effect(effect: &Effect) -> String {
    format!(
        "{} **{}**<br><sub>{}</sub>",
        wording::judgement_sign(effect.judgement),
        number::change(effect.speed.estimate),
        wording::bare_interval(&effect.speed)
    )
}

fn finding(out: &mut String, entry: &Entry) {
    *out += &format!("- **{} {}**", text(&entry.code), entry.severity.0);
    if !entry.place.is_empty() {
        *out += &format!(" {}", code(&entry.place));
    }
    if !entry.about.is_empty() {
        *out += &format!(" {}", text(&entry.about));
    }
    *out += &match entry.message.is_empty() {
        true => "\n".to_owned(),
        false => format!(": {}\n", text(&entry.message)),
    };
    for (about, message) in &entry.each {
        *out += &format!("  - {}: {}\n", text(about), text(message));
    }
}

fn facts(out: &mut String, facts: &[Fact]) {
    row(out, &[String::new(), String::new()]);
    row(out, &["---".to_owned(), "---".to_owned()]);
    for fact in facts {
        let said: Vec<String> = fact.said.iter().map(spans).collect();
        row(out, &[spans(&fact.name), said.join("<br>")]);
    }
}

fn code_block(out: &mut String, code: &Code) {
    *out += &fence(code.language, &code.text);
    if code.more > 0 {
        *out += &format!("\n… {} more lines in the JSON\n", code.more);
    }
}
