//! What every report is made of, apart from how a format draws it.
//!
//! A [`Document`] has a heading and chapters, one for each thing it is about. A chapter
//! has a card (what came out) and parts; a part is a heading, a note and blocks. Whoever
//! has something to report builds a document; a writer ([`mod@write`]) draws any, so that all
//! formats say the same in the same words.
#![forbid(unsafe_code)]

mod block;
pub mod number;
pub mod svg;
mod table;
mod text;
pub mod wording;
pub mod write;

pub use block::{Block, Chart, Code, Entry, Fact, Figure, Weight};
pub use table::{Column, Effect, Row, Table, Value};
pub use text::{Span, Text};

use crate::wording::Tone;

/// How much a form has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// About a screen: what to do, and the numbers behind it.
    Brief,
    /// What fits a comment or a step summary.
    Middle,
    /// Everything, with charts.
    Full,
}

/// A report.
#[derive(Default)]
pub struct Document {
    /// What a window or a tab is called.
    pub title: String,
    /// What made it, and when.
    pub origin: Text,
    /// What it is about. Empty where a short form begins with what came out.
    pub heading: Text,
    /// The heading in more words. Not for a terminal.
    pub lead: String,
    /// A line for each chapter, for forms without cards side by side.
    pub overview: Option<Table>,
    /// Whether a page begins with the overview too, because there may be many chapters.
    /// Their cards then stand with their parts.
    pub overview_first: bool,
    /// The things it is about.
    pub chapters: Vec<Chapter>,
    /// The last line.
    pub footer: Text,
    /// Whether a page lets its reader sort the tables, by a script.
    pub sortable: bool,
}

/// One of the things that a report is about.
#[derive(Default)]
pub struct Chapter {
    /// What stands above its parts where there are several chapters.
    pub name: String,
    /// What came out.
    pub card: Option<Card>,
    /// All the rest, what matters most first.
    pub parts: Vec<Part>,
}

/// What came out, in a frame: `✓ GO: native`.
pub struct Card {
    /// A sign and a tint, which say the same as the word.
    pub sign: (&'static str, Tone),
    /// The word.
    pub word: Text,
    /// What it is about; empty if there is nothing more to say.
    pub about: Text,
    /// Why, and what to do.
    pub blocks: Vec<Block>,
}

/// A part: a heading and what is below it.
#[derive(Default)]
pub struct Part {
    /// Its anchor, which no other part of the document has.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// A few words beside the heading, on a terminal.
    pub aside: String,
    /// What it shows and what it does not, for whoever reads it the first time. Not for a
    /// terminal.
    pub note: Text,
    /// What it holds.
    pub blocks: Vec<Block>,
    /// Whether Markdown folds it away.
    pub folded: bool,
}

impl Part {
    /// A part with a heading and blocks alone.
    pub fn new(id: &str, title: impl Into<String>, blocks: Vec<Block>) -> Self {
        Self {
            id: id.to_owned(),
            title: title.into(),
            blocks,
            ..Self::default()
        }
    }

    /// The same with a note.
    pub fn note(self, note: impl Into<Text>) -> Self {
        let note = note.into();
        Self { note, ..self }
    }

    /// The same, folded in Markdown.
    pub fn folded(self) -> Self {
        Self {
            folded: true,
            ..self
        }
    }

    /// The same with a few words beside the heading, on a terminal.
    pub fn aside(self, aside: impl Into<String>) -> Self {
        let aside = aside.into();
        Self { aside, ..self }
    }

    /// Whether there is anything but charts, which only a page draws.
    pub fn has_text(&self) -> bool {
        !self.blocks.iter().all(|b| matches!(b, Block::Figures(_)))
    }
}
