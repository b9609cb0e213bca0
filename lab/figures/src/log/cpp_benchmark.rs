//! google-benchmark's table on the console.
//!
//! Each row gives its times `real` and `cpu`, told apart by the parameter `metric`,
//! as in the JSON. What the library computed of repetitions (`_mean`, …) is left out
//! behind those repetitions; where only aggregates are shown, mean and median are
//! figures under their own names.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, message, short};
use super::sleep::Wake;
use crate::google_benchmark::{is_header, row};
use crate::text::lines;
use karat_model::log::{Event, Level, Statistic};

/// Google Benchmark's table.
pub struct GoogleBenchmark;

impl LogReader for GoogleBenchmark {
    fn name(&self) -> &'static str {
        "google-benchmark"
    }

    fn reads(&self) -> &'static str {
        "google-benchmark's table on the console"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| is_header(&line)) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, known: Confidence) -> State {
        State::Lines(Box::new(Log {
            active: known >= Confidence::Lines,
            last: String::new(),
        }))
    }
}

struct Log {
    active: bool,
    /// The name of the last row that was no aggregate.
    last: String,
}

const ERROR: Needle = Needle::new("ERROR OCCURRED: ");

const WAKE: Wake = Wake {
    first: b"B",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text;
        if line.first() == b'B' && is_header(text) {
            self.active = true;
            return Claim::Owned;
        }
        if !self.active || line.first() <= b' ' {
            return Claim::Passed;
        }
        if let Some(at) = line.find(&ERROR) {
            let what = format!(
                "{}: {}",
                text[..at].trim(),
                &text[at + ERROR.text().len()..]
            );
            out(message(Level::Error, None, None, &what));
            return Claim::Owned;
        }
        let Some(Ok(row)) = row(0, text) else {
            return Claim::Passed;
        };
        let is_of_last = |end: &str| row.name.strip_suffix(end) == Some(&self.last);
        if ["_mean", "_median", "_stddev", "_cv", "_min", "_max"]
            .iter()
            .any(|end| is_of_last(end))
            || row.name.ends_with("_stddev")
        {
            return Claim::Owned;
        }
        if !row.name.ends_with("_mean") && !row.name.ends_with("_median") {
            self.last.clone_from(&row.name);
        }
        for (metric, (value, unit)) in [("real", row.real), ("cpu", row.cpu)] {
            let mut figure = figure("", &short(&row.name), value, unit);
            figure.statistic = Some(Statistic::Mean);
            figure
                .parameters
                .extend([("metric".to_owned(), metric.to_owned())]);
            out(Event::Figure(figure));
        }
        for counter in super::counters::in_row(&row.name, text) {
            out(Event::Figure(counter));
        }
        Claim::Owned
    }
}
