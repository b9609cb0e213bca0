//! The report of an audit, in the forms that were asked for.

use crate::args::{self, AuditFormat};
use crate::commands::outputs;
use crate::{exit, say};
use anyhow::{Context, Result};
use karat_audit::checks;
use karat_model::audit_document::AuditDocument;
use karat_report::{Format, sarif};
use std::path::Path;

/// The form that a file's ending asks for.
fn form_of(path: &Path) -> Result<AuditFormat> {
    let ending = path.extension().map(|e| e.to_string_lossy());
    let ending = ending.as_deref().unwrap_or_default();
    Ok(match Format::from_extension(ending) {
        Some(Format::Human) => AuditFormat::Human,
        Some(Format::Markdown) => AuditFormat::Markdown,
        Some(Format::Html) => AuditFormat::Html,
        Some(Format::Json) => AuditFormat::Json,
        None if ending == "sarif" => AuditFormat::Sarif,
        None => {
            return Err(crate::commands::failed(
                exit::USAGE,
                format!(
                    "{}: cannot tell the form of the report; end the name in .html, .md, .json, \
                     .sarif or .txt",
                    path.display()
                ),
            ));
        }
    })
}

/// Fails before any work when a `-o` file cannot be written.
pub fn check(args: &args::Audit) -> Result<()> {
    outputs::check(&args.outputs, form_of).map(drop)
}

/// Writes the report to stdout and to the `-o` files.
pub fn write(args: &args::Audit, document: &AuditDocument) -> Result<()> {
    for path in &args.outputs {
        let text = render(form_of(path)?, document, false, 100);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let human = args.format == AuditFormat::Human;
    let color = human && say::color_on_stdout();
    // What failed has been said, and there is nothing else.
    if human && document.files.is_empty() {
        return Ok(());
    }
    say::result(&render(args.format, document, color, say::width()))?;
    Ok(())
}

fn render(form: AuditFormat, document: &AuditDocument, color: bool, width: usize) -> String {
    let format = match form {
        AuditFormat::Human => Format::Human,
        AuditFormat::Markdown => Format::Markdown,
        AuditFormat::Html => Format::Html,
        AuditFormat::Json => Format::Json,
        AuditFormat::Sarif => return sarif::render(&rules(), &document.findings),
    };
    karat_report::audit::render(format, document, color, width)
}

/// The checks, as SARIF's rules.
fn rules() -> Vec<sarif::Rule> {
    let rule = |check: &checks::Check| sarif::Rule {
        code: check.code,
        title: check.title,
        page: check.page(),
    };
    checks::ALL.iter().map(rule).collect()
}
