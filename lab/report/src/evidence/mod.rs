//! Reports of a run: what `karat run`, `karat ab` and `karat report` say.
//!
//! They are made from [`Evidence`] and from nothing else. Each part is one file in
//! `parts`; what several of them need stands in `tables`.

pub(crate) mod advice;
pub mod brief;
mod card;
mod parts;
pub(crate) mod tables;

use crate::document::{Chapter, Detail, Document, Text};
use crate::format::Report;
use karat_model::evidence::Evidence;

impl Report for Evidence {
    fn document(&self, detail: Detail) -> Document {
        let study = &self.study;
        let day = self.run.started.get(..10).unwrap_or(&self.run.started);
        let origin = Text::from("karat study ").code(&study.name);
        let heading = match detail {
            Detail::Brief => Text::from(format!("{}: {}", study.name, study.title)),
            Detail::Middle => Text::from("Study ")
                .code(&study.name)
                .plain(format!(": {}", study.title)),
            Detail::Full => study.title.clone().into(),
        };
        Document {
            title: format!("{} · {}", advice::headline(self), study.name),
            origin: origin.plain(format!(" · {day} · {}", self.machine.cpu)),
            heading,
            lead: match detail {
                Detail::Full => study.description.clone(),
                _ => String::new(),
            },
            chapters: vec![Chapter {
                card: Some(card::card(self)),
                parts: parts::all(self, detail),
                ..Chapter::default()
            }],
            footer: footer(self),
            ..Document::default()
        }
    }

    fn json(&self) -> String {
        let mut text = self.to_json();
        text.push('\n');
        text
    }
}

fn footer(evidence: &Evidence) -> Text {
    let run = &evidence.run;
    Text::from(format!("karat {} · run ", run.karat))
        .code(&run.id)
        .plain(" · every number, and every sample, is in ")
        .code("evidence.json")
        .plain(format!(" (schema {})", evidence.schema))
}
