//! The report of an audit, in the forms that were asked for.

use crate::args;
use crate::commands::outputs;
use anyhow::Result;
use karat_audit::checks;
use karat_model::audit_document::AuditDocument;
use karat_report::{Format, Rule};

/// Writes the report to stdout and to the `-o` files.
pub fn write(args: &args::Audit, document: &AuditDocument) -> Result<()> {
    let rule = |check: &checks::Check| Rule {
        code: check.code,
        title: check.title,
        page: check.page(),
    };
    let rules: Vec<Rule> = checks::ALL.iter().map(rule).collect();
    // What failed has been said, and there is nothing else.
    if args.output.format == Format::Human && document.files.is_empty() {
        return outputs::files(&args.output, document, &rules);
    }
    outputs::write(&args.output, document, &rules)
}
