//! The lab: evidence of runs, audits, comparisons of logs, and functions compared by the
//! judge. Documents go to Python as JSON; the package makes dicts and columns of them.

use crate::errors;
use crate::number::Number;
use karat_audit::Vouched;
use karat_bench::Bench;
use karat_compare::Readers;
use karat_compare::normalise::Normaliser;
use karat_model::catalogue::Expected;
use karat_model::evidence::Evidence;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde::Serialize;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::Duration;

fn json(document: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(document).map_err(errors::value)
}

/// The evidence in a file, checked against the schema of this version.
#[pyfunction]
fn evidence_json(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let text = std::fs::read(&path)?;
    let read = py.detach(|| Evidence::from_json(&text));
    let evidence = read.map_err(|error| {
        errors::value(format!(
            "{} is no evidence that karat {} can read: {error}",
            path.display(),
            env!("CARGO_PKG_VERSION")
        ))
    })?;
    json(&evidence)
}

/// The document of `karat audit`.
#[pyfunction]
fn audit_json(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    baseline: Option<PathBuf>,
    top: Number<'_, '_, usize>,
) -> PyResult<String> {
    let top = top.within("top", 0..)?;
    let request = karat_audit_files::Request {
        files: &paths,
        baseline: baseline.as_deref(),
        isa: None,
        vouched: &Vouched::default(),
        catalogues: &[],
        expected: &Expected::default(),
        top,
        debug_dirs: &[],
        karat: env!("CARGO_PKG_VERSION"),
    };
    let document = py.detach(|| karat_audit_files::document(&request, &mut |_| ()));
    let document = document.map_err(errors::value)?;
    if let Some(failed) = document.failed.first() {
        return Err(errors::value(format!("{}: {}", failed.path, failed.why)));
    }
    json(&document)
}

/// The document of `karat compare`.
#[pyfunction]
fn compare_json(
    py: Python<'_>,
    before: Vec<PathBuf>,
    after: Vec<PathBuf>,
    noise: Vec<PathBuf>,
    margin: f64,
) -> PyResult<String> {
    let compared = py.detach(|| {
        let normaliser = Normaliser::default();
        let read = |paths: &[PathBuf]| {
            let files = karat_compare::files(paths)?;
            karat_compare::read_side(&files, &Readers::all(), &normaliser, &mut |_| ())
        };
        let (before, after, noise) = (read(&before)?, read(&after)?, read(&noise)?);
        for (side, name) in [(&before, "before"), (&after, "after")] {
            if side.is_empty() {
                return Ok(Err(format!(
                    "nothing readable in the logs of `{name}`: no test, figure, message, crash or \
                     fact"
                )));
            }
        }
        Ok(Ok(karat_compare::compare(
            before,
            after,
            noise,
            &normaliser,
            karat_compare::How {
                margin,
                within: false,
            },
        )))
    });
    let compared: Result<_, karat_compare::CompareError> = compared;
    let compared = compared.map_err(|error| PyOSError::new_err(error.to_string()))?;
    json(&compared.map_err(errors::value)?)
}

/// Two functions compared by the judge: the report in words, and as JSON.
#[pyfunction]
fn ab_report(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    margin: f64,
    seconds: f64,
    seed: Number<'_, '_, u64>,
    wall: bool,
) -> PyResult<(String, String)> {
    let seed = seed.within("seed", 0..)?;
    let raised = Raised::default();
    let py = a.py();
    let call = |function: &Bound<'_, PyAny>| {
        raised.or_end(function.call0().and_then(|_| py.check_signals()));
    };
    let mut bench = bench(margin, seconds)?
        .seed(seed)
        .arm("a", |(): &()| call(a))
        .arm("b", |(): &()| call(b));
    if wall {
        bench = bench.wall_time();
    }
    raised.report(bench)
}

/// The same of functions that make so many calls and return their nanoseconds.
#[pyfunction]
fn batches_report(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    margin: f64,
    seconds: f64,
) -> PyResult<(String, String)> {
    let raised = Raised::default();
    let py = a.py();
    let batch = |function: &Bound<'_, PyAny>, calls: u64| {
        let ns = function.call1((calls,)).and_then(|ns| ns.extract::<f64>());
        raised.or_end(ns.and_then(|ns| py.check_signals().map(|()| ns)))
    };
    let bench = bench(margin, seconds)?
        .timed_arm("a", |calls| batch(a, calls))
        .timed_arm("b", |calls| batch(b, calls));
    raised.report(bench)
}

fn bench<'a>(margin: f64, seconds: f64) -> PyResult<Bench<'a, ()>> {
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
        errors::value(format!(
            "seconds is {seconds}: give 0 or more, and less than 2**64"
        ))
    })?;
    Ok(Bench::new("ab").margin(margin).max_time(time))
}

/// An exception, or Ctrl-C, ends the bench: the way out of it is a panic, which is caught
/// and tells nobody.
#[derive(Default)]
struct Raised(RefCell<Option<PyErr>>);

impl Raised {
    fn or_end<T>(&self, result: PyResult<T>) -> T {
        result.unwrap_or_else(|error| {
            self.0.replace(Some(error));
            resume_unwind(Box::new(()));
        })
    }

    fn report(&self, bench: Bench<'_, ()>) -> PyResult<(String, String)> {
        let report = match catch_unwind(AssertUnwindSafe(|| bench.run(|_| ()))) {
            Ok(report) => report.map_err(errors::value)?,
            Err(panic) => match self.0.take() {
                Some(error) => return Err(error),
                None => resume_unwind(panic),
            },
        };
        Ok((report.to_string(), json(&report)?))
    }
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(evidence_json, module)?)?;
    module.add_function(wrap_pyfunction!(audit_json, module)?)?;
    module.add_function(wrap_pyfunction!(compare_json, module)?)?;
    module.add_function(wrap_pyfunction!(ab_report, module)?)?;
    module.add_function(wrap_pyfunction!(batches_report, module)?)
}
