//! redis-benchmark: its text, `-q` and `--csv`.
//!
//! Requests by second, mean latency and its percentiles 50 and 99. Source: Redis 7.0.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number, short};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};

/// What redis-benchmark prints.
pub static REDIS: LineReader = LineReader {
    name: "redis-benchmark",
    reads: "what redis-benchmark prints, with -q and --csv too",
    mark: |line| {
        line.starts_with(CSV) || line.contains("throughput summary: ") || quick(line).is_some()
    },
    start: |_| Box::new(Log::default()),
};

const CSV: &str = "\"test\",\"rps\"";

#[derive(Default)]
struct Log {
    /// Of a section of the text.
    test: String,
    /// The columns of the latencies that follow.
    columns: Vec<String>,
    /// The columns of CSV.
    csv: Vec<String>,
}

const SECTION: Needle = Needle::new("====== ");
const THROUGHPUT: Needle = Needle::new("throughput summary: ");
const LATENCY: Needle = Needle::new("latency summary (msec)");
const REQUESTS: Needle = Needle::new(" requests per second");
const CUMULATIVE: Needle = Needle::new(" milliseconds (cumulative count ");
const PROGRESS: Needle = Needle::new("rps=");

const WAKE: Wake = Wake {
    first: b"\"",
    has: &[SECTION, REQUESTS],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.test.is_empty().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.first() == b'"' {
            return self.csv(text, out);
        }
        if line.has(&SECTION)
            && let Some(at) = text.find(SECTION.text())
        {
            let name = text[at..].trim_matches(['=', ' ']);
            // The progress of the test before may stand on the line.
            if name.len() < 100 && text.ends_with(" ======") {
                self.test = short(name);
                return Claim::Owned;
            }
        }
        if line.has(&REQUESTS)
            && let Some((name, rate, rest)) = quick(text)
        {
            give(name, Some(rate), "request/s", None, out);
            if let Some((_, median)) = rest.split_once("p50=") {
                let value = number(median.split(' ').next().unwrap_or(""));
                give(name, value, "ms", Some("50"), out);
            }
            return Claim::Owned;
        }
        if self.test.is_empty() {
            return Claim::Passed;
        }
        if line.has(&THROUGHPUT) {
            let rest = text.split(THROUGHPUT.text()).nth(1).unwrap_or("");
            let value = number(rest.split(' ').next().unwrap_or(""));
            give(&self.test, value, "request/s", None, out);
            return Claim::Owned;
        }
        if line.has(&LATENCY) {
            self.columns = vec![String::new()];
            return Claim::Owned;
        }
        if !self.columns.is_empty() {
            let words: Vec<&str> = text.split_whitespace().collect();
            if self.columns.len() == 1 {
                self.columns = words.iter().map(|w| short(w)).take(16).collect();
                return Claim::Owned;
            }
            for (column, value) in std::mem::take(&mut self.columns).iter().zip(words) {
                self.latency(&self.test, column, number(value), out);
            }
            return Claim::Owned;
        }
        match line.has(&CUMULATIVE) || line.has(&PROGRESS) {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }
}

impl Log {
    fn latency(&self, test: &str, column: &str, value: Option<f64>, out: &mut Sink<'_>) {
        match column {
            "avg" | "avg_latency_ms" => give(test, value, "ms", Some("mean"), out),
            "p50" | "p50_latency_ms" => give(test, value, "ms", Some("50"), out),
            "p99" | "p99_latency_ms" => give(test, value, "ms", Some("99"), out),
            "rps" => give(test, value, "request/s", None, out),
            _ => {}
        }
    }

    fn csv(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        if text.starts_with(CSV) {
            self.csv = text
                .split(',')
                .map(|f| short(f.trim_matches('"')))
                .take(32)
                .collect();
            return Claim::Owned;
        }
        // A test's name may hold commas: `"LPUSH (needed to …, …)"`.
        let fields: Vec<&str> = text.trim_matches('"').split("\",\"").collect();
        if self.csv.len() != fields.len() || fields.len() < 2 {
            return Claim::Passed;
        }
        for (column, value) in self.csv.iter().zip(&fields).skip(1) {
            self.latency(fields[0], column, number(value), out);
        }
        Claim::Owned
    }
}

/// A rate, or a latency of a percentile or the mean.
fn give(test: &str, value: Option<f64>, unit: &str, of: Option<&str>, out: &mut Sink<'_>) {
    let Some(value) = value else { return };
    let name = if of.is_some() { "latency" } else { "requests" };
    let mut figure = figure(test, name, value, unit);
    match of {
        Some("mean") => figure.statistic = Some(Statistic::Mean),
        Some(percentile) => {
            figure
                .parameters
                .insert("percentile".to_owned(), percentile.to_owned());
        }
        None => {}
    }
    out(Event::Figure(figure));
}

/// `GET: 42918.46 requests per second, p50=0.399 msec`.
fn quick(text: &str) -> Option<(&str, f64, &str)> {
    let (front, rest) = text.split_once(" requests per second")?;
    let (name, value) = front.rsplit_once(": ")?;
    let name = name.rsplit("  ").next().unwrap_or(name).trim();
    if name.contains("summary") {
        return None;
    }
    Some((name, number(value)?, rest))
}
