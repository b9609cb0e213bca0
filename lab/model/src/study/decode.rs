//! From TOML to a [`Study`], collecting every problem on the way.

use super::audit;
use super::builder::BuildKeys;
use super::fields::{Fields, Located};
use super::metric;
use super::names::{check_duplicates, check_name, unknown_name};
use super::quantity;
use super::{
    Budget, DEFAULT_SECONDS, Expect, Layouts, MOST_ROUNDS, MaxTime, Measure, MetricPlan, Study,
    Variant, Workload, pairs, parity, soak, surroundings,
};
use crate::diagnostic::{Problem, nearest};
use std::ops::Range;
use toml::de::DeTable;

/// Longest time one run may take unless the study says otherwise.
const DEFAULT_TIMEOUT: f64 = 60.0;

pub(super) fn study(source: &str) -> Result<Study, Vec<Problem>> {
    let table = DeTable::parse(source).map_err(|e| {
        vec![Problem {
            message: "this is not TOML".into(),
            span: e.span().unwrap_or(0..0),
            label: e.message().to_owned(),
            help: None,
        }]
    })?;
    let mut problems = Vec::new();
    // Problems of the whole file are shown at its first line.
    let first_line = 0..source.find('\n').unwrap_or(source.len());
    let study = read(
        Fields::new(table.get_ref(), first_line),
        source,
        &mut problems,
    );
    problems.sort_by_key(|p| (p.span.start, p.span.end));
    match study {
        Some(study) if problems.is_empty() => Ok(study),
        _ => Err(problems),
    }
}

fn read(mut root: Fields<'_, '_>, source: &str, problems: &mut Vec<Problem>) -> Option<Study> {
    let top = root.span();
    let schema = root.integer("schema", 0..=u32::MAX, problems);
    match (schema, root.get("schema")) {
        (Some(1), _) => {}
        (Some(other), Some(node)) => problems.push(Problem {
            message: format!("schema {other} is not known to this karat"),
            span: node.span(),
            label: "this karat reads `schema = 1`".into(),
            help: None,
        }),
        (None, Some(_)) => {} // reported as a wrong type or out of range
        (_, None) => problems.push(root.missing("schema")),
    }
    let name = root.required("name", problems);
    check_name(&name, "study", problems);
    let title = root.string("title", problems);
    let description = root.string("description", problems);
    let baseline = root.required("baseline", problems);
    let named = root.get("candidate").is_some();
    let candidate = named.then(|| root.required("candidate", problems));

    let subject = match root.table("subject", problems) {
        Some(mut fields) => {
            let keys = BuildKeys::read(&mut fields, problems);
            fields.finish("[subject]", problems);
            keys
        }
        None => BuildKeys::default(),
    };
    let (variants, names) = variants(&mut root, &subject, source, problems);
    let budget = match root.table("budget", problems) {
        Some(mut fields) => {
            let budget = Budget {
                clean: duration(&mut fields, "clean", problems),
                cached: duration(&mut fields, "cached", problems),
                smoke: duration(&mut fields, "smoke", problems),
            };
            fields.finish("[budget]", problems);
            budget
        }
        None => Budget::default(),
    };
    let bloat = audit::read(root.table("audit", problems), problems);
    let (measure, margin) = measure(root.table("measure", problems), problems);
    let workloads = workloads(&mut root, margin, problems);
    let parity = parity::read(&mut root, problems);
    let expect = expect(&mut root, &workloads, problems);
    let soak = soak::read(root.table("soak", problems), &workloads, problems);
    let baseline = find_variant(&baseline, &names, "baseline", problems);
    let pairs = pairs::read(&mut root, &names, baseline, problems);
    root.finish("a study", problems);

    if variants.len() < 2 && problems.is_empty() {
        problems.push(Problem {
            message: "a study compares at least two variants".into(),
            span: top,
            label: format!("{} [[variant]] in this file", variants.len()),
            help: None,
        });
    }
    let candidate = candidate.map(|c| find_variant(&c, &names, "candidate", problems));
    if let (Some(b), Some(Some(c))) = (baseline, candidate)
        && b == c
    {
        problems.push(Problem {
            message: "the candidate is the baseline".into(),
            span: names[c].span.clone(),
            label: "this variant is both".into(),
            help: None,
        });
    }
    Some(Study {
        title: title.map_or_else(|| name.value.clone(), |t| t.value),
        name: name.value,
        description: description.map(|d| d.value).unwrap_or_default(),
        baseline: baseline?,
        candidate: candidate.flatten(),
        variants,
        pairs,
        workloads,
        parity,
        expect,
        bloat,
        measure,
        budget,
        soak,
    })
}

fn find_variant(
    name: &Located<String>,
    names: &[Located<String>],
    key: &str,
    problems: &mut Vec<Problem>,
) -> Option<usize> {
    // An empty name and a file without variants are problems of their own.
    if name.value.is_empty() || names.is_empty() {
        return None;
    }
    let found = names.iter().position(|n| n.value == name.value);
    if found.is_none() {
        let known: Vec<&str> = names.iter().map(|n| n.value.as_str()).collect();
        problems.push(unknown_name(name, key, "variant", &known));
    }
    found
}

/// The variants, and the names of all that the file writes: a variant with a
/// problem of its own still has a name that others may refer to.
fn variants(
    root: &mut Fields<'_, '_>,
    subject: &BuildKeys,
    source: &str,
    problems: &mut Vec<Problem>,
) -> (Vec<Variant>, Vec<Located<String>>) {
    let mut out = Vec::new();
    let mut names = Vec::new();
    // The kinds of builder that the variants have, and whether each has one.
    let (mut kinds, mut understood) = (Vec::new(), true);
    for mut fields in root.tables("variant", problems) {
        let name = fields.required("name", problems);
        check_name(&name, "variant", problems);
        let why = fields.string("why", problems);
        let requires = fields.strings("requires", problems).unwrap_or_default();
        for isa in &requires {
            check_isa(isa, problems);
        }
        let args = fields.strings("args", problems).unwrap_or_default();
        let run = surroundings::of_variant(&mut fields, problems);
        let span = header_line(&fields.span(), source);
        let keys = BuildKeys::read(&mut fields, problems);
        fields.finish("[[variant]]", problems);
        names.push(name.clone());
        let keys = keys.over(subject);
        match keys.kind() {
            Some(kind) => {
                keys.without_effect(&[kind], problems);
                kinds.push(kind);
            }
            None => understood = false,
        }
        let Some(builder) = keys.builder(&span, problems) else {
            continue;
        };
        out.push(Variant {
            name,
            why: why.map(|w| w.value).unwrap_or_default(),
            requires: requires.into_iter().map(|r| r.value).collect(),
            builder,
            args: args.into_iter().map(|a| a.value).collect(),
            run,
        });
    }
    check_duplicates(&names, "variant", problems);
    kinds.sort_unstable();
    kinds.dedup();
    if understood && !kinds.is_empty() {
        subject.without_effect(&kinds, problems);
    }
    (out, names)
}

/// The first line of a table: a caret under thirty lines teaches nothing.
fn header_line(span: &Range<usize>, source: &str) -> Range<usize> {
    let rest = &source[span.start..span.end];
    span.start..span.start + rest.find('\n').unwrap_or(rest.len())
}

fn check_isa(isa: &Located<String>, problems: &mut Vec<Problem>) {
    if karat_cpu::Isa::named(&isa.value).is_some() {
        return;
    }
    let known: Vec<&str> = karat_cpu::Isa::all().map(karat_cpu::Isa::name).collect();
    problems.push(Problem {
        message: format!("unknown ISA `{}`", isa.value),
        span: isa.span.clone(),
        label: "rustc has no such target feature that karat can detect".into(),
        help: nearest(&isa.value, &known).map(|n| format!("did you mean `{n}`?")),
    });
}

fn measure(fields: Option<Fields<'_, '_>>, problems: &mut Vec<Problem>) -> (Measure, Located<f64>) {
    let mut measure = Measure {
        max_rounds: MOST_ROUNDS,
        time: MaxTime::Seconds(DEFAULT_SECONDS),
        warmup: 1,
        pin: true,
        layouts: Layouts::Auto,
    };
    let mut margin_value = Located {
        value: 0.01,
        span: 0..0,
    };
    if let Some(mut fields) = fields {
        if let Some(rounds) = fields.integer("max-rounds", 4..=MOST_ROUNDS, problems) {
            measure.max_rounds = rounds;
        }
        if let Some(warmup) = fields.integer("warmup", 0..=100, problems) {
            measure.warmup = warmup;
        }
        if let Some(pin) = fields.boolean("pin", problems) {
            measure.pin = pin;
        }
        if let Some(time) = max_time(&mut fields, problems) {
            measure.time = time;
        }
        if let Some(value) = layouts(&mut fields, problems) {
            measure.layouts = value;
        }
        if let Some(value) = margin(&mut fields, problems) {
            margin_value = value;
        }
        fields.finish("[measure]", problems);
    }
    (measure, margin_value)
}

fn max_time(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Option<MaxTime> {
    let node = fields.get("max-time")?;
    if node.get_ref().as_str() == Some("auto") {
        return Some(MaxTime::Auto);
    }
    duration(fields, "max-time", problems).map(MaxTime::Seconds)
}

fn layouts(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Option<Layouts> {
    let node = fields.get("layouts")?;
    if node.get_ref().as_str() == Some("auto") {
        return Some(Layouts::Auto);
    }
    if node.get_ref().as_integer().is_some() {
        let count = fields.integer("layouts", 1..=64, problems)?;
        return Some(Layouts::Count(count));
    }
    problems.push(Problem {
        message: "`layouts` is neither a number nor \"auto\"".into(),
        span: node.span(),
        label: "expected \"auto\" or 1 to 64".into(),
        help: Some("1 measures the linker's own layout only".into()),
    });
    None
}

fn margin(fields: &mut Fields<'_, '_>, problems: &mut Vec<Problem>) -> Option<Located<f64>> {
    let text = fields.string("margin", problems)?;
    let value = quantity::margin(&text.value);
    if value.is_none() {
        problems.push(Problem {
            message: format!("impossible margin `{}`", text.value),
            span: text.span.clone(),
            label: "expected more than 0 % and at most 50 %".into(),
            help: Some(match quantity::percent_meant(&text.value) {
                Some(meant) => format!("did you mean \"{meant}\"?"),
                None => {
                    "the margin is the smallest change that matters to you, such as \"1%\"".into()
                }
            }),
        });
    }
    Some(Located {
        value: value?,
        span: text.span,
    })
}

fn duration(
    fields: &mut Fields<'_, '_>,
    key: &'static str,
    problems: &mut Vec<Problem>,
) -> Option<f64> {
    let text = fields.string(key, problems)?;
    let value = quantity::duration(&text.value);
    if value.is_none() {
        problems.push(Problem {
            message: format!("`{key}` is not a duration"),
            span: text.span,
            label: "expected such as \"10 s\", \"500 ms\" or \"2 min\"".into(),
            help: None,
        });
    }
    value
}

fn workloads(
    root: &mut Fields<'_, '_>,
    default_margin: Located<f64>,
    problems: &mut Vec<Problem>,
) -> Vec<Workload> {
    let mut out = Vec::new();
    let mut names = Vec::new();
    for mut fields in root.tables("workload", problems) {
        let name = fields.required("name", problems);
        check_name(&name, "workload", problems);
        let why = fields.string("why", problems);
        let args = fields.strings("args", problems).unwrap_or_default();
        let margin = margin(&mut fields, problems).map_or(default_margin.value, |m| m.value);
        let timeout = duration(&mut fields, "timeout", problems).unwrap_or(DEFAULT_TIMEOUT);
        let run = surroundings::read(&mut fields, problems);
        let metrics = metric::read(&mut fields, problems);
        let null_stdout = null_stdout(&mut fields, &metrics, problems);
        fields.finish("[[workload]]", problems);
        names.push(name.clone());
        out.push(Workload {
            name: name.value,
            why: why.map(|w| w.value).unwrap_or_default(),
            args: args.into_iter().map(|a| a.value).collect(),
            run,
            null_stdout,
            metrics,
            margin,
            timeout,
        });
    }
    check_duplicates(&names, "workload", problems);
    out
}

/// `stdout = "null"`.
fn null_stdout(
    fields: &mut Fields<'_, '_>,
    metrics: &[MetricPlan],
    problems: &mut Vec<Problem>,
) -> bool {
    let Some(text) = fields.string("stdout", problems) else {
        return false;
    };
    let reads = metrics.iter().find(|m| m.source.is_on_stdout());
    let (message, label) = match (text.value.as_str(), reads) {
        ("null", None) => return true,
        ("null", Some(metric)) => (
            format!("the metric `{}` is read from stdout", metric.metric.name),
            "so it cannot go to /dev/null",
        ),
        _ => (
            format!("stdout cannot go to `{}`", text.value),
            "expected `null`",
        ),
    };
    problems.push(Problem {
        message,
        span: text.span,
        label: label.into(),
        help: Some("without `stdout`, karat reads it".into()),
    });
    false
}

fn expect(
    root: &mut Fields<'_, '_>,
    workloads: &[Workload],
    problems: &mut Vec<Problem>,
) -> Vec<Expect> {
    let known: Vec<&str> = workloads.iter().map(|w| w.name.as_str()).collect();
    let mut out = Vec::new();
    let mut names = Vec::new();
    for mut fields in root.tables("expect", problems) {
        let function = fields.required("function", problems);
        let hot_in = fields.strings("workloads", problems).unwrap_or_default();
        fields.finish("[[expect]]", problems);
        for workload in &hot_in {
            if !known.contains(&workload.value.as_str()) {
                problems.push(unknown_name(workload, "workloads", "workload", &known));
            }
        }
        names.push(function.clone());
        out.push(Expect {
            function: function.value,
            workloads: hot_in.into_iter().map(|w| w.value).collect(),
        });
    }
    check_duplicates(&names, "expected function", problems);
    out
}
