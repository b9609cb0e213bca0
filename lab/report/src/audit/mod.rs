//! Reports of `karat audit`.
//!
//! Each part of a report is one file in `parts`: it turns what an audit found into
//! tables and sentences (`part.rs`), and is not there when there is nothing to
//! show. The formats (`terminal`, `markdown`, `html`) draw any part.

mod facts;
mod html;
mod markdown;
mod part;
mod parts;
mod terminal;
mod treemap;
mod widths;

use crate::Format;
use karat_model::audit_document::AuditDocument;

pub(crate) use html::table;
pub(crate) use parts::{by_function, differing};

/// Renders what `karat audit` found. `color` and `width` (columns) are for
/// [`Format::Human`]; the other formats ignore them.
#[must_use]
pub fn render(format: Format, document: &AuditDocument, color: bool, width: usize) -> String {
    match format {
        Format::Human => terminal::render(document, color, width),
        Format::Markdown => markdown::render(document),
        Format::Html => html::render(document),
        Format::Json => {
            let text = serde_json::to_string_pretty(document);
            let text = text.expect("the document has string keys only, so it always serialises");
            format!("{text}\n")
        }
    }
}
