//! The `metric` of a workload: a word, a table, or a list of them.

use super::fields::{Fields, Located, Node, table};
use super::{Counter, MetricPlan, MetricSource};
use crate::diagnostic::{Problem, nearest};
use crate::units::{Better, Metric};
use std::path::PathBuf;

/// Words for metrics that need no further description.
#[must_use]
pub fn words() -> Vec<&'static str> {
    let mut words = vec!["cpu", "wall", "rss", "page-faults", "cachegrind"];
    words.extend(Counter::ALL.map(Counter::word));
    words
}

/// The metric that a word stands for; all of them are better when lower.
#[must_use]
pub fn of_word(word: &str) -> Option<MetricPlan> {
    let (source, unit) = match word {
        "cpu" => (MetricSource::Cpu, "s"),
        "wall" => (MetricSource::Wall, "s"),
        "rss" => (MetricSource::Rss, "B"),
        "page-faults" => (MetricSource::Faults, "faults"),
        "cachegrind" => (MetricSource::Cachegrind, "instructions"),
        _ => {
            let counter = Counter::ALL.into_iter().find(|c| c.word() == word)?;
            (MetricSource::Counter(counter), "events")
        }
    };
    Some(MetricPlan {
        source,
        metric: Metric {
            name: word.to_owned(),
            unit: unit.to_owned(),
            better: Better::Lower,
        },
    })
}

/// The metrics of one workload; CPU time when it names none.
pub(super) fn read(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Vec<MetricPlan> {
    let cpu = || of_word("cpu").into_iter().collect();
    let Some(node) = fields.get("metric") else {
        return cpu();
    };
    let Some(list) = node.get_ref().as_array() else {
        return one(node, problems).map_or_else(cpu, |m| vec![m]);
    };
    let mut out: Vec<MetricPlan> = Vec::new();
    for node in list.iter() {
        let Some(plan) = one(node, problems) else {
            continue;
        };
        if out.iter().any(|m| m.metric.name == plan.metric.name) {
            problems.push(Problem {
                message: format!("two metrics are called `{}`", plan.metric.name),
                span: node.span(),
                label: "this name is taken".into(),
                help: Some("give one of them another `name`".into()),
            });
        }
        out.push(plan);
    }
    if list.is_empty() {
        problems.push(Problem {
            message: "a workload is judged by at least one metric".into(),
            span: node.span(),
            label: "this list is empty".into(),
            help: None,
        });
    }
    out
}

fn one(node: &Node<'_>, problems: &mut Vec<Problem>) -> Option<MetricPlan> {
    let Some(word) = node.get_ref().as_str() else {
        return of_table(table(node, problems)?, problems);
    };
    let plan = of_word(word);
    if plan.is_none() {
        let words = words();
        problems.push(Problem {
            message: format!("unknown metric `{word}`"),
            span: node.span(),
            label: format!("expected {} or a table", words.join(", ")),
            help: Some(match nearest(word, &words) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "such as { json = \"value\", unit = \"GiB/s\", better = \"higher\" }".into()
                }
            }),
        });
    }
    plan
}

fn of_table(mut fields: Fields<'_, '_>, problems: &mut Vec<Problem>) -> Option<MetricPlan> {
    let span = fields.span();
    let given = ["json", "regex", "output"].map(|key| fields.has(key));
    if given.iter().filter(|g| **g).count() != 1 {
        problems.push(Problem {
            message: "a metric has one source".into(),
            span,
            label: "give exactly one of `json`, `regex` and `output`".into(),
            help: None,
        });
    } else if given[2] {
        return output(fields, problems);
    }
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
        _ => return None, // its type is wrong, or it has none: that has been said
    };
    Some(MetricPlan {
        source,
        metric: Metric {
            name: name.map_or(default_name, |n| n.value),
            unit,
            better,
        },
    })
}

/// `{ output = "criterion", path = "target/criterion" }`
fn output(mut fields: Fields<'_, '_>, problems: &mut Vec<Problem>) -> Option<MetricPlan> {
    let tool = fields.string("output", problems)?;
    let path = fields.string("path", problems);
    fields.finish("a metric", problems);
    let named = tool.value != "auto";
    Some(MetricPlan {
        metric: Metric {
            name: tool.value.clone(),
            unit: String::new(),
            better: Better::Lower,
        },
        source: MetricSource::Output {
            tool: named.then_some(tool.value),
            path: path.map(|p| PathBuf::from(p.value)),
        },
    })
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

/// What is wrong with a metric's regular expression: its message and its detail.
///
/// # Errors
/// When it is none, or has no group called `value`.
pub fn check_pattern(pattern: &str) -> Result<(), (&'static str, String)> {
    match regex_lite::Regex::new(pattern) {
        Err(e) => Err(("this is not a regular expression", e.to_string())),
        Ok(regex) if !regex.capture_names().flatten().any(|n| n == "value") => Err((
            "the metric's regular expression names no value",
            "expected a group named `value`".into(),
        )),
        Ok(_) => Ok(()),
    }
}

fn check_regex(pattern: &Located<String>, problems: &mut Vec<Problem>) {
    if let Err((message, label)) = check_pattern(&pattern.value) {
        problems.push(Problem {
            message: message.into(),
            span: pattern.span.clone(),
            label,
            help: Some("such as 'speed: (?<value>[0-9.]+) GiB/s'".into()),
        });
    }
}
