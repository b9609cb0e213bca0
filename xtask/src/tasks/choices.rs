//! `cargo xtask choices`: which implementation of a kernel is chosen on which CPU, from
//! the records of `karat kernels bench`.
//!
//! Each crate of kernels that has a module `choices` gets the kernels whose tables
//! (`Kernel::measured`) stand in its sources. On a CPU with a record, bodies are ordered
//! by the mean of the logarithm of their times over all tasks and sizes. A body that the
//! record does not have is not in the order and so not chosen there. On a design without a
//! record the order is that of llvm-mca's cycles (`karat-mca`). What people add to the
//! records stands in `choices/known.rs`.

mod known;
#[cfg(test)]
mod tests;

use self::known::{BY_LENGTH, BY_RECORD, CHANGED, EXCEPTIONS, LOSS, PROGRAMS, SAME};
use super::kernel_record::{Measured, measured, modelled};
use crate::Task;
use crate::command::root;
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

pub const TASK: Task = Task {
    name: "choices",
    help: "write which kernels are chosen, from records; --check: fail when not current",
    run,
};

fn run(args: &[String]) -> Result<bool> {
    match args {
        [] => write()?,
        [flag] if flag == "--check" => check()?,
        _ => bail!("usage: cargo xtask choices [--check]"),
    }
    Ok(true)
}

/// Writes them.
pub fn write() -> Result<()> {
    for (file, text) in generated()? {
        std::fs::write(&file, text).with_context(|| format!("cannot write {file}"))?;
    }
    Ok(())
}

/// Fails when a file is not what the records say.
pub fn check() -> Result<()> {
    for (file, text) in generated()? {
        if std::fs::read_to_string(&file).unwrap_or_default() != text {
            bail!("{file} is not what the records say; run `cargo xtask choices`");
        }
    }
    Ok(())
}

/// Files with what they should hold.
fn generated() -> Result<Vec<(String, String)>> {
    let records = measured(&root().join("records"))?;
    let models = modelled(&root().join("records"))?;
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root().join("kernels"))? {
        let sources = entry?.path().join("src");
        let file = sources.join("choices.rs");
        let root = std::fs::read_to_string(sources.join("lib.rs"))?;
        if !root.contains("mod choices;") {
            continue;
        }
        let kernels = kernels_in(&sources)?;
        let choices = choices(&records, &models, &kernels)?;
        files.push((file.display().to_string(), rust(&choices)));
    }
    Ok(files)
}

/// Names of the kernels whose tables stand in these sources.
fn kernels_in(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            names.extend(kernels_in(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path)?;
            for part in text.split("Kernel::measured(").skip(1) {
                if let Some(name) = part.trim_start().strip_prefix('"') {
                    names.extend(name.split('"').next().map(str::to_owned));
                }
            }
        }
    }
    names.sort();
    Ok(names)
}

/// A kernel on a design of CPU.
#[derive(Debug, PartialEq, Eq)]
struct Choice {
    kernel: String,
    /// As in `karat_cpu::Microarchitecture`.
    cpu: &'static str,
    order: Vec<String>,
    short: Option<(u64, Vec<String>)>,
    evidence: String,
}

/// The cases of one kernel on one design.
pub type Cases<'a> = Vec<&'a Measured>;

fn choices(records: &[Measured], models: &[Measured], kernels: &[String]) -> Result<Vec<Choice>> {
    let groups = grouped(records, kernels);
    let mut models = models.to_vec();
    for case in &mut models {
        let (kernel, bodies) = (case.kernel.as_str(), &mut case.bodies);
        bodies.retain(|(body, _)| !BY_RECORD.contains(&(kernel, body)));
    }
    let mut choices = Vec::new();
    for ((kernel, cpu), cases) in grouped(&models, kernels) {
        if !groups.contains_key(&(kernel, cpu)) {
            choices.push(choice(kernel, cpu, &cases));
        }
    }
    for ((kernel, cpu), cases) in groups {
        let choice = choice(kernel, cpu, &cases);
        let lost = losses(&choice, &cases);
        if !lost.is_empty() {
            bail!(
                "{kernel} on {cpu}: another body is faster than the chosen one by more than {} %:\n  \
                 {}\nmend the body, choose by length (BY_LENGTH), or give the reason in EXCEPTIONS",
                LOSS * 100.0,
                lost.join("\n  ")
            );
        }
        choices.push(choice);
    }
    choices.sort_by(|a, b| (&a.kernel, a.cpu).cmp(&(&b.kernel, b.cpu)));
    Ok(choices)
}

/// Cases of some kernels, by kernel and design.
fn grouped<'a>(
    cases: &'a [Measured],
    kernels: &[String],
) -> BTreeMap<(&'a str, &'static str), Cases<'a>> {
    let mut groups = by_kernel(cases);
    groups.retain(|(kernel, _), _| kernels.iter().any(|k| k == kernel));
    for ((kernel, _), cases) in &mut groups {
        if let Some((_, tasks)) = PROGRAMS.iter().find(|(of, _)| of == kernel) {
            let has = |task: &&str| cases.iter().any(|case| case.task == *task);
            let has_all = tasks.iter().all(has);
            cases.retain(|case| has_all && tasks.contains(&case.task.as_str()));
        }
    }
    groups.retain(|_, cases| !cases.is_empty());
    groups
}

/// Cases by kernel and design.
pub fn by_kernel(cases: &[Measured]) -> BTreeMap<(&str, &'static str), Cases<'_>> {
    let mut groups: BTreeMap<_, Cases<'_>> = BTreeMap::new();
    for case in cases {
        groups
            .entry((case.kernel.as_str(), case.cpu))
            .or_default()
            .push(case);
    }
    groups
}

fn choice(kernel: &str, cpu: &'static str, cases: &Cases<'_>) -> Choice {
    let mut evidence: Vec<String> = cases.iter().map(|c| evidence(c)).collect();
    evidence.sort_unstable();
    evidence.dedup();
    let (usual, short) = if BY_LENGTH.contains(&kernel) {
        by_length(cases)
    } else {
        (order(cases), None)
    };
    Choice {
        kernel: kernel.to_owned(),
        cpu,
        order: usual,
        short,
        evidence: evidence.join(", "),
    }
}

/// The file of a case, and whether it is of older code than [`CHANGED`] has.
fn evidence(case: &Measured) -> String {
    let changed = CHANGED.iter().find(|(kernel, ..)| *kernel == case.kernel);
    match changed {
        // Of a record that has a day only, the day counts.
        Some((_, changed, _))
            if case.when.as_str() < &changed[..changed.len().min(case.when.len())] =>
        {
            format!("{} (code before {})", case.file, &changed[..10])
        }
        _ => case.file.clone(),
    }
}

/// Bodies, the fastest first.
fn order(cases: &[&Measured]) -> Vec<String> {
    let mut means = means(cases);
    let kernel = cases.first().map_or("", |case| case.kernel.as_str());
    for at in 1..means.len() {
        let (before, body) = (&means[at - 1], &means[at]);
        if SAME.contains(&(kernel, body.0.as_str(), before.0.as_str())) && body.1 - before.1 < LOSS
        {
            means.swap(at - 1, at);
        }
    }
    means.into_iter().map(|(body, _)| body).collect()
}

/// Bodies with the mean logarithm of their times over those of the fastest, the fastest
/// first.
pub fn means(cases: &[&Measured]) -> Vec<(String, f64)> {
    let mut sums: BTreeMap<&str, (f64, u32)> = BTreeMap::new();
    for case in cases {
        for (body, ns) in &case.bodies {
            let sum = sums.entry(body).or_default();
            *sum = (sum.0 + (ns / case.fastest()).ln(), sum.1 + 1);
        }
    }
    let mut means: Vec<(String, f64)> = (sums.iter())
        .map(|(body, (sum, count))| ((*body).to_owned(), sum / f64::from(*count)))
        .collect();
    means.sort_by(|a, b| a.1.total_cmp(&b.1));
    means
}

/// The order for long inputs, and the largest size up to which another body leads, if one
/// does.
fn by_length(cases: &[&Measured]) -> (Vec<String>, Option<(u64, Vec<String>)>) {
    let mut sizes: Vec<u64> = cases.iter().map(|c| c.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let cost = |cases: &[&Measured], body: &str| -> f64 {
        let logs = cases.iter().filter_map(|c| {
            let ns = c.bodies.iter().find(|(name, _)| name == body)?.1;
            Some((ns / c.fastest()).ln())
        });
        logs.sum()
    };
    let best = |cases: &[&Measured]| {
        let order = order(cases);
        let cost = order.first().map_or(0.0, |body| cost(cases, body));
        (order, cost)
    };
    let (usual, mut least) = best(cases);
    let mut found = (usual, None);
    for limit in sizes
        .iter()
        .rev()
        .skip(1)
        .filter(|s| **s <= u64::from(u16::MAX))
    {
        let (short, long): (Vec<_>, Vec<_>) = cases.iter().partition(|c| c.size <= *limit);
        let ((short, a), (long, b)) = (best(&short), best(&long));
        if short.first() != long.first() && a + b < least {
            least = a + b;
            found = (long, Some((*limit, short)));
        }
    }
    found
}

/// Cases in which another body is clearly faster than the chosen one.
fn losses(choice: &Choice, cases: &Cases<'_>) -> Vec<String> {
    let mut lost = Vec::new();
    for case in cases {
        let order = match &choice.short {
            Some((limit, short)) if case.size <= *limit => short,
            _ => &choice.order,
        };
        let chosen = case
            .bodies
            .iter()
            .find(|(body, _)| Some(body) == order.first());
        let Some((body, ns)) = chosen else { continue };
        let loss = ns / case.fastest() - 1.0;
        let excepted = EXCEPTIONS.iter().any(|(cpu, kernel, task, size, _)| {
            (*cpu, *kernel, *task, *size)
                == (
                    choice.cpu,
                    choice.kernel.as_str(),
                    case.task.as_str(),
                    case.size,
                )
        });
        if loss > LOSS && !excepted {
            lost.push(format!(
                "{} of {} × {}: {body} takes {:.1} % longer than the fastest ({})",
                case.task,
                case.items,
                case.size,
                loss * 100.0,
                case.file
            ));
        }
    }
    lost
}

fn rust(choices: &[Choice]) -> String {
    let list = |names: &[String]| {
        let quoted: Vec<String> = names.iter().map(|n| format!("{n:?}")).collect();
        format!("&[{}]", quoted.join(", "))
    };
    let mut text = String::from(
        "//! Which implementation is the fastest on which CPU, from the records of\n\
         //! `karat kernels bench`, or by model where there is none. Made by\n\
         //! `cargo xtask choices`; do not edit.\n\n\
         use karat_cpu::{Choice, Microarchitecture};\n\n\
         /// All choices of this crate.\n\
         #[rustfmt::skip]\n\
         pub(crate) static CHOICES: &[Choice] = &[\n",
    );
    for choice in choices {
        let short = match &choice.short {
            Some((limit, order)) => format!("Some(({limit}, {}))", list(order)),
            None => "None".to_owned(),
        };
        let _ = write!(
            text,
            "    Choice {{\n        kernel: {:?},\n        cpu: Microarchitecture::{},\n        \
             order: {},\n        short: {short},\n        evidence: {:?},\n    }},\n",
            choice.kernel,
            choice.cpu,
            list(&choice.order),
            choice.evidence,
        );
    }
    text.push_str("];\n");
    text
}
