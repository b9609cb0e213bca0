//! All benchmarks in the output or the files of a benchmark tool.

use super::{MetricError, Reading};
use karat_figures::Measurement;
use karat_model::units::Metric;
use karat_process::Finished;
use std::path::Path;

/// Reads what `tool` left at `path`, or printed; recognises the tool when none is
/// named.
pub(super) fn read(
    tool: Option<&str>,
    path: Option<&Path>,
    run: &Finished,
    dir: &Path,
) -> Result<Vec<Reading>, MetricError> {
    let fail = |e: &dyn std::fmt::Display| MetricError::Output(e.to_string());
    let found = match path {
        Some(path) => karat_figures::read_path(&dir.join(path), tool).map_err(|e| fail(&e))?,
        None => {
            let reader = match tool {
                Some(name) => karat_figures::named(name),
                None => karat_figures::recognise(&run.stdout),
            };
            let names = || {
                let all: Vec<&str> = karat_figures::all().iter().map(|r| r.name()).collect();
                all.join(", ")
            };
            let reader = reader.ok_or_else(|| match tool {
                Some(name) => MetricError::Output(format!(
                    "no benchmark tool called `{name}` is known; known are {}",
                    names()
                )),
                None => MetricError::Output(format!(
                    "stdout is the output of no known benchmark tool ({}); name the tool if it is \
                     one of them",
                    names()
                )),
            })?;
            reader.read(&run.stdout).map_err(|e| fail(&e))?
        }
    };
    Ok(found.into_iter().map(reading).collect())
}

/// A benchmark with several metrics needs both names.
fn reading(m: Measurement) -> Reading {
    Reading {
        metric: Metric {
            name: format!("{} {}", m.name, m.metric),
            unit: m.unit,
            better: m.better,
        },
        repetitions: m.repetitions,
    }
}
