//! The summary that k6 prints at its end.
//!
//! ```text
//!   █ THRESHOLDS
//!
//!     http_req_duration
//!     ✓ 'p(95)<500' p(95)=7.94ms
//!
//!   █ TOTAL RESULTS
//!
//!     ✗ status is 200
//!       ↳  97% — ✓ 1957 / ✗ 40
//!
//!     HTTP
//!     http_req_duration..............: avg=2.95ms med=2.12ms p(90)=6.51ms p(95)=7.94ms
//!       { expected_response:true }...: avg=2.95ms med=2.12ms p(90)=6.51ms p(95)=7.94ms
//!     http_reqs......................: 1734   576.758923/s
//! ```
//!
//! Thresholds and checks are tests, as in its JSON (`load_json.rs`), and figures have the
//! names they have there. Checks of groups have no group here. Source: k6 1.8.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number, short, test};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome, Statistic};
use karat_model::units::nanoseconds;

/// What k6 prints.
pub static K6_TEXT: LineReader = LineReader {
    name: "k6",
    reads: "the summary that k6 prints",
    mark: |line| heading(line).is_some(),
    start: |_| Box::new(Log::default()),
};

const HEADING: Needle = Needle::new("\u{2588} ");

const WAKE: Wake = Wake {
    first: b" ",
    has: &[],
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Thresholds,
    Results,
}

#[derive(Default)]
struct Log {
    section: Option<Section>,
    /// The metric of the last line that had one.
    metric: String,
}

fn heading(line: &str) -> Option<Section> {
    match line.trim().strip_prefix("\u{2588} ")? {
        "THRESHOLDS" => Some(Section::Thresholds),
        "TOTAL RESULTS" => Some(Section::Results),
        _ => None,
    }
}

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.section.is_none().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.has(&HEADING)
            && let Some(section) = heading(text)
        {
            self.section = Some(section);
            return Claim::Owned;
        }
        let Some(section) = self.section else {
            return Claim::Passed;
        };
        if text.is_empty() {
            return Claim::Owned;
        }
        if line.first() != b' ' {
            *self = Self::default();
            return Claim::Passed;
        }
        let ticked = [("✓ ", Outcome::Passed), ("✗ ", Outcome::Failed)];
        let found = ticked
            .iter()
            .find_map(|(sign, outcome)| Some((text.strip_prefix(sign)?, *outcome)));
        match (section, found) {
            (Section::Thresholds, Some((limit, outcome))) => {
                let limit = limit.split('\'').nth(1).unwrap_or(limit);
                let name = format!("{} {limit}", self.metric);
                out(Event::Test(test("k6", &name, outcome)));
            }
            (Section::Results, Some((name, outcome))) => {
                out(Event::Test(test("k6", name, outcome)));
            }
            (Section::Thresholds, None) => self.metric = short(text),
            (Section::Results, None) => self.metric(text, out),
        }
        Claim::Owned
    }
}

impl Log {
    /// `name....: values`; a metric of a part of the requests stands below that of all.
    fn metric(&mut self, text: &str, out: &mut Sink<'_>) {
        let Some((name, values)) = text.split_once(": ") else {
            return;
        };
        let name = name.trim_end_matches('.');
        let part;
        let name = if name.starts_with('{') {
            part = format!("{}{}", self.metric, name.replace(' ', ""));
            &part
        } else {
            self.metric = short(name);
            name
        };
        if name.starts_with("checks_") {
            return;
        }
        for value in values.split_whitespace() {
            if let Some((statistic, time)) = value.split_once('=') {
                times(name, statistic, time, out);
            }
        }
        if let Some(rate) = rate(values) {
            out(Event::Figure(figure(
                "k6",
                name,
                rate,
                &format!("{name}/s"),
            )));
        }
    }
}

fn times(name: &str, statistic: &str, time: &str, out: &mut Sink<'_>) {
    let percent = match statistic {
        "avg" => None,
        "med" => Some("50"),
        "p(90)" => Some("90"),
        "p(95)" => Some("95"),
        _ => return,
    };
    let Some(time) = milliseconds(time) else {
        return;
    };
    let mut figure = figure("k6", name, time, "ms");
    match percent {
        Some(percent) => {
            let percent = percent.to_owned();
            figure.parameters.insert("percentile".to_owned(), percent);
        }
        None => figure.statistic = Some(Statistic::Mean),
    }
    out(Event::Figure(figure));
}

/// `7.94ms`, `250.01µs`, `1m5.2s`.
fn milliseconds(text: &str) -> Option<f64> {
    let mut sum = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let unit = rest.find(|c: char| c.is_alphabetic())?;
        let end = rest[unit..]
            .find(|c: char| !c.is_alphabetic())
            .map_or(rest.len(), |length| unit + length);
        let length = match &rest[unit..end] {
            "m" => 60e9,
            "h" => 3600e9,
            name => nanoseconds(name)?,
        };
        sum += number(&rest[..unit])? * length / 1e6;
        rest = &rest[end..];
    }
    Some(sum)
}

/// `1734   576.758923/s`, `330 kB 110 kB/s`.
fn rate(values: &str) -> Option<f64> {
    let words: Vec<&str> = values.split_whitespace().collect();
    let last = words.last()?.strip_suffix("/s")?;
    let scale = match last {
        "B" => 1.0,
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        _ => return number(last),
    };
    let value = words.get(words.len().checked_sub(2)?)?;
    Some(number(value)? * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_several_units() {
        assert_eq!(milliseconds("7.94ms"), Some(7.94));
        assert_eq!(milliseconds("1m5.5s"), Some(65_500.0));
        assert!((milliseconds("250µs").unwrap() - 0.25).abs() < 1e-12);
        assert_eq!(milliseconds("soon"), None);
        assert_eq!(milliseconds("5"), None);
    }

    #[test]
    fn rates_of_counts_and_of_bytes() {
        assert_eq!(rate("1734   576.5/s"), Some(576.5));
        assert_eq!(rate("330 kB 110 kB/s"), Some(110e3));
        assert_eq!(rate("2      min=2         max=2"), None);
        assert_eq!(rate("kB/s"), None);
    }
}
