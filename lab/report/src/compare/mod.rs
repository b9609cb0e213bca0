//! Reports of a comparison of logs.
//!
//! They are made from [`LogComparison`] and from nothing else. What is said, and in
//! which order, is in `parts`.

mod behaviour;
mod junit;
mod names;
mod parts;
mod speed;
mod spread;
mod tables;

pub(crate) use parts::behaviour_of;

use crate::document::{Block, Card, Chapter, Detail, Document, Text};
use crate::format::{Format, Report, json};
use crate::wording::Tone;
use crate::write::junit::Suite;
use karat_model::compare::LogComparison;

impl Report for LogComparison {
    const FORMATS: &'static [Format] = &[
        Format::Human,
        Format::Markdown,
        Format::Json,
        Format::Html,
        Format::Junit,
    ];

    fn document(&self, detail: Detail) -> Document {
        let (word, tone) = parts::headline(self);
        let sign = match tone {
            Tone::Good => "✓",
            Tone::Bad => "✗",
            Tone::Even => "=",
            Tone::Open => "?",
        };
        let brief = detail == Detail::Brief;
        let mut blocks = vec![Block::text(self.verdict.summary.clone())];
        if detail == Detail::Full {
            blocks.push(Block::list(self.verdict.reasons.iter().cloned()));
        }
        Document {
            title: format!("{word}: {} · karat compare", names::both(self)),
            origin: "karat compare".into(),
            heading: match brief {
                true => Text::default(),
                false => format!("Before and after, compared: {}", names::both(self)).into(),
            },
            chapters: vec![Chapter {
                card: Some(Card {
                    sign: (sign, tone),
                    word: word.into(),
                    about: Text::default(),
                    blocks,
                }),
                parts: parts::parts(self, detail),
                ..Chapter::default()
            }],
            footer: format!("karat {}, schema {}", self.karat, self.schema).into(),
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        json(self)
    }

    fn suites(&self) -> (&'static str, Vec<Suite>) {
        ("karat compare", junit::suites(self))
    }
}

/// What a parity check's outputs told, within the report of a run: tests, messages and
/// environment. Speed is that report's own matter.
pub(crate) fn inside(found: &LogComparison) -> Vec<Block> {
    let told = parts::parts(found, Detail::Full).into_iter();
    told.filter(|part| ["tests", "messages", "environment"].contains(&part.id.as_str()))
        .flat_map(|part| {
            let heading = part.title.trim_start_matches(|c: char| !c.is_alphabetic());
            let heading = Block::Heading(heading.into());
            std::iter::once(heading).chain(part.blocks)
        })
        .collect()
}
