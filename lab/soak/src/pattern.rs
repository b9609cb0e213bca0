//! What a program's lines tell: a regular expression whose named groups are figures.
//!
//! `rate` is operations a second, `total` operations since the program's start, `done`
//! operations since the last such line. Times carry their unit in their name: `latency_ms`
//! is that of one operation; `p50_us`, `p95_us`, `p99_us`, `p999_us` and `max_us` are those that
//! the program summed up itself. Units are `s`, `ms`, `us` and `ns`.

use karat_model::soak::{Latencies, Point};
use karat_model::units;
use regex_lite::Regex;

/// Figures of operations.
const COUNTS: [&str; 3] = ["rate", "total", "done"];
/// Figures of time.
const TIMES: [&str; 6] = ["latency", "p50", "p95", "p99", "p999", "max"];

/// A pattern of lines.
#[derive(Clone, Debug)]
pub struct LinePattern {
    regex: Regex,
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    name: String,
    figure: &'static str,
    /// Seconds, or operations, of one of its unit.
    scale: f64,
}

/// What a line told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    /// Figures over a stretch of time; its `at` is for the caller to set.
    pub point: Option<Point>,
    /// Seconds of one operation.
    pub latency: Option<f64>,
}

impl LinePattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// One sentence that says what is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let regex = Regex::new(text).map_err(|e| format!("`{text}` is no pattern: {e}"))?;
        let names = regex.capture_names().flatten();
        let groups = names.map(group).collect::<Result<Vec<Group>, String>>()?;
        if groups.is_empty() {
            return Err(format!(
                "`{text}` has no named group; write the figure as (?<rate>…), (?<total>…), \
                 (?<done>…) or (?<latency_ms>…)"
            ));
        }
        for (i, one) in groups.iter().enumerate() {
            if groups[..i].iter().any(|other| other.figure == one.figure) {
                return Err(format!(
                    "`{}` is told by two groups of the pattern",
                    one.figure
                ));
            }
        }
        let counts = groups.iter().filter(|g| COUNTS.contains(&g.figure));
        if counts.count() > 1 {
            return Err(
                "one of the groups rate, total and done is enough: each gives the throughput"
                    .into(),
            );
        }
        Ok(Self { regex, groups })
    }

    /// Whether it tells the throughput.
    #[must_use]
    pub fn tells_throughput(&self) -> bool {
        self.groups.iter().any(|g| COUNTS.contains(&g.figure))
    }

    /// What `line` tells; nothing of one that does not match or whose groups are no numbers.
    #[must_use]
    pub fn read(&self, line: &str) -> Told {
        let mut told = Told::default();
        let Some(found) = self.regex.captures(line) else {
            return told;
        };
        let mut point = Point::default();
        let mut sums = Latencies::default();
        for group in &self.groups {
            let number = found.name(&group.name).and_then(|m| number(m.as_str()));
            let Some(value) = number.map(|n| n * group.scale) else {
                continue;
            };
            let place = match group.figure {
                "latency" => &mut told.latency,
                "rate" => &mut point.rate,
                "total" => &mut point.total,
                "done" => &mut point.done,
                "p50" => &mut sums.p50,
                "p95" => &mut sums.p95,
                "p99" => &mut sums.p99,
                "p999" => &mut sums.p999,
                _ => &mut sums.max,
            };
            *place = Some(value);
        }
        if sums != Latencies::default() {
            point.latencies = Some(sums);
        }
        if point != Point::default() {
            told.point = Some(point);
        }
        told
    }
}

/// A number that is finite and not negative; programs write thousands apart by commas.
fn number(text: &str) -> Option<f64> {
    let text = text.trim().replace([',', '_'], "");
    let value: f64 = text.parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

fn group(name: &str) -> Result<Group, String> {
    if let Some(figure) = COUNTS.iter().find(|f| **f == name) {
        return Ok(Group {
            name: name.to_owned(),
            figure,
            scale: 1.0,
        });
    }
    let (figure, unit) = name.rsplit_once('_').unwrap_or((name, ""));
    let known = TIMES.iter().find(|f| **f == figure);
    let length = units::nanoseconds(unit).filter(|_| matches!(unit, "s" | "ms" | "us" | "ns"));
    match (known, length) {
        (Some(figure), Some(nanoseconds)) => Ok(Group {
            name: name.to_owned(),
            figure,
            scale: nanoseconds * 1e-9,
        }),
        (Some(figure), None) => Err(format!(
            "group `{name}` needs its unit: {figure}_s, {figure}_ms, {figure}_us or {figure}_ns"
        )),
        (None, _) => Err(format!(
            "group `{name}` is no figure; there are rate, total, done, and with a unit behind \
             them latency, p50, p95, p99, p999 and max (latency_ms)"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_their_figures() {
        let csv = r#"^"SET","(?<rate>[0-9.]+)",.*"(?<p50_ms>[0-9.]+)","(?<p99_ms>[0-9.]+)"$"#;
        let pattern = LinePattern::new(csv).unwrap();
        assert!(pattern.tells_throughput());
        let point = pattern
            .read(r#""SET","1234.5","0.1","0.25","1.5""#)
            .point
            .unwrap();
        assert_eq!(point.rate, Some(1234.5));
        let sums = point.latencies.unwrap();
        assert!((sums.p50.unwrap() - 250e-6).abs() < 1e-12);
        assert!((sums.p99.unwrap() - 1.5e-3).abs() < 1e-12);
        assert_eq!(pattern.read("something else"), Told::default());

        let pattern = LinePattern::new(r"took (?<latency_us>\S+) us").unwrap();
        assert!(!pattern.tells_throughput());
        assert!((pattern.read("took 1,500 us").latency.unwrap() - 1.5e-3).abs() < 1e-12);
        for line in ["took nan us", "took -3 us", "took inf us", "took x us"] {
            assert_eq!(pattern.read(line), Told::default(), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_told() {
        for (text, part) in [
            ("(", "is no pattern"),
            (r"(\d+)", "no named group"),
            (r"(?<ops>\d+)", "`ops` is no figure"),
            (r"(?<p99>\d+)", "p99_ms"),
            (r"(?<p99_min>\d+)", "p99_ms"),
            (r"(?<rate>\d+) (?<total>\d+)", "is enough"),
            (r"(?<p99_ms>\d+) (?<p99_us>\d+)", "by two groups"),
        ] {
            let error = LinePattern::new(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
