//! criterion's folder as a log: one run of all benchmarks in it.
//!
//! A figure is criterion's own estimate: the slope of time over iterations (least squares
//! through the origin), as its text prints it, or the mean where all samples have as many
//! iterations. Source: criterion 0.5.1, `analysis/mod.rs`.

use super::folder::{name_in, times_in};
use super::{NAME, folder};
use crate::error::ReadError;
use crate::json::parse;
use karat_model::log::{Event, Figure, Statistic};
use karat_model::units::Better;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What `benchmark.json` says of the place of a benchmark.
#[derive(Deserialize)]
struct Place {
    directory_name: String,
}

/// The folder of criterion's that a folder belongs to, if the folder is that of one
/// benchmark: it holds `new` with its samples.
#[must_use]
pub fn root_of(benchmark: &Path) -> Option<PathBuf> {
    let run = benchmark.join(folder::LAST);
    if !run.join(folder::SAMPLE).is_file() {
        return None;
    }
    let text = std::fs::read(run.join(folder::BENCHMARK)).ok()?;
    let place: Place = parse(NAME, "criterion's `benchmark.json`", &text).ok()?;
    let depth = place.directory_name.split('/').count();
    let ends = benchmark.ends_with(&place.directory_name);
    // A benchmark that was copied elsewhere is a folder of its own.
    let root = if ends {
        benchmark.ancestors().nth(depth)
    } else {
        None
    };
    Some(root.unwrap_or(benchmark).to_owned())
}

/// The name of the run that criterion made last. `base` is a copy of it, made when it ended;
/// others are there by `--save-baseline`.
pub const LAST: &str = folder::LAST;

/// Gives the run of that name of each benchmark below `root`; the bytes read.
///
/// # Errors
/// When a file cannot be read, or no benchmark has such a run.
pub fn events(root: &Path, name: &str, sink: &mut dyn FnMut(Event)) -> Result<u64, ReadError> {
    let mut runs = Vec::new();
    folder::walk(root, folder::DEPTH, Some(name), &mut runs)?;
    if runs.is_empty() {
        return Err(ReadError::path(
            root,
            format!("no benchmark has a run `{name}`; {}", names(root)?),
        ));
    }
    let mut bytes = 0;
    for run in runs {
        let name = name_in(&run)?;
        let path = run.join(folder::SAMPLE);
        let samples = times_in(&path)?;
        let text = std::fs::read(&path).map_err(|e| ReadError::path(&path, e))?;
        bytes += text.len() as u64;
        let value = slope(&text, &samples);
        if !value.is_finite() || value < 0.0 {
            continue;
        }
        sink(Event::Figure(Figure {
            section: String::new(),
            name,
            parameters: BTreeMap::new(),
            value,
            statistic: Some(Statistic::Slope),
            samples,
            unit: "ns".to_owned(),
            better: Some(Better::Lower),
        }));
    }
    Ok(bytes)
}

/// The runs that there are, in words.
fn names(root: &Path) -> Result<String, ReadError> {
    let mut runs = Vec::new();
    folder::walk(root, folder::DEPTH, None, &mut runs)?;
    let name = |run: &PathBuf| Some(run.file_name()?.to_string_lossy().into_owned());
    let names: BTreeSet<String> = runs.iter().filter_map(name).collect();
    let names: Vec<String> = names.into_iter().collect();
    Ok(format!("there are {}", names.join(", ")))
}

#[derive(Deserialize)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Criterion's estimate in nanoseconds; the mean where the file does not say more.
pub(super) fn slope(text: &[u8], each: &[f64]) -> f64 {
    let mean = each.iter().sum::<f64>() / each.len() as f64;
    let Ok(samples) = parse::<Samples>(NAME, "criterion's `sample.json`", text) else {
        return mean;
    };
    let pairs = || samples.iters.iter().zip(&samples.times);
    let (above, below) = pairs().fold((0.0, 0.0), |(a, b), (n, t)| (a + n * t, b + n * n));
    match below > 0.0 {
        true => above / below,
        false => mean,
    }
}
