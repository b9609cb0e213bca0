//! pyperf: its JSON (`-o`), and the lines with its means.
//!
//! Source: pyperf 2.10.

use super::json_reader::{JsonReader, list, text};
use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number, word};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};
use serde_json::Value;

/// pyperf's JSON.
pub static PYPERF_JSON: JsonReader = JsonReader {
    name: "pyperf",
    reads: "pyperf's JSON (-o FILE)",
    keys: &["\"benchmarks\"", "\"runs\"", "\"metadata\""],
    read: document,
};

/// pyperf's text.
pub static PYPERF: LineReader = LineReader {
    name: "pyperf",
    reads: "the text that pyperf prints",
    mark: |line| mean(line).is_some(),
    start: |_| Box::new(Log),
};

struct Log;

const MEAN: Needle = Needle::new(": Mean +- std dev: ");

const WAKE: Wake = Wake {
    first: b"",
    has: &[MEAN],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let Some((name, value, unit)) = mean(line.text) else {
            return Claim::Passed;
        };
        let mut figure = figure("", name, value, unit);
        figure.statistic = Some(Statistic::Mean);
        out(Event::Figure(figure));
        Claim::Owned
    }
}

/// `sum: Mean +- std dev: 25.1 us +- 19.8 us`.
fn mean(text: &str) -> Option<(&str, f64, &str)> {
    let (name, rest) = text.split_once(": Mean +- std dev: ")?;
    let (value, rest) = word(rest)?;
    let (unit, _) = word(rest)?;
    Some((name, number(value)?, unit))
}

fn document(value: &Value, out: &mut Sink<'_>) -> Option<()> {
    // Of a single benchmark the name is the file's.
    let file = value.get("metadata");
    for benchmark in value.get("benchmarks")?.as_array()? {
        let own = benchmark.get("metadata");
        let named = |key: &str| {
            let found = [own, file]
                .into_iter()
                .flatten()
                .map(|from| text(from, key));
            found.into_iter().find(|found| !found.is_empty())
        };
        let unit = match named("unit") {
            None | Some("second") => "s",
            Some("byte") => "B",
            Some(_) => "",
        };
        // Runs that only calibrate have no values.
        let runs = list(benchmark, "runs").iter();
        let samples: Vec<f64> = runs
            .flat_map(|run| list(run, "values"))
            .filter_map(Value::as_f64)
            .filter(|value| value.is_finite() && *value >= 0.0)
            .collect();
        if samples.is_empty() {
            continue;
        }
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        let mut figure = figure("", named("name")?, mean, unit);
        figure.statistic = Some(Statistic::Mean);
        figure.samples = samples;
        out(Event::Figure(figure));
    }
    Some(())
}
