//! The pieces of a part.

use super::{Table, Text};
use crate::svg::curves::Curves;
use crate::svg::forest::Forest;
use crate::svg::map::Map;
use crate::svg::over_time::OverTime;
use crate::svg::run_order::RunOrder;
use crate::wording::Tone;

/// A piece of a part.
pub enum Block {
    /// A paragraph.
    Prose(Weight, Text),
    /// A list.
    List(Weight, Vec<Text>),
    /// Short facts side by side.
    Row(Vec<Text>),
    /// Lines that a terminal cuts where its width ends.
    Lines(Vec<Text>),
    /// Facts worth attention.
    Findings(Vec<Entry>),
    /// A table.
    Table(Table),
    /// Names, and what is said of each.
    Facts(Vec<Fact>),
    /// Commands to type.
    Commands(Vec<String>),
    /// Text as it is, line by line.
    Code(Code),
    /// Charts; drawn on a page only.
    Figures(Vec<Figure>),
    /// A heading inside of the part.
    Heading(Text),
    /// What is folded away where that can be.
    Details {
        /// Its anchor, or empty.
        id: String,
        /// What is in it, in a line.
        summary: String,
        /// Whether a page shows it open.
        open: bool,
        /// What it holds.
        blocks: Vec<Block>,
    },
}

/// How much a paragraph or a list stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// What is to be done.
    Strong,
    /// What is said.
    Plain,
    /// How to read what follows.
    Note,
    /// What makes other figures weaker.
    Caveat,
    /// What few ask for.
    Fine,
}

/// A fact worth attention.
pub struct Entry {
    /// Its severity's word and tint.
    pub severity: (&'static str, Tone),
    /// The check.
    pub code: String,
    /// Function, workload or file, or empty.
    pub place: String,
    /// The variants it is about, or empty.
    pub about: String,
    /// What was found; empty where `each` says it.
    pub message: String,
    /// What was found of each variant, where that differs.
    pub each: Vec<(String, String)>,
}

/// A name, and what is said of it.
pub struct Fact {
    /// The name.
    pub name: Text,
    /// A paragraph for each thing said.
    pub said: Vec<Text>,
}

impl Fact {
    /// One thing said of a name.
    pub fn new(name: impl Into<Text>, said: impl Into<Text>) -> Self {
        Self {
            name: name.into(),
            said: vec![said.into()],
        }
    }
}

/// Text as it is.
pub struct Code {
    /// What it is written in, as Markdown calls it.
    pub language: &'static str,
    /// The text.
    pub text: String,
    /// Lines left away behind it.
    pub more: usize,
}

impl Code {
    /// The first lines of a text.
    pub fn first(language: &'static str, text: &str, limit: usize) -> Self {
        let (text, more) = crate::wording::first_lines(text, limit);
        Self {
            language,
            text,
            more,
        }
    }
}

/// A chart with its title.
pub struct Figure {
    /// What stands above it; empty where its place says it.
    pub title: String,
    /// What is drawn.
    pub chart: Chart,
}

/// What can be drawn.
pub enum Chart {
    /// Areas in proportion to counts.
    Map(Map),
    /// Points with their intervals.
    Forest(Forest),
    /// Samples by time.
    RunOrder(RunOrder),
    /// Throughput by size.
    Curves(Curves),
    /// A figure by time.
    OverTime(OverTime),
}

impl Block {
    /// A paragraph.
    pub fn text(text: impl Into<Text>) -> Self {
        Self::Prose(Weight::Plain, text.into())
    }

    /// A paragraph that says how to read what follows.
    pub fn note(text: impl Into<Text>) -> Self {
        Self::Prose(Weight::Note, text.into())
    }

    /// A paragraph that few ask for.
    pub fn fine(text: impl Into<Text>) -> Self {
        Self::Prose(Weight::Fine, text.into())
    }

    /// A paragraph that makes other figures weaker.
    pub fn caveat(text: impl Into<Text>) -> Self {
        Self::Prose(Weight::Caveat, text.into())
    }

    /// A list.
    pub fn list<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(Weight::Plain, items.into_iter().map(Into::into).collect())
    }

    /// What is folded away, under a line that says what it is.
    pub fn details(summary: impl Into<String>, blocks: Vec<Self>) -> Self {
        Self::Details {
            id: String::new(),
            summary: summary.into(),
            open: false,
            blocks,
        }
    }

    /// Whether tables say their captions: where there are several, and no headings do.
    pub fn have_captions(blocks: &[Self]) -> bool {
        let tables = blocks.iter().filter(|b| matches!(b, Self::Table(_)));
        let headed = blocks.iter().any(|b| matches!(b, Self::Heading(_)));
        tables.count() > 1 && !headed
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Prose(_, text) => text.is_empty(),
            Self::List(_, items) | Self::Row(items) | Self::Lines(items) => items.is_empty(),
            Self::Facts(facts) => facts.is_empty(),
            _ => false,
        }
    }

    /// One chart without a title.
    pub fn chart(chart: Chart) -> Self {
        let title = String::new();
        Self::Figures(vec![Figure { title, chart }])
    }
}
