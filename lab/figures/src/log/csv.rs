//! CSV of benchmark tools: hyperfine's (`--export-csv`) and google-benchmark's
//! (`--benchmark_format=csv`), with its counters.
//!
//! Means, under the names and parameters that the tools' other formats give them.

use super::counters;
use super::line::Line;
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, message, number, short};
use super::sleep::Wake;
use karat_model::log::{Event, Level, Statistic};

/// hyperfine's table.
pub static HYPERFINE_CSV: LineReader = LineReader {
    name: "hyperfine",
    reads: "hyperfine's CSV (--export-csv)",
    mark: |line| line.starts_with(HYPERFINE),
    start: |_| {
        Box::new(Log {
            first: HYPERFINE,
            ..Log::default()
        })
    },
};

/// Google Benchmark's table.
pub static GOOGLE_BENCHMARK_CSV: LineReader = LineReader {
    name: "google-benchmark",
    reads: "google-benchmark's CSV (--benchmark_format=csv)",
    mark: |line| line.starts_with(GOOGLE),
    start: |_| {
        Box::new(Log {
            first: GOOGLE,
            ..Log::default()
        })
    },
};

const HYPERFINE: &str = "command,mean,stddev,median,user,system,min,max";
const GOOGLE: &str = "name,iterations,real_time,cpu_time,time_unit,";

#[derive(Default)]
struct Log {
    /// The columns of the tool's that are always there.
    first: &'static str,
    columns: Vec<String>,
    /// The last benchmark that was no aggregate.
    last: String,
    /// A row that may be the mean of repetitions that are not shown.
    held: Option<Vec<String>>,
}

const WAKE: Wake = Wake {
    first: b"cn",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.columns.is_empty().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let may = matches!(line.first(), b'c' | b'n');
        if may && line.text.starts_with(self.first) {
            self.columns = fields(line.text);
            return Claim::Owned;
        }
        if self.columns.is_empty() || !line.text.contains(',') {
            self.release(out);
            self.columns.clear();
            return Claim::Passed;
        }
        let fields = fields(line.text);
        if fields.len() != self.columns.len() {
            return Claim::Passed;
        }
        match self.first == HYPERFINE {
            true => self.hyperfine(&fields, out),
            false => self.google(&fields, out),
        }
        Claim::Owned
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.release(out);
        Ok(())
    }
}

impl Log {
    /// Gives a row behind which no median came.
    fn release(&mut self, out: &mut Sink<'_>) {
        if let Some(row) = self.held.take() {
            self.row(&row[0], &row, out);
        }
    }

    fn get<'a>(&self, fields: &'a [String], column: &str) -> &'a str {
        let at = self.columns.iter().position(|c| c == column);
        at.and_then(|at| fields.get(at)).map_or("", String::as_str)
    }

    fn hyperfine(&self, fields: &[String], out: &mut Sink<'_>) {
        let Some(mean) = number(self.get(fields, "mean")) else {
            return;
        };
        let mut figure = figure("", self.get(fields, "command"), mean, "s");
        figure.statistic = Some(Statistic::Mean);
        let parameters = self.columns.iter().zip(fields);
        let parameters =
            parameters.filter_map(|(c, v)| Some((short(c.strip_prefix("parameter_")?), short(v))));
        figure.parameters.extend(parameters);
        out(Event::Figure(figure));
    }

    fn google(&mut self, fields: &[String], out: &mut Sink<'_>) {
        let name = self.get(fields, "name");
        if self.get(fields, "error_occurred") == "true" {
            let what = format!("{name}: {}", self.get(fields, "error_message"));
            out(message(Level::Error, None, None, &what));
            return;
        }
        // What the library computed of repetitions stands behind those.
        let aggregate = name.strip_prefix(&self.last).is_some_and(|end| {
            !self.last.is_empty() && ["_mean", "_median", "_stddev", "_cv"].contains(&end)
        });
        if aggregate {
            return;
        }
        if let Some(mean) = self.held.take() {
            // A mean whose repetitions are not shown: its median follows.
            let base = mean[0].strip_suffix("_mean").unwrap_or(&mean[0]).to_owned();
            let alone = name.strip_suffix("_median") == Some(&base);
            let told = if alone { &base } else { &mean[0] };
            self.last = short(told);
            self.row(told, &mean, out);
            return match alone {
                true => {}
                false => self.google(fields, out),
            };
        }
        if name.ends_with("_mean") {
            self.held = Some(fields.to_vec());
            return;
        }
        self.last = short(name);
        self.row(name, fields, out);
    }

    fn row(&self, name: &str, fields: &[String], out: &mut Sink<'_>) {
        let unit = self.get(fields, "time_unit");
        for (column, metric) in [("real_time", "real"), ("cpu_time", "cpu")] {
            if let Some(value) = number(self.get(fields, column)) {
                let mut figure = figure("", name, value, unit);
                figure.statistic = Some(Statistic::Mean);
                figure
                    .parameters
                    .insert("metric".to_owned(), metric.to_owned());
                out(Event::Figure(figure));
            }
        }
        for (column, value) in self.columns.iter().zip(fields).skip(5) {
            let known = ["label", "error_occurred", "error_message"].contains(&column.as_str());
            if let (false, Some(value)) = (known, number(value)) {
                out(Event::Figure(counters::figure(name, column, value, false)));
            }
        }
    }
}

/// The fields of a line of CSV (RFC 4180).
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                push(&mut out, '"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted && out.len() < 256 => out.push(String::new()),
            c => push(&mut out, c),
        }
    }
    out
}

fn push(fields: &mut [String], c: char) {
    if let Some(last) = fields.last_mut() {
        last.push(c);
    }
}
