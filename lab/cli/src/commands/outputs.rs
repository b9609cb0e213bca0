//! `--format` and `-o`: held to be right before any work, written at its end.

use super::failed;
use crate::args::Output;
use crate::{exit, say};
use anyhow::{Context, Result};
use karat_report::{Format, Report, Rule, Setting, offers, render};
use std::fs::{self, OpenOptions};
use std::io::{Error, ErrorKind};
use std::path::Path;

/// Fails before any work when there is no such format of a report, or when a file cannot
/// be written, is named twice, or ends in what names no format. Leaves nothing behind.
pub fn check<R: Report>(output: &Output) -> Result<()> {
    offers::<R>(output.format)
        .map_err(|error| failed(exit::USAGE, format!("--format {}: {error}", output.format)))?;
    for (i, path) in output.outputs.iter().enumerate() {
        if output.outputs[..i].contains(path) {
            return Err(usage(path, "is named by two `-o`"));
        }
        format_of::<R>(path)?;
        writable(path)?;
    }
    Ok(())
}

/// Writes the report to the `-o` files, and to stdout even if that failed.
pub fn write<R: Report>(output: &Output, report: &R, rules: &[Rule]) -> Result<()> {
    write_as(output, report, rules, false)
}

/// As [`write()`], with the verdict and its reason alone on a terminal if `quiet`.
pub fn write_as<R: Report>(output: &Output, report: &R, rules: &[Rule], quiet: bool) -> Result<()> {
    let setting = Setting {
        brief: quiet,
        color: output.format == Format::Human && say::color_on_stdout(),
        width: say::width(),
        rules,
    };
    let text = render(output.format, report, setting)?;
    let written = files(output, report, rules);
    let said = say::result(&text);
    written?;
    Ok(said?)
}

/// Writes the report to the `-o` files alone.
pub fn files<R: Report>(output: &Output, report: &R, rules: &[Rule]) -> Result<()> {
    let setting = Setting {
        rules,
        ..Setting::default()
    };
    for path in &output.outputs {
        let text = render(format_of::<R>(path)?, report, setting)?;
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The format that a file's ending asks for.
fn format_of<R: Report>(path: &Path) -> Result<Format> {
    let ending = path.extension().map(|e| e.to_string_lossy());
    let format = ending.and_then(|e| Format::from_extension(&e));
    format.filter(|f| R::FORMATS.contains(f)).ok_or_else(|| {
        let endings: Vec<String> = R::FORMATS
            .iter()
            .map(|f| format!(".{}", f.extension()))
            .collect();
        let what = match format {
            Some(format) => format!("there is no {format} of this report"),
            None => "cannot tell the form of the report".to_owned(),
        };
        usage(
            path,
            &format!("{what}; end the name in {}", endings.join(", ")),
        )
    })
}

/// Whether a file can be written, as far as that can be told without writing it.
pub fn writable(path: &Path) -> Result<()> {
    let cannot = |error: Error| usage(path, &format!("cannot be written: {error}"));
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Err(usage(path, "is a folder; name a file in it")),
        Ok(meta) if meta.is_file() => OpenOptions::new()
            .append(true)
            .open(path)
            .map(drop)
            .map_err(cannot),
        // A pipe would wait for its reader.
        Ok(_) => Ok(()),
        Err(_) => {
            let folder = match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            if !folder.is_dir() {
                let what = format!(
                    "cannot be written: there is no folder {}; make it first",
                    folder.display()
                );
                return Err(usage(path, &what));
            }
            match OpenOptions::new().write(true).create_new(true).open(path) {
                Ok(_) => fs::remove_file(path).map_err(cannot),
                // A link to a file that is not there yet, or another karat's.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                Err(error) => Err(cannot(error)),
            }
        }
    }
}

fn usage(path: &Path, what: &str) -> anyhow::Error {
    failed(exit::USAGE, format!("-o {}: {what}", path.display()))
}
