//! Text in which some words are names.

use crate::wording::Tone;

/// Words one after another.
#[derive(Clone, Default)]
pub struct Text(pub Vec<Span>);

/// A piece of a text.
#[derive(Clone)]
pub enum Span {
    /// Words.
    Plain(String),
    /// A name, a flag or a command.
    Code(String),
    /// Words that stand out.
    Strong(String),
    /// Words with a tint.
    Toned(Tone, String),
    /// Words that lead to an anchor of the same page.
    Link(String, String),
    /// What the first or the second colour of a bar means.
    Key(usize, String),
}

impl Span {
    /// The words.
    pub fn words(&self) -> &str {
        match self {
            Self::Plain(text)
            | Self::Code(text)
            | Self::Strong(text)
            | Self::Toned(_, text)
            | Self::Link(_, text)
            | Self::Key(_, text) => text,
        }
    }
}

impl Text {
    /// Then words.
    pub fn plain(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Plain(text.into()));
        self
    }

    /// Then a name.
    pub fn code(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Code(text.into()));
        self
    }

    /// Then words that stand out.
    pub fn strong(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Strong(text.into()));
        self
    }

    /// Then words with a tint.
    pub fn toned(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.0.push(Span::Toned(tone, text.into()));
        self
    }

    /// A name, a colon, and what is said of it.
    pub fn named(name: &str, text: impl Into<String>) -> Self {
        let text = format!(": {}", text.into());
        Self::default().code(name).plain(text)
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|span| span.words().is_empty())
    }

    /// The words alone.
    pub fn words(&self) -> String {
        self.0.iter().map(Span::words).collect()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::default().plain(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::default().plain(text)
    }
}
