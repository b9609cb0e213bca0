//! The short form for a terminal.

mod grid;
mod table;

use crate::wording::{Tone, shortened};
use crate::{Block, Card, Code, Document, Entry, Fact, Part, Text, Weight};
use grid::{Paint, cut, hang, wrap};
use karat_page::printable;

/// Least width that anything is set in.
const NARROW: usize = 40;
/// Least room for a name.
const NAME: usize = 16;
/// Findings that are printed.
const FINDINGS: usize = 20;
/// Commands that are printed.
const COMMANDS: usize = 4;

/// The document; `width` in columns.
pub fn render(document: &Document, color: bool, width: usize) -> String {
    let mut w = Writer {
        out: String::new(),
        paint: Paint { on: color },
        width: width.max(NARROW),
    };
    let heading = document.heading.words();
    if !heading.is_empty() {
        wrap(&mut w.out, &heading, 0, w.width);
    }
    if let Some(overview) = &document.overview {
        w.apart();
        w.table(overview);
    }
    for chapter in &document.chapters {
        if let Some(card) = &chapter.card {
            w.apart();
            w.card(card);
        }
        chapter.parts.iter().for_each(|part| w.part(part));
    }
    w.out
}

/// Collects lines.
struct Writer {
    out: String,
    paint: Paint,
    width: usize,
}

impl Writer {
    /// An empty line, but for the first.
    fn apart(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn card(&mut self, card: &Card) {
        let (sign, tone) = card.sign;
        let mut line = format!("{sign} {}", card.word.words());
        if !card.about.is_empty() {
            line += &format!(": {}", card.about.words());
        }
        let line = printable(&line).replace('\n', " ");
        self.line(&self.paint.bold(&self.paint.tone(tone, &line)));
        self.blocks(&card.blocks);
    }

    fn part(&mut self, part: &Part) {
        if !part.has_text() {
            return;
        }
        self.apart();
        if !part.title.is_empty() {
            self.title(&printable(&part.title), &printable(&part.aside));
        }
        self.blocks(&part.blocks);
    }

    /// A heading with an aside: beside it, or below where the line is too narrow.
    fn title(&mut self, title: &str, aside: &str) {
        let title = shortened(title, self.width);
        let mut line = self.paint.bold(&title);
        let beside = title.chars().count() + aside.chars().count() + 3 <= self.width;
        if beside && !aside.is_empty() {
            line += &self.paint.dim(&format!(" ({aside})"));
        }
        self.line(&line);
        if !beside {
            let mut below = String::new();
            wrap(&mut below, aside, 2, self.width);
            self.out += &self.paint.dim(&below);
        }
    }

    fn line(&mut self, text: &str) {
        self.out += text;
        self.out.push('\n');
    }

    fn blocks(&mut self, blocks: &[Block]) {
        let several = Block::have_captions(blocks);
        for (nth, block) in blocks.iter().enumerate() {
            match block {
                Block::Prose(weight, text) => self.prose(*weight, text),
                Block::List(_, items) => items.iter().for_each(|i| self.item(i)),
                Block::Row(items) => {
                    let items: Vec<String> = items.iter().map(Text::words).collect();
                    wrap(&mut self.out, &items.join(" · "), 2, self.width);
                }
                Block::Lines(items) => items
                    .iter()
                    .for_each(|i| cut(&mut self.out, &i.words(), 2, self.width)),
                Block::Findings(entries) => self.findings(entries),
                Block::Table(table) => {
                    if several {
                        let apart = if nth > 0 { "\n" } else { "" };
                        let caption = self.paint.bold(&printable(&table.caption));
                        self.line(&format!("{apart}  {caption}"));
                    }
                    self.table(table);
                }
                Block::Facts(facts) => facts.iter().for_each(|f| self.fact(f)),
                Block::Commands(commands) => self.commands(commands),
                Block::Code(code) => self.code(code),
                Block::Heading(text) => {
                    let heading = self.paint.bold(&printable(&text.words()));
                    self.line(&format!("\n  {heading}"));
                }
                Block::Details {
                    summary, blocks, ..
                } => {
                    wrap(&mut self.out, summary, 2, self.width);
                    self.blocks(blocks);
                }
                Block::Figures(_) => {}
            }
        }
    }

    fn prose(&mut self, weight: Weight, text: &Text) {
        let mut lines = String::new();
        wrap(&mut lines, &text.words(), 2, self.width);
        self.out += &match weight {
            Weight::Fine => self.paint.dim(&lines),
            Weight::Caveat => self.paint.tone(Tone::Open, &lines),
            _ => lines,
        };
    }

    fn item(&mut self, text: &Text) {
        hang(
            &mut self.out,
            &format!("- {}", text.words()),
            [2, 4],
            self.width,
        );
    }

    fn fact(&mut self, fact: &Fact) {
        let said: Vec<String> = fact.said.iter().map(Text::words).collect();
        let text = format!("{}: {}", fact.name.words(), said.join("; "));
        hang(&mut self.out, &text, [2, 4], self.width);
    }

    fn findings(&mut self, entries: &[Entry]) {
        for entry in entries.iter().take(FINDINGS) {
            let (word, tone) = entry.severity;
            let mut line = format!(
                "  {} {}",
                self.paint.tone(tone, word),
                printable(&entry.code)
            );
            if !entry.place.is_empty() {
                let room = self.width.saturating_sub(20).max(NAME);
                line += &format!(" {}", shortened(&printable(&entry.place), room));
            }
            self.line(&line);
            let message = match entry.about.is_empty() {
                true => entry.message.clone(),
                false => format!("{}: {}", entry.about, entry.message),
            };
            wrap(&mut self.out, &message, 4, self.width);
            for (about, message) in &entry.each {
                let text = format!("{about}: {message}");
                hang(&mut self.out, &text, [4, 6], self.width);
            }
        }
        if entries.len() > FINDINGS {
            let more = entries.len() - FINDINGS;
            self.line(&format!("  and {more} more (`--format json` has them all)"));
        }
    }

    fn commands(&mut self, commands: &[String]) {
        for command in commands.iter().take(COMMANDS) {
            self.line(&format!("    $ {}", printable(command).replace('\n', " ")));
        }
        if commands.len() > COMMANDS {
            let more = commands.len() - COMMANDS;
            self.line(&format!("    and {more} more in the report"));
        }
    }

    fn code(&mut self, code: &Code) {
        for line in printable(&code.text).lines() {
            self.line(&format!("    {line}"));
        }
        if code.more > 0 {
            self.line(&format!("    … {} more lines in the report", code.more));
        }
    }

    fn table(&mut self, table: &crate::Table) {
        table::write(&mut self.out, table, self.paint, self.width);
    }
}
