//! `sample.json`: iterations and total time of each sample.

use super::NAME;
use crate::error::ReadError;
use crate::json::parse;
use crate::value::{Value, checked};
use serde::Deserialize;

#[derive(Deserialize)]
struct Sample {
    iters: Vec<Value>,
    times: Vec<Value>,
}

/// Nanoseconds for one iteration, by sample. The unit holds for criterion's own
/// measurement of time; others do not name theirs in the file.
pub fn times(text: &[u8]) -> Result<Vec<f64>, ReadError> {
    let sample: Sample = parse(NAME, "criterion's `sample.json`", text)?;
    let problem = |problem: String| ReadError::benchmark(NAME, "sample.json", problem);
    let (iterations, times) = (sample.iters, sample.times);
    if iterations.len() != times.len() || times.is_empty() {
        return Err(problem(format!(
            "{} `iters` and {} `times`; expected as many of each, and at least one",
            iterations.len(),
            times.len()
        )));
    }
    let each = iterations.iter().zip(times).enumerate();
    each.map(|(i, (iterations, time))| {
        checked(time.0 / iterations.0).map_err(|_| {
            problem(format!(
                "sample {} took {} ns for {} iterations; expected at least one iteration",
                i + 1,
                time.0,
                iterations.0
            ))
        })
    })
    .collect()
}
