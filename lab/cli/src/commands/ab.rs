//! `karat ab`: commands against each other, without a study file.
//!
//! The commands become the variants of a study made here, so that everything
//! behind it (rounds, judge, run folder, reports) is that of `karat run`.

use super::{catch_interrupts, check_outputs, execute, failed, finish, write_files};
use crate::args::{self, Format, Way};
use crate::{exit, say};
use anyhow::{Context, Result};
use karat_model::evidence::Evidence;
use karat_model::study::{
    Budget, Builder, Located, Measure, MetricSource, Study, Variant, Workload, quantity,
};
use karat_model::units::Better;
use karat_report::brief;
use karat_run::{Options, Plan, RunError};
use karat_store::Store;
use std::path::{Path, PathBuf};

/// Names of the arms, in the order of the commands.
const NAMES: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];

/// Compares commands.
pub fn run(args: &args::Ab, quiet: bool) -> Result<u8> {
    check_outputs(&args.output)?;
    let study = study(args)?;
    let plan = Plan::new(&study, karat_cpu::detect(), false)
        .map_err(|e| failed(exit::NOTHING, e.to_string()))?;
    let interrupt = catch_interrupts()?;
    let store = Store::at(&args.runs.dir);
    let now = jiff::Timestamp::now();
    let stamp = now.strftime("%Y%m%d-%H%M%S").to_string();
    let seed = args.seed.unwrap_or(now.as_nanosecond() as u64);
    let source = source(args);
    let mut folder = store.begin(&stamp, &study.name, &source, seed)?;
    let options = Options {
        id: folder.id().to_owned(),
        source,
        study_file: PathBuf::from("ab"),
        cache: args.runs.dir.join("cache"),
        wrapper: std::env::current_exe().context("cannot find karat's own program file")?,
        seed,
        interrupt: &interrupt,
        prior: None,
    };
    let outcome = execute(&study, &plan, options, &mut folder, quiet);
    let evidence = match outcome {
        Ok(evidence) => evidence,
        Err(error) => {
            let mut message = error.to_string();
            if let Some(kept) = folder.discard() {
                message.push_str(&format!("\n  samples kept in {}", kept.display()));
            }
            return Err(failed(exit_of(&error), message));
        }
    };
    let done = finish(folder, &evidence, &store)?;
    show(args, &evidence, &done)?;
    Ok(if args.exit_zero {
        exit::GOOD
    } else {
        exit::of_evidence(&evidence)
    })
}

/// A command that cannot be found is a mistake on the command line.
fn exit_of(error: &RunError) -> u8 {
    match error {
        RunError::Build(_) => exit::USAGE,
        other => exit::of_error(other),
    }
}

fn show(args: &args::Ab, evidence: &Evidence, done: &Path) -> Result<()> {
    write_files(evidence, &args.output)?;
    let text = match args.output.format {
        Format::Human => brief::human(evidence, say::color_on_stdout()),
        Format::Json => serde_json::to_string_pretty(&brief::json(evidence))?,
        other => karat_report::render(other.into(), evidence, false, say::width()),
    };
    say::result(&text)?;
    say::note(&format!("all of it: {}", done.display()));
    Ok(())
}

fn study(args: &args::Ab) -> Result<Study> {
    let usage = |message: String| failed(exit::USAGE, message);
    let commands: Vec<&[String]> = args.commands.split(|word| word == "--").collect();
    if commands.len() < 2 || commands.len() > NAMES.len() {
        return Err(usage(format!(
            "expected 2 to {} commands, found {}: karat ab -- COMMAND… -- COMMAND…",
            NAMES.len(),
            commands.len()
        )));
    }
    let mut variants = Vec::new();
    for (name, command) in NAMES.iter().zip(&commands) {
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
        });
    }
    let margin = quantity::ratio(&args.margin).filter(|m| *m > 0.0 && *m <= 0.5);
    let time = |name: &str, text: &str| {
        quantity::duration(text).ok_or_else(|| {
            usage(format!(
                "--{name}: `{text}` is no duration such as \"10 s\""
            ))
        })
    };
    let (metric, metric_name, unit) = metric(&args.metric)?;
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
            metric,
            metric_name,
            unit,
            better: match args.better {
                Way::Higher => Better::Higher,
                Way::Lower => Better::Lower,
            },
            margin: margin.ok_or_else(|| {
                usage(format!(
                    "--margin: `{}` is not more than 0 % and at most 50 %",
                    args.margin
                ))
            })?,
            timeout: time("timeout", &args.timeout)?,
        }],
        parity: Vec::new(),
        expect: Vec::new(),
        measure: Measure {
            max_rounds: args.rounds,
            warmup: args.warmup,
            pin: true,
            max_seconds: time("max-time", &args.max_time)?,
        },
        budget: Budget::default(),
    })
}

/// A value that stands in no file.
fn nowhere<T>(value: T) -> Located<T> {
    Located { value, span: 0..0 }
}

/// Source, name and unit of the metric that a word asks for.
fn metric(word: &str) -> Result<(MetricSource, String, String)> {
    let usage = |message: String| failed(exit::USAGE, format!("--metric: {message}"));
    match word {
        "cpu" => return Ok((MetricSource::Cpu, "cpu".into(), "s".into())),
        "wall" => return Ok((MetricSource::Wall, "wall".into(), "s".into())),
        _ => {}
    }
    let Some((name, rest)) = word.split_once(':') else {
        return Err(usage(format!(
            "`{word}` is none of cpu, wall, json:KEY and NAME:REGEX"
        )));
    };
    if name == "json" {
        return Ok((
            MetricSource::Json(rest.to_owned()),
            rest.to_owned(),
            String::new(),
        ));
    }
    match regex_lite::Regex::new(rest) {
        Ok(regex) if regex.capture_names().flatten().any(|n| n == "value") => Ok((
            MetricSource::Regex(rest.to_owned()),
            name.to_owned(),
            String::new(),
        )),
        Ok(_) => Err(usage(format!(
            "`{rest}` has no group called `value`, such as (?<value>[0-9.]+)"
        ))),
        Err(e) => Err(usage(format!("`{rest}` is no regular expression: {e}"))),
    }
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

/// What was typed, for the report.
fn source(args: &args::Ab) -> String {
    format!(
        "# karat ab --metric {} --margin {} --rounds {} -- {}\n",
        args.metric,
        args.margin,
        args.rounds,
        args.commands.join(" ")
    )
}
