//! The formats by name, what a report must be able to say, and the one call that renders
//! any report in any format.

use crate::document::{Detail, Document};
use crate::write::{html, junit, markdown, sarif, terminal};
use karat_model::finding::Finding;
use std::fmt;

/// A report format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Plain text for a terminal, a screen or less.
    Human,
    /// GitHub-flavoured Markdown, fit for a step summary.
    Markdown,
    /// All that was found, for programs.
    Json,
    /// One self-contained page with everything in it.
    Html,
    /// Findings with their places, for code hosts.
    Sarif,
    /// Test cases, for CI systems.
    Junit,
    /// A line for each figure.
    Csv,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 7] = [
        Self::Human,
        Self::Markdown,
        Self::Json,
        Self::Html,
        Self::Sarif,
        Self::Junit,
        Self::Csv,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// The usual ending of a file of this format, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        self.words().1
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Human => ("human", "txt"),
            Self::Markdown => ("markdown", "md"),
            Self::Json => ("json", "json"),
            Self::Html => ("html", "html"),
            Self::Sarif => ("sarif", "sarif"),
            Self::Junit => ("junit", "xml"),
            Self::Csv => ("csv", "csv"),
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The format of a file with this ending (`md`, `html`, `json`, `txt` …).
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

/// A format that there is not of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchReport {
    /// What was asked for.
    pub format: Format,
    /// Those that there are.
    pub known: &'static [Format],
}

impl fmt::Display for NoSuchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = self.known.iter().map(|f| f.name()).collect();
        let known = known.join(", ");
        write!(
            f,
            "there is no {} of this report; there are {known}",
            self.format
        )
    }
}

impl std::error::Error for NoSuchReport {}

/// What can be reported.
///
/// Human, Markdown and HTML are drawn from the document, JSON is the thing itself. The
/// other formats are of some things only, which name them in [`Report::FORMATS`].
pub trait Report {
    /// The formats that there are of it.
    const FORMATS: &'static [Format] =
        &[Format::Human, Format::Markdown, Format::Json, Format::Html];

    /// What is said, as far as a form has room for it.
    fn document(&self, detail: Detail) -> Document;

    /// All of it as JSON, ending in a newline; a committed schema says what it means.
    fn json(&self) -> String;

    /// The findings with a place in a file, for SARIF.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// Test cases, for JUnit: the command, and its suites.
    fn suites(&self) -> (&'static str, Vec<junit::Suite>) {
        ("karat", Vec::new())
    }

    /// A line for each figure.
    fn csv(&self) -> String {
        String::new()
    }
}

/// How a report is set.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Whether to emit colours on a terminal.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Whether a terminal shows the verdicts and their reasons alone.
    pub brief: bool,
    /// The kinds of findings, for SARIF.
    pub rules: &'a [sarif::Rule],
}

impl Default for Setting<'_> {
    /// As a file has it: no colours, 100 columns.
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
            brief: false,
            rules: &[],
        }
    }
}

/// Renders a report, ending in a newline.
///
/// # Errors
/// When there is no such format of it.
pub fn render<R: Report>(
    format: Format,
    report: &R,
    setting: Setting<'_>,
) -> Result<String, NoSuchReport> {
    offers::<R>(format)?;
    let document = |detail| report.document(detail);
    Ok(match format {
        Format::Human => {
            let mut document = document(Detail::Brief);
            if setting.brief {
                for chapter in &mut document.chapters {
                    chapter.parts.clear();
                }
            }
            terminal::render(&document, setting.color, setting.width)
        }
        Format::Markdown => markdown::render(&document(Detail::Middle)),
        Format::Html => html::render(&document(Detail::Full)),
        Format::Json => report.json(),
        Format::Sarif => sarif::render(setting.rules, &report.findings()),
        Format::Junit => {
            let (command, suites) = report.suites();
            junit::render(command, &suites)
        }
        Format::Csv => report.csv(),
    })
}

/// Whether there is such a format of a report.
///
/// # Errors
/// When there is not.
pub fn offers<R: Report>(format: Format) -> Result<(), NoSuchReport> {
    match R::FORMATS.contains(&format) {
        true => Ok(()),
        false => Err(NoSuchReport {
            format,
            known: R::FORMATS,
        }),
    }
}

/// The report as Markdown of less than 1 MB, which is what a step summary may have: long
/// tables are cut until it fits.
#[must_use]
pub fn step_summary<R: Report>(report: &R) -> String {
    markdown::step_summary(&report.document(Detail::Middle))
}

/// A value as JSON, indented, ending in a newline.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value);
    let mut text = text.expect("documents have string keys only, so they always serialise");
    text.push('\n');
    text
}
