//! google-benchmark's table on the console.
//!
//! Each row gives its times `real` and `cpu`, told apart by the parameter `metric`,
//! as in the JSON. What the library computed of repetitions (`_mean`, …) is left out
//! behind those repetitions; where only aggregates are shown, the mean is the benchmark's
//! figure. A benchmark may be called `sum_mean` itself: only where `sum_median` follows, of
//! as many repetitions, it is an aggregate.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, message, short};
use super::sleep::Wake;
use crate::google_benchmark::{Row, is_header, row};
use crate::text::lines;
use karat_model::log::{Event, Figure, Level, Statistic};

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
            held: None,
        }))
    }
}

struct Log {
    active: bool,
    /// The name of the last row that was no aggregate.
    last: String,
    /// A row that may be the mean of repetitions that are not shown, and its counters.
    held: Option<(Row, Vec<Figure>)>,
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
            self.release(out);
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
            self.release(out);
            // `sum_cv` is in percent, and no row of times.
            let name = text.split_whitespace().next().unwrap_or("");
            return match self.is_of_last(name) {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        };
        if let Some((mut mean, mut counters)) = self.held.take() {
            let base = mean.name.strip_suffix("_mean").unwrap_or(&mean.name);
            let median = row.name.strip_suffix("_median") == Some(base);
            if median && row.iterations == mean.iterations {
                let base = base.to_owned();
                for counter in &mut counters {
                    counter.name.clone_from(&base);
                }
                self.last.clone_from(&base);
                mean.name = base;
            } else {
                self.last.clone_from(&mean.name);
            }
            give(&mean, counters, out);
        }
        if self.is_of_last(&row.name) {
            return Claim::Owned;
        }
        let counters = super::counters::in_row(&row.name, text);
        if row.name.ends_with("_mean") {
            self.held = Some((row, counters));
        } else {
            self.last.clone_from(&row.name);
            give(&row, counters, out);
        }
        Claim::Owned
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.release(out);
        Ok(())
    }
}

impl Log {
    /// Whether a name is that of an aggregate of the last benchmark.
    fn is_of_last(&self, name: &str) -> bool {
        let ends = ["_mean", "_median", "_stddev", "_cv", "_min", "_max"];
        let end = name.strip_prefix(self.last.as_str());
        !self.last.is_empty() && end.is_some_and(|end| ends.contains(&end))
    }

    /// Gives a row for which no median came.
    fn release(&mut self, out: &mut Sink<'_>) {
        if let Some((row, counters)) = self.held.take() {
            self.last.clone_from(&row.name);
            give(&row, counters, out);
        }
    }
}

fn give(row: &Row, counters: Vec<Figure>, out: &mut Sink<'_>) {
    for (metric, (value, unit)) in [("real", row.real), ("cpu", row.cpu)] {
        let mut figure = figure("", &short(&row.name), value, unit);
        figure.statistic = Some(Statistic::Mean);
        figure
            .parameters
            .extend([("metric".to_owned(), metric.to_owned())]);
        out(Event::Figure(figure));
    }
    for counter in counters {
        out(Event::Figure(counter));
    }
}
