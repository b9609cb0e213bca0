//! Reports of soaks: terminal, one HTML page with plots, CSV of the epochs, JSON.
//!
//! They are made from [`Soak`] and from nothing else.

mod chart;
mod csv;
mod page;
mod pair;
mod terminal;
mod words;

pub use csv::csv;
pub use page::html;
pub use pair::pair;
pub use terminal::terminal;
pub use words::{spark, value};

use karat_model::soak::{Soak, SoakPair};

/// Forms of a soak's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For a terminal.
    Human,
    /// One self-contained page with plots.
    Html,
    /// All that was found.
    Json,
    /// The epochs, a line each.
    Csv,
}

impl Form {
    /// The form that a file's ending asks for.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            "txt" => Some(Self::Human),
            "html" | "htm" => Some(Self::Html),
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// The soak in a form; `color` and `width` are for terminals.
#[must_use]
pub fn render(form: Form, soak: &Soak, color: bool, width: usize) -> String {
    match form {
        Form::Human => terminal(soak, color, width),
        Form::Html => html(soak),
        Form::Json => json(soak),
        Form::Csv => csv(soak),
    }
}

/// All of it as JSON, indented.
#[must_use]
pub fn json(soak: &Soak) -> String {
    serde_json::to_string_pretty(soak).unwrap_or_default()
}

/// Two soaks as JSON, indented.
#[must_use]
pub fn pair_json(pair: &SoakPair) -> String {
    serde_json::to_string_pretty(pair).unwrap_or_default()
}

#[cfg(test)]
mod tests;
