//! Reports of a comparison of logs: terminal, Markdown, one HTML page, JSON, JUnit.
//!
//! They are made from [`LogComparison`] and from nothing else. What is said, and in
//! which order, is in `parts`; each form only sets it.

mod behaviour;
mod html;
mod junit;
mod markdown;
mod parts;
mod speed;
mod terminal;

pub use html::html;
pub(crate) use html::inside;
pub use junit::junit;
pub use markdown::{markdown, step_summary};
pub(crate) use parts::behaviour_of;
pub use terminal::terminal;

use karat_model::compare::LogComparison;

/// A form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Plain text for a terminal.
    Human,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// One self-contained page.
    Html,
    /// The whole comparison.
    Json,
    /// JUnit XML, for CI systems that show tests.
    Junit,
}

impl Form {
    /// The form of a file with this ending (`txt`, `md`, `html`, `json`, `xml`).
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "txt" => Self::Human,
            "md" => Self::Markdown,
            "html" => Self::Html,
            "json" => Self::Json,
            "xml" => Self::Junit,
            _ => return None,
        })
    }
}

/// Renders `found`. `color` and `width` (columns) are for [`Form::Human`].
#[must_use]
pub fn render(form: Form, found: &LogComparison, color: bool, width: usize) -> String {
    match form {
        Form::Human => terminal(found, color, width),
        Form::Markdown => markdown(found),
        Form::Html => html(found),
        Form::Json => json(found),
        Form::Junit => junit(found),
    }
}

/// The comparison as JSON, indented; what it says is defined by the committed schema.
#[must_use]
pub fn json(found: &LogComparison) -> String {
    let mut text = serde_json::to_string_pretty(found)
        .expect("a comparison has string keys only, so it always serialises");
    text.push('\n');
    text
}
