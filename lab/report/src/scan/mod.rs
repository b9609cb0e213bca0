//! Reports of source scans: terminal, Markdown, JSON, and findings for SARIF.
//!
//! They are made from [`Scan`] and from nothing else, and all say the same (`rows`).

mod findings;
mod markdown;
mod rows;
mod terminal;
#[cfg(test)]
mod tests;

pub use findings::findings;
pub use markdown::markdown;
pub use terminal::terminal;

use karat_model::scan::Scan;

/// All of it as JSON, indented, ending in a newline.
#[must_use]
pub fn json(scan: &Scan) -> String {
    let mut text = serde_json::to_string_pretty(scan).expect("a scan always serialises");
    text.push('\n');
    text
}
