//! The formats by name, and the one call that renders any of them.

use crate::{Html, Json, Markdown, Terminal};
use karat_model::evidence::Evidence;
use std::fmt;
use std::str::FromStr;

/// Turns evidence into the text of a report.
pub trait Render {
    /// The whole report, ending in a newline.
    fn render(&self, evidence: &Evidence) -> String;
}

/// A report format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Plain text for a terminal, a screen or less.
    Human,
    /// GitHub-flavoured Markdown, fit for a step summary.
    Markdown,
    /// One self-contained page with everything in it.
    Html,
    /// The evidence itself.
    Json,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Human, Self::Markdown, Self::Html, Self::Json];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Json => "json",
        }
    }

    /// The usual ending of a file of this format, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Human => "txt",
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Json => "json",
        }
    }

    /// The format of a file with this ending (`md`, `html`, `json`, `txt`).
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.extension() == extension)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(
    /// The word.
    pub String,
);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        write!(
            f,
            "unknown format `{}`; known: {}",
            self.0,
            known.join(", ")
        )
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == word)
            .ok_or_else(|| UnknownFormat(word.to_owned()))
    }
}

/// Renders `evidence`. `color` and `width` (columns) are for
/// [`Format::Human`]; the other formats ignore them.
#[must_use]
pub fn render(format: Format, evidence: &Evidence, color: bool, width: usize) -> String {
    match format {
        Format::Human => Terminal { color, width }.render(evidence),
        Format::Markdown => Markdown.render(evidence),
        Format::Html => Html.render(evidence),
        Format::Json => Json.render(evidence),
    }
}
