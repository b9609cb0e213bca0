//! Reads a workload's metric from what a run printed or cost.

use crate::process::Finished;
use karat_model::study::{MetricSource, Workload};
use serde_json::Value;

/// Why a run gave no usable value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    /// No line of stdout is a JSON object with the key.
    #[error("no line of stdout is a JSON object with the number `{0}`")]
    NoJson(String),
    /// The regular expression matched nowhere.
    #[error("the metric's regular expression matches nowhere in stdout")]
    NoMatch,
    /// What was found is no number.
    #[error("the metric's value `{0}` is not a number")]
    NotANumber(String),
    /// The program says another unit than the study.
    #[error("the program prints `{found}`, the study says `{expected}`")]
    Unit {
        /// What the program printed.
        found: String,
        /// What the study declares.
        expected: String,
    },
    /// Zero, negative, infinite or NaN.
    #[error("the metric's value {0} is not a positive finite number")]
    Unusable(String),
}

/// The metric's value of one run, in the study's unit.
///
/// # Errors
/// When the output does not hold it, or holds it in another unit.
pub fn value(workload: &Workload, run: &Finished) -> Result<f64, MetricError> {
    let value = match &workload.metric {
        MetricSource::Cpu => run.cpu,
        MetricSource::Wall => run.wall,
        MetricSource::Json(key) => from_json(key, &workload.unit, &run.stdout)?,
        MetricSource::Regex(pattern) => from_regex(pattern, &workload.unit, &run.stdout)?,
    };
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(MetricError::Unusable(value.to_string()))
    }
}

fn from_json(key: &str, unit: &str, stdout: &[u8]) -> Result<f64, MetricError> {
    let text = String::from_utf8_lossy(stdout);
    let missing = || MetricError::NoJson(key.to_owned());
    for line in text.lines().rev() {
        let line = line.trim();
        if !line.starts_with('{') {
            continue;
        }
        let Ok(object) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let found = key.split('.').try_fold(&object, |node, k| node.get(k));
        let Some(found) = found else { continue };
        check_unit(object.get("unit").and_then(Value::as_str), unit)?;
        return found
            .as_f64()
            .ok_or_else(|| MetricError::NotANumber(found.to_string()));
    }
    Err(missing())
}

fn from_regex(pattern: &str, unit: &str, stdout: &[u8]) -> Result<f64, MetricError> {
    let text = String::from_utf8_lossy(stdout);
    // Compiled for each run: microseconds, and the study's check made sure that
    // it compiles.
    let regex = regex_lite::Regex::new(pattern).map_err(|_| MetricError::NoMatch)?;
    let captures = regex.captures(&text).ok_or(MetricError::NoMatch)?;
    check_unit(captures.name("unit").map(|m| m.as_str()), unit)?;
    let found = captures.name("value").ok_or(MetricError::NoMatch)?.as_str();
    found
        .replace([',', '_'], "")
        .parse()
        .map_err(|_| MetricError::NotANumber(found.to_owned()))
}

fn check_unit(found: Option<&str>, expected: &str) -> Result<(), MetricError> {
    match found {
        // A study always names its unit; `karat ab` may not know it.
        Some(found) if !expected.is_empty() && found != expected => Err(MetricError::Unit {
            found: found.to_owned(),
            expected: expected.to_owned(),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_json_line_with_the_key_counts() {
        let out = b"noise\n{\"value\": 1, \"unit\": \"GiB/s\"}\n{\"a\": {\"b\": 2.5}}\n{broken";
        assert_eq!(from_json("value", "GiB/s", out), Ok(1.0));
        assert_eq!(from_json("a.b", "s", out), Ok(2.5));
        assert!(matches!(
            from_json("missing", "s", out),
            Err(MetricError::NoJson(_))
        ));
        assert!(matches!(
            from_json("value", "MiB/s", out),
            Err(MetricError::Unit { .. })
        ));
    }

    #[test]
    fn regular_expressions_name_their_value() {
        let out = b"speed: 1,234.5 MiB/s (best)\n";
        let pattern = r"speed: (?<value>[0-9.,]+) (?<unit>\S+)";
        assert_eq!(from_regex(pattern, "MiB/s", out), Ok(1234.5));
        assert!(matches!(
            from_regex(pattern, "GiB/s", out),
            Err(MetricError::Unit { .. })
        ));
        assert_eq!(
            from_regex("x(?<value>y)", "s", out),
            Err(MetricError::NoMatch)
        );
    }
}
