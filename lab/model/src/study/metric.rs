//! The `metric` of a workload.

use super::MetricSource;
use super::fields::{Fields, Located, table};
use crate::diagnostic::Problem;
use crate::units::Better;

/// Source, name, unit and direction.
type MetricParts = (MetricSource, String, String, Better);

/// The metric of one workload; CPU time when it names none.
pub(super) fn read(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> MetricParts {
    let cpu = || (MetricSource::Cpu, "cpu".into(), "s".into(), Better::Lower);
    let Some(node) = fields.get("metric") else {
        return cpu();
    };
    if let Some(word) = node.get_ref().as_str() {
        return match word {
            "cpu" => cpu(),
            "wall" => (MetricSource::Wall, "wall".into(), "s".into(), Better::Lower),
            _ => {
                problems.push(Problem {
                    message: format!("unknown metric `{word}`"),
                    span: node.span(),
                    label: "expected \"cpu\", \"wall\" or a table".into(),
                    help: Some(
                        "such as { json = \"value\", unit = \"GiB/s\", better = \"higher\" }"
                            .into(),
                    ),
                });
                cpu()
            }
        };
    }
    let Some(mut fields) = table(node, problems) else {
        return cpu();
    };
    let span = fields.span();
    let sources = [fields.has("json"), fields.has("regex")];
    let json = fields.string("json", problems);
    let regex = fields.string("regex", problems);
    let name = fields.string("name", problems);
    let unit = fields.present("unit", problems).value;
    let better = better(&mut fields, problems);
    fields.finish("a metric", problems);
    let (source, default_name) = match (json, regex) {
        (Some(key), None) => (MetricSource::Json(key.value.clone()), key.value),
        (None, Some(pattern)) => {
            check_regex(&pattern, problems);
            (MetricSource::Regex(pattern.value), "value".to_owned())
        }
        _ if sources[0] != sources[1] => return cpu(), // its type is wrong
        _ => {
            problems.push(Problem {
                message: "a metric has one source".into(),
                span,
                label: "give exactly one of `json` and `regex`".into(),
                help: None,
            });
            return cpu();
        }
    };
    let name = name.map_or(default_name, |n| n.value);
    (source, name, unit, better)
}

fn better(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Better {
    let word = fields.required("better", problems);
    match word.value.as_str() {
        "higher" => Better::Higher,
        "lower" | "" => Better::Lower,
        _ => {
            problems.push(Problem {
                message: format!("`better` cannot be `{}`", word.value),
                span: word.span,
                label: "expected \"higher\" or \"lower\"".into(),
                help: None,
            });
            Better::Lower
        }
    }
}

fn check_regex(pattern: &Located<String>, problems: &mut Vec<Problem>) {
    let mut fail = |message: String, label: String| {
        problems.push(Problem {
            message,
            span: pattern.span.clone(),
            label,
            help: Some("such as 'speed: (?<value>[0-9.]+) GiB/s'".into()),
        });
    };
    match regex_lite::Regex::new(&pattern.value) {
        Err(e) => fail("this is not a regular expression".into(), e.to_string()),
        Ok(regex) if !regex.capture_names().flatten().any(|n| n == "value") => {
            fail(
                "the metric's regular expression names no value".into(),
                "expected a group named `value`".into(),
            );
        }
        Ok(_) => {}
    }
}
