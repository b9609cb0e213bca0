//! Reports of soaks, and of two soaks side by side.
//!
//! They are made from [`Soak`] and [`SoakPair`](karat_model::soak::SoakPair) and from nothing else.

mod csv;
mod pair;
mod parts;
mod plots;
mod words;

pub use words::{spark, value};

use crate::document::{Block, Card, Chapter, Detail, Document, Text};
use crate::format::{Format, Report, json};
use crate::wording::{Tone, verdict, verdict_sign, verdict_tone};
use karat_model::soak::{Held, Soak};

impl Report for Soak {
    const FORMATS: &'static [Format] = &[
        Format::Human,
        Format::Markdown,
        Format::Json,
        Format::Html,
        Format::Csv,
    ];

    fn document(&self, detail: Detail) -> Document {
        let m = &self.machine;
        Document {
            title: format!("karat soak: {}", self.plan.program),
            origin: "karat soak".into(),
            heading: match detail {
                Detail::Brief => Text::default(),
                _ => Text::default().code(&self.plan.program),
            },
            lead: format!(
                "{} ({}), {} processors, {}; {}.",
                m.cpu, m.cpu_id, m.processors, m.kernel, self.started
            ),
            chapters: vec![Chapter {
                card: Some(card(self)),
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

    fn csv(&self) -> String {
        csv::csv(self)
    }
}

/// What came out.
fn card(soak: &Soak) -> Card {
    let blocks = vec![Block::text(words::about(soak))];
    let Some(word) = soak.verdict else {
        return Card {
            sign: ("–", Tone::Open),
            word: "no limits were declared".into(),
            about: "this is what was seen".into(),
            blocks,
        };
    };
    let held = |held| soak.budgets.iter().filter(|b| b.held == held).count();
    let why = match (held(Held::Broken), held(Held::Open), soak.complete) {
        (0, 0, true) => "all limits are held".to_owned(),
        (0, 0, false) => "its time was not over".to_owned(),
        (0, open, _) => format!("{open} of {} limits stay open", soak.budgets.len()),
        (broken, ..) => format!("{broken} of {} limits broken", soak.budgets.len()),
    };
    Card {
        sign: (verdict_sign(Some(word)), verdict_tone(Some(word))),
        word: verdict(Some(word)).into(),
        about: why.into(),
        blocks,
    }
}

#[cfg(test)]
mod tests;
