//! The parity checks: `[[parity]]`.

use super::fields::{Fields, Located};
use super::names::{check_duplicates, check_name};
use super::{LogSource, Parity, ParityOutput};
use crate::diagnostic::Problem;
use std::path::PathBuf;

pub(super) fn read(root: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Vec<Parity> {
    let mut out = Vec::new();
    let mut names = Vec::new();
    for mut fields in root.tables("parity", problems) {
        let name = fields.required("name", problems);
        check_name(&name, "parity check", problems);
        let args = fields.strings("args", problems).unwrap_or_default();
        let output = output(&mut fields, problems);
        fields.finish("[[parity]]", problems);
        out.push(Parity {
            name: name.value.clone(),
            args: args.into_iter().map(|a| a.value).collect(),
            output,
        });
        names.push(name);
    }
    check_duplicates(&names, "parity check", problems);
    out
}

/// `reader = "junit"`, `logs = ["stderr", "results.xml"]`.
fn output(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> ParityOutput {
    let has_reader = fields.has("reader");
    let reader = fields.string("reader", problems);
    let node = fields.get("logs");
    let list = fields.strings("logs", problems);
    let logs = match (node, list) {
        (Some(node), Some(list)) => {
            let span = node.span();
            if node.get_ref().as_array().is_some_and(|a| a.is_empty()) {
                problems.push(Problem {
                    message: "a check reads at least one log".into(),
                    span: span.clone(),
                    label: "this list is empty".into(),
                    help: Some("without `logs`, stdout and stderr are read".into()),
                });
            }
            if !has_reader {
                problems.push(Problem {
                    message: "logs are compared by what a reader finds in them".into(),
                    span,
                    label: "`logs` without `reader`".into(),
                    help: Some("add `reader = \"auto\"`, or the reader's name".into()),
                });
            }
            sources(&list, problems)
        }
        // Absent, or of the wrong type, which has been said.
        _ => vec![LogSource::Stdout, LogSource::Stderr],
    };
    match reader {
        Some(reader) => ParityOutput::Events {
            reader: (reader.value != "auto").then_some(reader),
            logs,
        },
        None => ParityOutput::Bytes,
    }
}

fn sources(list: &[Located<String>], problems: &mut Vec<Problem>) -> Vec<LogSource> {
    let mut out = Vec::new();
    for log in list {
        let mut refuse = |message: String, label: &str, help: Option<&str>| {
            problems.push(Problem {
                message,
                span: log.span.clone(),
                label: label.into(),
                help: help.map(str::to_owned),
            });
        };
        let source = match log.value.as_str() {
            "" => {
                refuse("a log's path is empty".into(), "expected a path", None);
                continue;
            }
            "stdout" => LogSource::Stdout,
            "stderr" => LogSource::Stderr,
            path => LogSource::File(PathBuf::from(path)),
        };
        if out.contains(&source) {
            let help = "a log that is read twice would count each test twice";
            refuse(
                format!("the log `{source}` is named twice"),
                "named before",
                Some(help),
            );
        }
        out.push(source);
    }
    out
}
