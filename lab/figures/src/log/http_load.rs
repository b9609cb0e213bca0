//! wrk and ab (ApacheBench): rates, latencies and their percentiles.
//!
//! Requests that failed, or were answered with an error, are errors. Source: wrk 4.1,
//! ab 2.3.

use super::line::Line;
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{failures, figure, number, scaled, short, word};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};
use karat_model::units::nanoseconds;

/// What wrk prints.
pub static WRK: LineReader = LineReader {
    name: "wrk",
    reads: "what wrk prints",
    mark: |line| line.starts_with("Running ") && line.contains(" test @ "),
    start: |_| Box::new(Wrk { active: false }),
};

/// What ab prints.
pub static AB: LineReader = LineReader {
    name: "ab",
    reads: "what ab (ApacheBench) prints",
    mark: |line| line.starts_with("This is ApacheBench"),
    start: |_| {
        Box::new(Ab {
            active: false,
            percentiles: false,
        })
    },
};

fn percentile(section: &str, percent: &str, value: f64, unit: &str, out: &mut Sink<'_>) {
    let mut figure = figure(section, "latency", value, unit);
    figure
        .parameters
        .insert("percentile".to_owned(), short(percent));
    out(Event::Figure(figure));
}

const WRK_WAKES: Wake = Wake {
    first: b"R",
    has: &[],
};

const AB_WAKES: Wake = Wake {
    first: b"T",
    has: &[],
};

struct Wrk {
    active: bool,
}

/// `2.58ms`, `1.02s`.
fn time(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| c.is_ascii_alphabetic())?;
    nanoseconds(&text[end..])?;
    Some((number(&text[..end])?, &text[end..]))
}

impl LogState for Wrk {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WRK_WAKES)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.first() == b'R' && text.starts_with("Running ") && text.contains(" test @ ") {
            self.active = true;
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        let Some((first, rest)) = word(text) else {
            return Claim::Passed;
        };
        let second = word(rest).map_or("", |(second, _)| second);
        match first {
            "Requests/sec:" => {
                if let Some(value) = scaled(second) {
                    out(Event::Figure(figure("wrk", "requests", value, "request/s")));
                }
            }
            "Transfer/sec:" => {
                self.active = false;
                let end = second
                    .find(|c: char| c.is_ascii_alphabetic())
                    .unwrap_or(second.len());
                if let Some(value) = number(&second[..end]) {
                    let unit = format!(
                        "{}/s",
                        second[end..]
                            .replace('K', "Ki")
                            .replace('M', "Mi")
                            .replace('G', "Gi")
                    );
                    out(Event::Figure(figure("wrk", "transfer", value, &unit)));
                }
            }
            "Latency" if second != "Distribution" => {
                if let Some((value, unit)) = time(second) {
                    let mut figure = figure("wrk", "latency", value, unit);
                    figure.statistic = Some(Statistic::Mean);
                    out(Event::Figure(figure));
                }
            }
            "Socket" => {
                // `Socket errors: connect 0, read 14, write 0, timeout 0`
                let kinds = text.split_once(": ").map_or("", |(_, kinds)| kinds);
                for kind in kinds.split(", ") {
                    if let Some((kind, count)) = kind.split_once(' ') {
                        let what = format!("socket errors ({})", short(kind));
                        failures("wrk", &what, number(count).unwrap_or(0.0), out);
                    }
                }
            }
            "Non-2xx" => {
                let count = text.split_once(": ").and_then(|(_, n)| number(n.trim()));
                failures("wrk", "non-2xx or 3xx responses", count.unwrap_or(0.0), out);
            }
            _ => {
                if let (Some(percent), Some((value, unit))) =
                    (first.strip_suffix('%'), time(second))
                {
                    percentile("wrk", percent, value, unit, out);
                }
                return match line.first() {
                    b' ' => Claim::Owned,
                    _ => Claim::Passed,
                };
            }
        }
        Claim::Owned
    }
}

struct Ab {
    active: bool,
    percentiles: bool,
}

impl LogState for Ab {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&AB_WAKES)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.first() == b'T' && text.starts_with("This is ApacheBench") {
            (self.active, self.percentiles) = (true, false);
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        if text.starts_with("Percentage of the requests served") {
            self.percentiles = true;
            return Claim::Owned;
        }
        if self.percentiles
            && let Some((percent, rest)) = text.split_once('%')
        {
            let value = word(rest).and_then(|(value, _)| number(value));
            // The slowest request alone is told as 100 %.
            if let (Some(value), true) = (value, ["50", "90", "99"].contains(&percent)) {
                percentile("ab", percent, value, "ms", out);
            }
            self.active = percent != "100";
            return Claim::Owned;
        }
        let Some((key, value)) = text.split_once(':') else {
            return Claim::Passed;
        };
        let Some((value, rest)) = word(value) else {
            return Claim::Passed;
        };
        let number = number(value);
        match (key, number) {
            ("Requests per second", Some(value)) => {
                out(Event::Figure(figure("ab", "requests", value, "request/s")));
            }
            ("Time per request", Some(value)) if !rest.contains("across") => {
                let mut figure = figure("ab", "latency", value, "ms");
                figure.statistic = Some(Statistic::Mean);
                out(Event::Figure(figure));
            }
            ("Transfer rate", Some(value)) => {
                out(Event::Figure(figure("ab", "transfer", value, "KiB/s")));
            }
            ("Failed requests" | "Non-2xx responses" | "Write errors", Some(value))
                if value > 0.0 =>
            {
                failures("ab", &key.to_lowercase(), value, out);
            }
            ("Failed requests" | "Complete requests" | "Time per request", _) => {}
            _ => return Claim::Passed,
        }
        Claim::Owned
    }
}
