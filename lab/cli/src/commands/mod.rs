//! One file for each command.

pub mod completions;
pub mod doctor;
pub mod history;
pub mod init;
pub mod report;
pub mod run;

use crate::args::{Format, Output};
use crate::say;
use anyhow::{Context, Result};
use karat_model::evidence::Evidence;
use std::path::Path;

/// An error with the exit code it leads to.
#[derive(Debug)]
pub struct Failed {
    /// The code.
    pub code: u8,
    /// What to tell.
    pub message: String,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failed {}

/// An error of a given exit code.
pub fn failed(code: u8, message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Failed {
        code,
        message: message.into(),
    })
}

/// The form that a file's ending asks for.
fn form_of(path: &Path) -> Result<karat_report::Format> {
    path.extension()
        .and_then(|e| karat_report::Format::from_extension(&e.to_string_lossy()))
        .ok_or_else(|| {
            failed(
                crate::exit::USAGE,
                format!(
                    "{}: cannot tell the form of the report; end the name in .html, .md, .json \
                     or .txt",
                    path.display()
                ),
            )
        })
}

/// Fails before any work when a `-o` file cannot be written in any known form.
pub fn check_outputs(output: &Output) -> Result<()> {
    output.files.iter().try_for_each(|f| form_of(f).map(drop))
}

/// Writes the report to stdout and to the `-o` files.
pub fn write_report(evidence: &Evidence, output: &Output) -> Result<()> {
    for path in &output.files {
        let text = karat_report::render(form_of(path)?, evidence, false, 100);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let color = output.format == Format::Human && say::color_on_stdout();
    let text = karat_report::render(output.format.into(), evidence, color, say::width());
    say::result(&text)?;
    Ok(())
}
