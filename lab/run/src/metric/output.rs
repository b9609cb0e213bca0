//! Numbers that a program prints: in a line of JSON, or where a regular
//! expression finds them.

use super::MetricError;
use serde_json::Value;

pub(super) fn from_json(
    key: &str,
    unit: &str,
    stdout: &[u8],
) -> Result<(f64, String), MetricError> {
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
        let unit = unit_of(object.get("unit").and_then(Value::as_str), unit)?;
        return match found.as_f64() {
            Some(value) => Ok((value, unit)),
            None => Err(MetricError::NotANumber(found.to_string())),
        };
    }
    Err(missing())
}

pub(super) fn from_regex(
    pattern: &str,
    unit: &str,
    stdout: &[u8],
) -> Result<(f64, String), MetricError> {
    let text = String::from_utf8_lossy(stdout);
    // Compiled for each run: microseconds, and the study's check made sure that
    // it compiles.
    let regex = regex_lite::Regex::new(pattern).map_err(|_| MetricError::NoMatch)?;
    let captures = regex.captures(&text).ok_or(MetricError::NoMatch)?;
    let unit = unit_of(captures.name("unit").map(|m| m.as_str()), unit)?;
    let found = captures.name("value").ok_or(MetricError::NoMatch)?.as_str();
    match found.replace([',', '_'], "").parse() {
        Ok(value) => Ok((value, unit)),
        Err(_) => Err(MetricError::NotANumber(found.to_owned())),
    }
}

/// The unit of a value: the study's, or, when it names none, the program's.
fn unit_of(found: Option<&str>, expected: &str) -> Result<String, MetricError> {
    match found {
        Some(found) if !expected.is_empty() && found != expected => Err(MetricError::Unit {
            found: found.to_owned(),
            expected: expected.to_owned(),
        }),
        found => Ok(found.unwrap_or(expected).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_json_line_with_the_key_counts() {
        let out = b"noise\n{\"value\": 1, \"unit\": \"GiB/s\"}\n{\"a\": {\"b\": 2.5}}\n{broken";
        assert_eq!(from_json("value", "GiB/s", out), Ok((1.0, "GiB/s".into())));
        assert_eq!(from_json("a.b", "s", out), Ok((2.5, "s".into())));
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
        assert_eq!(from_regex(pattern, "", out), Ok((1234.5, "MiB/s".into())));
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
