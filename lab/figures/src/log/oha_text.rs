//! The summary that oha prints at its end.
//!
//! ```text
//! Summary:
//!   Success rate:	100.00%
//!   Average:	0.7811 ms
//!   Requests/sec:	2498.2101
//!
//! Response time distribution:
//!   50.00% in 0.6221 ms
//!
//! Status code distribution:
//!   [404] 400 responses
//! ```
//!
//! Figures and errors have the names they have in its JSON (`load_json.rs`). Source:
//! oha 1.16.

use super::line::Line;
use super::line_reader::LineReader;
use super::load_json::{answers, percentile};
use super::reader::{Claim, LogState, Sink};
use super::scan::{failures, figure, number};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};
use karat_model::units::nanoseconds;

/// What oha prints.
pub static OHA_TEXT: LineReader = LineReader {
    name: "oha",
    reads: "the summary that oha prints (--no-tui)",
    mark: |line| line.starts_with(SUCCESS),
    start: |_| Box::new(Log::default()),
};

const SUCCESS: &str = "  Success rate:\t";

const WAKE: Wake = Wake {
    first: b" S",
    has: &[],
};

#[derive(Default, PartialEq, Eq)]
enum Part {
    /// Before oha's summary, or its heading, which others have too.
    #[default]
    Other,
    Heading,
    Summary,
    Histogram,
    Distribution,
    Details,
    Status,
    Errors,
}

#[derive(Default)]
struct Log {
    part: Part,
}

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (self.part == Part::Other).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if text == "Summary:" {
            self.part = Part::Heading;
            return Claim::Passed;
        }
        if text.starts_with(SUCCESS) {
            self.part = Part::Summary;
            return Claim::Owned;
        }
        if matches!(self.part, Part::Other | Part::Heading) {
            self.part = Part::Other;
            return Claim::Passed;
        }
        if text.is_empty() {
            return Claim::Owned;
        }
        let heading = [
            ("Response time histogram:", Part::Histogram),
            ("Response time distribution:", Part::Distribution),
            // Those of parts of the requests (`--stats-success-breakdown`).
            ("Response time ", Part::Details),
            ("Details (", Part::Details),
            ("Status code distribution:", Part::Status),
            ("Error distribution:", Part::Errors),
        ];
        if let Some((_, part)) = heading.into_iter().find(|(h, _)| text.starts_with(h)) {
            self.part = part;
            return Claim::Owned;
        }
        if line.first() != b' ' {
            self.part = Part::Other;
            return Claim::Passed;
        }
        self.value(text.trim_start(), out);
        Claim::Owned
    }
}

impl Log {
    fn value(&self, text: &str, out: &mut Sink<'_>) {
        match self.part {
            Part::Summary => {
                let Some((key, value)) = text.split_once(":\t") else {
                    return;
                };
                if key == "Requests/sec"
                    && let Some(rate) = number(value)
                {
                    out(Event::Figure(figure("oha", "requests", rate, "request/s")));
                } else if key == "Average"
                    && let Some(seconds) = seconds(value)
                {
                    let mut figure = figure("oha", "latency", seconds, "s");
                    figure.statistic = Some(Statistic::Mean);
                    out(Event::Figure(figure));
                }
            }
            Part::Distribution => {
                let Some((percent, time)) = text.split_once("% in ") else {
                    return;
                };
                let known = [("50.00", "50"), ("90.00", "90"), ("99.00", "99")];
                if let Some((_, percent)) = known.iter().find(|(text, _)| *text == percent) {
                    percentile("oha", "latency", percent, seconds(time), "s", out);
                }
            }
            Part::Status | Part::Errors => {
                // `[404] 400 responses`, `[12] connection refused`
                let inside = text
                    .strip_prefix('[')
                    .and_then(|rest| rest.split_once("] "));
                let Some((first, rest)) = inside else { return };
                if self.part == Part::Errors {
                    failures("oha", rest, number(first).unwrap_or(0.0), out);
                } else if first.starts_with(['4', '5']) {
                    let count = rest.split(' ').next().and_then(number);
                    failures("oha", &answers(first), count.unwrap_or(0.0), out);
                }
            }
            _ => {}
        }
    }
}

/// `0.7811 ms`, `1.5 sec`, and units of ten: `3.2 10 sec`.
fn seconds(text: &str) -> Option<f64> {
    let (value, unit) = text.split_once(' ')?;
    let unit = match unit {
        "sec" => 1.0,
        "10 sec" => 10.0,
        "min" => 60.0,
        "10 min" => 600.0,
        "hr" => 3600.0,
        unit => nanoseconds(unit)? / 1e9,
    };
    Some(number(value)? * unit)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_of_all_units() {
        let near = |text: &str, value: f64| {
            assert!(seconds(text).is_some_and(|s| (s - value).abs() < 1e-12 * value));
        };
        near("0.7811 ms", 0.000_781_1);
        near("1.5000 sec", 1.5);
        near("3.2000 10 sec", 32.0);
        near("2.0000 min", 120.0);
        assert_eq!(seconds("NaN ms"), None);
        assert_eq!(seconds("5"), None);
    }
}
