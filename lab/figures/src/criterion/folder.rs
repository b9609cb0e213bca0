//! criterion's folder: `**/new/{benchmark,sample}.json`.

use super::{EXPECTED, NAME, sample};
use crate::collect::Collector;
use crate::error::ReadError;
use crate::json::parse;
use crate::reader::Measurement;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where the last run is. `base` is a copy of it, made when it ended (criterion 0.5.1,
/// `analysis/mod.rs`).
pub(super) const LAST: &str = "new";
pub(super) const SAMPLE: &str = "sample.json";
pub(super) const BENCHMARK: &str = "benchmark.json";

/// Folders inside of folders; criterion makes five.
pub(super) const DEPTH: usize = 32;

#[derive(Deserialize)]
struct Benchmark {
    /// Group, function and parameter.
    full_id: String,
}

/// Reads the last run of every benchmark below `path`, by default
/// `target/criterion`, in the order of their paths. A repetition is a sample:
/// nanoseconds for one iteration.
///
/// Links to folders are not followed.
///
/// # Errors
/// When a folder or file cannot be read, two benchmarks have one name, or there
/// is none.
pub fn folder(path: &Path) -> Result<Vec<Measurement>, ReadError> {
    let mut runs = Vec::new();
    walk(path, DEPTH, Some(LAST), &mut runs)?;
    let mut collector = Collector::new(NAME);
    let mut seen: HashMap<String, PathBuf> = HashMap::new();
    for run in runs {
        let name = name_in(&run)?;
        if let Some(other) = seen.get(&name) {
            let problem = format!(
                "`{name}` is also in {}; give the folder of one run",
                other.display()
            );
            return Err(ReadError::path(run, problem));
        }
        collector.series(&name, "time", "ns", times_in(&run.join(SAMPLE))?)?;
        seen.insert(name, run);
    }
    collector
        .finish(EXPECTED)
        .map_err(|error| error.in_file(path))
}

/// Reads one `sample.json` with the name that stands beside it.
pub fn single(path: &Path) -> Result<Vec<Measurement>, ReadError> {
    let mut collector = Collector::new(NAME);
    let name = name_in(path.parent().unwrap_or(Path::new("")))?;
    collector.series(&name, "time", "ns", times_in(path)?)?;
    collector.finish(EXPECTED)
}

pub(super) fn times_in(path: &Path) -> Result<Vec<f64>, ReadError> {
    let bytes = std::fs::read(path).map_err(|e| ReadError::path(path, e))?;
    sample::times(&bytes).map_err(|error| error.in_file(path))
}

pub(super) fn name_in(run: &Path) -> Result<String, ReadError> {
    let path = run.join(BENCHMARK);
    let bytes = std::fs::read(&path).map_err(|e| ReadError::path(&path, e))?;
    let benchmark: Result<Benchmark, _> = parse(NAME, "criterion's `benchmark.json`", &bytes);
    match benchmark {
        Ok(benchmark) => Ok(benchmark.full_id),
        Err(error) => Err(error.in_file(path)),
    }
}

/// The folders of runs below a folder: of that name, or of any.
pub(super) fn walk(
    folder: &Path,
    depth: usize,
    name: Option<&str>,
    runs: &mut Vec<PathBuf>,
) -> Result<(), ReadError> {
    let problem = |error| ReadError::path(folder, error);
    let mut inner = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        let entry = entry.map_err(problem)?;
        if entry.file_type().map_err(problem)?.is_dir() {
            inner.push(entry.path());
        }
    }
    inner.sort();
    for path in inner {
        // A group may be called `new` too.
        if name.is_none_or(|name| path.ends_with(name)) && path.join(SAMPLE).is_file() {
            runs.push(path);
        } else if depth > 0 {
            walk(&path, depth - 1, name, runs)?;
        }
    }
    Ok(())
}
