//! JSON documents of benchmark tools, read by the readers of measurements.
//!
//! A figure is the tool's own statistic; the repetitions it comes from are its samples. A document
//! is kept in memory until it is whole, 256 MiB of it at most.

use super::reader::{Confidence, DocumentState, LogReader, Sink, State};
use super::scan::short;
use crate::error::ReadError;
use crate::reader::{Measurement, Reader};
use crate::text::first_byte;
use karat_log::json_reader::WholeText;
use karat_model::log::{Event, Figure, Statistic};
use std::collections::BTreeMap;

/// The JSON of one tool.
pub struct Document {
    reader: &'static dyn Reader,
    reads: &'static str,
    /// What the tool reports of its repetitions; a figure for each.
    statistics: &'static [Statistic],
    /// The first byte of the tool's JSON; other texts of the tool are read by lines.
    first: u8,
}

/// Google Benchmark's JSON.
pub static GOOGLE_BENCHMARK: Document = Document {
    reader: &crate::google_benchmark::GoogleBenchmark,
    reads: "google-benchmark's JSON (--benchmark_format=json)",
    statistics: &[Statistic::Mean],
    first: b'{',
};
/// hyperfine's JSON.
pub static HYPERFINE: Document = Document {
    reader: &crate::hyperfine::Hyperfine,
    reads: "hyperfine's JSON (--export-json)",
    statistics: &[Statistic::Mean],
    first: b'{',
};
/// pytest-benchmark's JSON.
pub static PYTEST_BENCHMARK: Document = Document {
    reader: &crate::pytest::Pytest,
    reads: "pytest-benchmark's JSON (--benchmark-json)",
    statistics: &[Statistic::Least, Statistic::Mean, Statistic::Median],
    first: b'{',
};
/// JMH's JSON.
pub static JMH: Document = Document {
    reader: &crate::jmh::Jmh,
    reads: "JMH's JSON (-rf json)",
    statistics: &[Statistic::Mean],
    first: b'[',
};
/// A `sample.json` of criterion.
pub static CRITERION: Document = Document {
    reader: &crate::criterion::Criterion,
    reads: "a sample.json of criterion's folder",
    statistics: &[Statistic::Mean],
    first: b'{',
};

impl LogReader for Document {
    fn name(&self) -> &'static str {
        self.reader.name()
    }

    fn reads(&self) -> &'static str {
        self.reads
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match first_byte(head) == Some(self.first) && self.reader.recognises(head) {
            true => Confidence::Document,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Document(Box::new(Whole {
            reader: self.reader,
            statistics: self.statistics,
            text: WholeText::default(),
        }))
    }
}

struct Whole {
    reader: &'static dyn Reader,
    statistics: &'static [Statistic],
    text: WholeText,
}

impl DocumentState for Whole {
    fn bytes(&mut self, piece: &[u8], _: &mut Sink<'_>) {
        self.text.push(piece);
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), ReadError> {
        let text = self.text.all(self.reader.name())?;
        for measurement in self.reader.read(text)? {
            figures(measurement, self.statistics, out);
        }
        if self.reader.name() == GOOGLE_BENCHMARK.name() {
            let counters = super::counters::in_json(text);
            counters
                .into_iter()
                .for_each(|counter| out(Event::Figure(counter)));
        }
        Ok(())
    }
}

fn figures(measurement: Measurement, statistics: &[Statistic], out: &mut Sink<'_>) {
    let (name, mut parameters) = split(&measurement.name);
    // The only metric of most tools; no parameter is needed to tell it apart.
    if measurement.metric != "time" && measurement.metric != measurement.unit {
        parameters.insert("metric".to_owned(), short(&measurement.metric));
    }
    let better = karat_model::units::better(&measurement.unit);
    let samples = measurement.repetitions;
    // They are the same of all statistics, and are told once.
    let told = match statistics {
        [only] => *only,
        _ => Statistic::Mean,
    };
    for statistic in statistics {
        let value = of(*statistic, &samples);
        if !value.is_finite() {
            continue;
        }
        out(Event::Figure(Figure {
            section: String::new(),
            name: short(name),
            parameters: parameters.clone(),
            value,
            statistic: Some(*statistic),
            samples: match *statistic == told {
                true => samples.clone(),
                false => Vec::new(),
            },
            unit: short(&measurement.unit),
            better,
        }));
    }
}

/// A statistic of samples; not finite if there are none.
pub(super) fn of(statistic: Statistic, samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    match (statistic, sorted.len()) {
        (_, 0) => f64::NAN,
        (Statistic::Mean | Statistic::Slope, count) => samples.iter().sum::<f64>() / count as f64,
        (Statistic::Median, count) => f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
        (Statistic::Least, _) => sorted[0],
    }
}

/// `name (a=1, b=2)` as name and parameters.
fn split(name: &str) -> (&str, BTreeMap<String, String>) {
    let inside = name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once(" ("));
    if let Some((front, inside)) = inside {
        let pairs: Option<BTreeMap<String, String>> = inside
            .split(", ")
            .map(|pair| pair.split_once('=').map(|(k, v)| (short(k), short(v))))
            .collect();
        if let Some(pairs) = pairs {
            return (front, pairs);
        }
    }
    (name, BTreeMap::new())
}
