//! From the command line to a study.

use super::commands::{self, Command, NAMES};
use crate::args::{self, Way};
use crate::commands::{begin, failed, margin};
use crate::exit;
use anyhow::Result;
use karat_model::bloat::Thresholds;
use karat_model::study::metric::{check_pattern, of_word, words};
use karat_model::study::{
    Budget, Builder, Layouts, Located, MOST_ROUNDS, Measure, MetricPlan, MetricSource, Study,
    Surroundings, Variant, Workload, quantity,
};
use karat_model::units::{Better, Metric};
use std::path::{Path, PathBuf};

/// The study that `karat ab` was asked for.
pub fn of(args: &args::Ab) -> Result<Study> {
    let commands = commands::of(args)?;
    let runs = surroundings(args, commands.len())?;
    let variant = |((name, command), run): ((&&str, Command), Surroundings)| Variant {
        name: nowhere((*name).to_owned()),
        why: command.shown,
        requires: Vec::new(),
        builder: Builder::Binary(nowhere(command.program.into())),
        args: command.args,
        run,
    };
    let metrics = metrics(args)?;
    if args.null_stdout
        && let Some(reads) = metrics.iter().find(|m| m.source.is_on_stdout())
    {
        return Err(usage(format!(
            "--null-stdout: the metric `{}` is read from stdout",
            reads.metric.name
        )));
    }
    Ok(Study {
        name: NAME.into(),
        title: "Which command is faster?".into(),
        description: if args.shell {
            SHELL.into()
        } else {
            String::new()
        },
        baseline: 0,
        candidate: None,
        variants: NAMES.iter().zip(commands).zip(runs).map(variant).collect(),
        pairs: Vec::new(),
        workloads: vec![Workload {
            name: "run".into(),
            why: String::new(),
            args: Vec::new(),
            run: Surroundings::default(),
            null_stdout: args.null_stdout,
            metrics,
            margin: margin(&args.margin)?,
            timeout: time("timeout", &args.timeout)?,
        }],
        parity: Vec::new(),
        expect: Vec::new(),
        bloat: Thresholds::default(),
        measure: Measure {
            max_rounds: args.rounds.unwrap_or(MOST_ROUNDS),
            warmup: args.warmup,
            pin: true,
            time: begin::time(&args.max_time)?,
            layouts: Layouts::Count(args.layouts),
        },
        budget: Budget::default(),
        soak: None,
    })
}

/// Name of the study that a comparison is.
pub const NAME: &str = "ab";

/// What a report of commands run by a shell must say.
const SHELL: &str = "Each command is run by `sh -c`: what the shell itself takes is in every \
                     figure. Differences in percent are therefore smaller than without a shell.";

fn usage(message: String) -> anyhow::Error {
    failed(exit::USAGE, message)
}

fn time(name: &str, text: &str) -> Result<f64> {
    quantity::duration(text).ok_or_else(|| {
        usage(format!(
            "--{name}: `{text}` is no duration such as \"10 s\""
        ))
    })
}

/// What is round each command: options without an arm are for all of them.
fn surroundings(args: &args::Ab, count: usize) -> Result<Vec<Surroundings>> {
    let here = std::env::current_dir().map_err(|e| usage(format!("no current folder: {e}")))?;
    if here.to_str().is_none() {
        return Err(usage(format!(
            "the name of this folder, {}, is not UTF-8, and a run keeps its folder as text; start \
             karat in another one",
            here.display()
        )));
    }
    let all = Surroundings {
        // Said, so that the study can be run again from elsewhere.
        dir: Some(nowhere(here)),
        setup: args.setup.clone(),
        cleanup: args.cleanup.clone(),
        ..Surroundings::default()
    };
    let mut out = vec![all; count];
    for text in &args.stdin {
        each(text, "stdin", &mut out, |run, file| {
            run.stdin = Some(nowhere(existing("stdin", file, Path::is_file)?));
            Ok(())
        })?;
    }
    for text in &args.work_dirs {
        each(text, "dir", &mut out, |run, dir| {
            run.dir = Some(nowhere(existing("dir", dir, Path::is_dir)?));
            Ok(())
        })?;
    }
    for text in &args.env {
        each(text, "env", &mut out, |run, pair| {
            let Some((name, value)) = pair.split_once('=').filter(|(name, _)| !name.is_empty())
            else {
                return Err(usage(format!("--env: `{pair}` is not NAME=VALUE")));
            };
            run.env.insert(name.to_owned(), value.to_owned());
            Ok(())
        })?;
    }
    Ok(out)
}

/// Hands `text` to the one arm it names (`B:TEXT`), or to all.
fn each(
    text: &str,
    option: &str,
    runs: &mut [Surroundings],
    set: impl Fn(&mut Surroundings, &str) -> Result<()>,
) -> Result<()> {
    let named = text
        .split_once(':')
        .and_then(|(arm, rest)| Some((NAMES.iter().position(|n| *n == arm)?, rest)));
    match named {
        Some((arm, rest)) => match runs.get_mut(arm) {
            Some(run) => set(run, rest),
            None => Err(usage(format!(
                "--{option}: there is no command {}; the last one is {}",
                NAMES[arm],
                NAMES[runs.len() - 1]
            ))),
        },
        None => runs.iter_mut().try_for_each(|run| set(run, text)),
    }
}

fn existing(option: &str, path: &str, is: impl Fn(&Path) -> bool) -> Result<PathBuf> {
    let path = std::path::absolute(path)?;
    if is(&path) {
        return Ok(path);
    }
    Err(usage(format!("--{option}: there is no {}", path.display())))
}

/// A value that stands in no file.
fn nowhere<T>(value: T) -> Located<T> {
    Located { value, span: 0..0 }
}

fn metrics(args: &args::Ab) -> Result<Vec<MetricPlan>> {
    let better = match args.better {
        Way::Higher => Better::Higher,
        Way::Lower => Better::Lower,
    };
    let mut out: Vec<MetricPlan> = Vec::new();
    for word in &args.metric {
        let plan = metric(word, better)?;
        if out.iter().any(|m| m.metric.name == plan.metric.name) {
            return Err(usage(format!(
                "--metric: two metrics are called `{}`",
                plan.metric.name
            )));
        }
        out.push(plan);
    }
    Ok(out)
}

/// The metric that a word asks for. Units of numbers that a program prints are
/// those it prints with them, if it does.
fn metric(word: &str, better: Better) -> Result<MetricPlan> {
    let usage = |message: String| usage(format!("--metric: {message}"));
    if let Some(plan) = of_word(word) {
        return Ok(plan);
    }
    let Some((name, rest)) = word.split_once(':') else {
        return Err(usage(format!(
            "`{word}` is none of {}, json:KEY, NAME:REGEX and output:TOOL",
            words().join(", ")
        )));
    };
    let (source, name) = match name {
        "json" => (MetricSource::Json(rest.to_owned()), rest),
        "output" => {
            let (tool, path) = rest
                .split_once(':')
                .map_or((rest, None), |(t, p)| (t, Some(p)));
            let source = MetricSource::Output {
                tool: (tool != "auto").then(|| tool.to_owned()),
                path: path.map(PathBuf::from),
            };
            (source, tool)
        }
        _ => {
            check_pattern(rest).map_err(|(what, detail)| {
                usage(format!(
                    "`{rest}`: {what}: {detail}; such as 'speed:(?<value>[0-9.]+) (?<unit>.B/s)'"
                ))
            })?;
            (MetricSource::Regex(rest.to_owned()), name)
        }
    };
    Ok(MetricPlan {
        source,
        metric: Metric {
            name: name.to_owned(),
            unit: String::new(),
            better,
        },
    })
}
