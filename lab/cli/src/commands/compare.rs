//! `karat compare`: the logs of two versions, compared.

use super::{failed, margin, outputs};
use crate::{args, exit};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_compare::normalise::Normaliser;
use karat_compare::{self as compare, CompareError, How, Pattern, Readers, Side};
use karat_model::compare::LogComparison;
use karat_model::units::Better;
use karat_report::step_summary;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

/// Compares logs.
pub fn run(args: &args::Compare, quiet: bool) -> Result<u8> {
    outputs::check::<LogComparison>(&args.output)?;
    let summary = summary_file(args)?;
    let how = How {
        margin: margin(&args.margin)?,
        within: args.within,
    };
    let readers = readers(args)?;
    let (before, after) = match &args.sides[..] {
        [before, after] => (vec![before.clone()], vec![after.clone()]),
        _ => (args.before.clone(), args.after.clone()),
    };
    let sides = [&before, &after, &args.noise].map(|paths| compare::files(paths));
    let [before, after, noise] = sides;
    let (before, after, noise) = (usage(before)?, usage(after)?, usage(noise)?);
    let all = [&before, &after, &noise].into_iter().flatten();
    if all.clone().filter(|p| compare::is_stdin(p)).count() > 1 {
        return Err(failed(exit::USAGE, CompareError::StdinTwice.to_string()));
    }
    let bar = bar(all.clone(), quiet);
    let normaliser = Normaliser::default();
    let read = |paths: &[PathBuf]| {
        usage(compare::read_side(
            paths,
            &readers,
            &normaliser,
            &mut |bytes| bar.inc(bytes),
        ))
    };
    let twice = on_both_sides(&before, &after);
    // A side each: a log of many megabytes takes seconds.
    let (before, after) = thread::scope(|scope| {
        let after = scope.spawn(|| read(&after));
        let before = read(&before);
        let after = after.join();
        (before, after.unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let (before, after, noise) = (before?, after?, read(&noise)?);
    bar.finish_and_clear();
    for (side, name) in [(&before, "before"), (&after, "after")] {
        if side.is_empty() {
            return Err(failed(exit::NOTHING, nothing(side, name)));
        }
    }
    let mut found = compare::compare(before, after, noise, &normaliser, how);
    found.notes.splice(0..0, twice);
    if let Some(path) = summary {
        append(&path, &step_summary(&found))?;
    }
    match outputs::write_as(&args.output, &found, &[], quiet) {
        // `karat compare A B | head` wants the verdict's code as well.
        Err(error) if !crate::is_broken_pipe(&error) => Err(error),
        _ => Ok(exit::of_comparison(&found)),
    }
}

fn summary_file(args: &args::Compare) -> Result<Option<PathBuf>> {
    if !args.step_summary {
        return Ok(None);
    }
    match std::env::var_os("GITHUB_STEP_SUMMARY") {
        Some(path) if !path.is_empty() => {
            outputs::writable(Path::new(&path))?;
            Ok(Some(path.into()))
        }
        _ => Err(failed(
            exit::USAGE,
            "--step-summary: GITHUB_STEP_SUMMARY is not set; GitHub Actions sets it, elsewhere \
             use -o FILE.md",
        )),
    }
}

fn append(path: &Path, text: &str) -> Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn readers(args: &args::Compare) -> Result<Readers> {
    let wrong = |message: String| failed(exit::USAGE, message);
    let names: Vec<&str> = args.readers.iter().map(String::as_str).collect();
    let readers = match names.is_empty() {
        true => Readers::all(),
        false => Readers::named(&names).map_err(|e| wrong(e.to_string()))?,
    };
    let Some(pattern) = &args.pattern else {
        return Ok(readers);
    };
    let better = args.better.as_deref().map(|way| match way {
        "higher" => Better::Higher,
        _ => Better::Lower,
    });
    let pattern = Pattern::new(pattern).map_err(wrong)?;
    Ok(readers.with_pattern(pattern.with(args.unit.as_deref(), better)))
}

/// A note if a log is given for both sides, as globs that overlap do.
fn on_both_sides(before: &[PathBuf], after: &[PathBuf]) -> Option<String> {
    let whole = |path: &PathBuf| fs::canonicalize(path).ok();
    let before: Vec<PathBuf> = before.iter().filter_map(whole).collect();
    let both = |path: &&PathBuf| whole(path).is_some_and(|p| before.contains(&p));
    let twice: Vec<&PathBuf> = after.iter().filter(both).collect();
    let first = twice.first()?.display();
    Some(match twice.len() {
        1 if twice[0].is_dir() => format!(
            "{first} is on both sides: it cannot differ from itself. A run that \
             `cargo bench -- --save-baseline NAME` kept is {first}:NAME."
        ),
        1 => format!("{first} is on both sides: it cannot differ from itself."),
        n => format!("{n} logs are on both sides, {first} first: they cannot differ."),
    })
}

/// What is wrong with a path is the command line's fault.
fn usage<T>(found: Result<T, CompareError>) -> Result<T> {
    found.map_err(|error| failed(exit::USAGE, error.to_string()))
}

fn nothing(side: &Side, name: &str) -> String {
    let mut message = format!(
        "nothing readable in the logs of `{name}`: no test, figure, message, crash or fact; if \
         their tool is known, name it with --reader, else give --pattern"
    );
    for why in compare::about(side) {
        message += &format!("\n  {why}");
    }
    message
}

/// A bar of bytes, for what takes long enough to see it.
fn bar<'a>(files: impl Iterator<Item = &'a PathBuf>, quiet: bool) -> ProgressBar {
    let size = |f: &PathBuf| fs::metadata(f).map_or(0, |m| m.len());
    let bar = ProgressBar::new(files.map(size).sum());
    bar.set_draw_target(if io::stderr().is_terminal() && !quiet {
        ProgressDrawTarget::stderr_with_hz(8)
    } else {
        ProgressDrawTarget::hidden()
    });
    let style = "{prefix:>9} {wide_bar:.cyan/dim} {bytes}/{total_bytes} {binary_bytes_per_sec}";
    // The template is fixed, so it parses or the first run shows that it does not.
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("━━─"));
    }
    bar.set_prefix("reading");
    bar
}
