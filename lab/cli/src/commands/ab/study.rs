//! From the command line to a study.

use crate::args::{self, Way};
use crate::commands::failed;
use crate::exit;
use anyhow::Result;
use karat_model::bloat::Thresholds;
use karat_model::study::metric::{check_pattern, of_word, words};
use karat_model::study::{
    Budget, Builder, Layouts, Located, Measure, MetricPlan, MetricSource, Study, Surroundings,
    Variant, Workload, quantity,
};
use karat_model::units::{Better, Metric};
use std::path::{Path, PathBuf};

/// Names of the arms, in the order of the commands.
const NAMES: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];

/// The study that `karat ab` was asked for.
pub fn of(args: &args::Ab) -> Result<Study> {
    let commands = commands(args)?;
    let runs = surroundings(args, commands.len())?;
    let mut variants = Vec::new();
    for ((name, command), run) in NAMES.iter().zip(&commands).zip(runs) {
        let Some((program, rest)) = command.split_first() else {
            return Err(usage(format!("command {name} is empty")));
        };
        let path = find(program)
            .ok_or_else(|| usage(format!("command {name}: no program `{program}` was found")))?;
        variants.push(Variant {
            name: nowhere((*name).to_owned()),
            why: command.join(" "),
            requires: Vec::new(),
            builder: Builder::Binary(nowhere(path)),
            args: rest.to_vec(),
            run,
        });
    }
    let metrics = metrics(args)?;
    if args.null_stdout
        && let Some(reads) = metrics.iter().find(|m| m.source.is_on_stdout())
    {
        return Err(usage(format!(
            "--null-stdout: the metric `{}` is read from stdout",
            reads.metric.name
        )));
    }
    let margin = quantity::ratio(&args.margin).filter(|m| *m > 0.0 && *m <= 0.5);
    let margin = margin.ok_or_else(|| {
        usage(format!(
            "--margin: `{}` is not more than 0 % and at most 50 %",
            args.margin
        ))
    })?;
    Ok(Study {
        name: "ab".into(),
        title: "Which command is faster?".into(),
        description: String::new(),
        baseline: 0,
        candidate: None,
        variants,
        workloads: vec![Workload {
            name: "run".into(),
            why: String::new(),
            args: Vec::new(),
            run: Surroundings {
                setup: args.setup.clone(),
                cleanup: args.cleanup.clone(),
                ..Surroundings::default()
            },
            null_stdout: args.null_stdout,
            metrics,
            margin,
            timeout: time("timeout", &args.timeout)?,
        }],
        parity: Vec::new(),
        expect: Vec::new(),
        bloat: Thresholds::default(),
        measure: Measure {
            max_rounds: args.rounds,
            warmup: args.warmup,
            pin: true,
            max_seconds: time("max-time", &args.max_time)?,
            layouts: Layouts::Count(args.layouts),
        },
        budget: Budget::default(),
    })
}

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

/// Programs with their arguments.
fn commands(args: &args::Ab) -> Result<Vec<Vec<String>>> {
    if let (Some(a), Some(b)) = (&args.bin_a, &args.bin_b) {
        return Ok([a, b]
            .map(|bin| [std::slice::from_ref(bin), &args.commands].concat())
            .to_vec());
    }
    let commands: Vec<Vec<String>> = args
        .commands
        .split(|word| word == "--")
        .map(<[String]>::to_vec)
        .collect();
    if commands.len() < 2 || commands.len() > NAMES.len() {
        return Err(usage(format!(
            "expected 2 to {} commands, found {}: karat ab -- COMMAND… -- COMMAND…",
            NAMES.len(),
            if args.commands.is_empty() {
                0
            } else {
                commands.len()
            }
        )));
    }
    Ok(commands)
}

/// What is round each command: options without an arm are for all of them.
fn surroundings(args: &args::Ab, count: usize) -> Result<Vec<Surroundings>> {
    let mut out = vec![Surroundings::default(); count];
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

/// The file of a program, looked for as a shell would.
fn find(program: &str) -> Option<PathBuf> {
    let direct = Path::new(program);
    if program.contains('/') {
        return direct.is_file().then(|| direct.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|f| f.join(program))
        .find(|f| f.is_file())
}
