//! JMH's text: its iterations, or its table where it prints none.
//!
//! `# Benchmark: tiny.Tiny.sum`, `# Parameters: (n = 64)`, and `Iteration   1: 5.672
//! ops/us` are one figure for each measured iteration, with the mode as parameter.
//! With `-v SILENT` only the table at the end is left; its rows are figures then.
//! Source: `TextReportFormat.java` and `TextResultFormat.java` of JMH 1.37.

use super::line::Line;
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{fact, figure, number, short, word};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Event, Figure, Statistic};

/// JMH's table.
pub struct Jmh;

impl LogReader for Jmh {
    fn name(&self) -> &'static str {
        "jmh"
    }

    fn reads(&self) -> &'static str {
        "the text that JMH prints"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        let own = |line: &str| line.starts_with("# JMH version: ") || columns(line).is_some();
        match lines(head).any(|(_, line)| own(&line)) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log::default()))
    }
}

#[derive(Default)]
struct Log {
    benchmark: String,
    mode: &'static str,
    parameters: Vec<(String, String)>,
    /// Iterations were printed, so the table says nothing new.
    iterations: bool,
    /// The names of the table's parameters, once its heading was there.
    table: Option<Vec<String>>,
}

const MODES: &[(&str, &str)] = &[
    ("Throughput", "thrpt"),
    ("Average time", "avgt"),
    ("Sampling time", "sample"),
    ("Single shot invocation time", "ss"),
];

const WAKE: Wake = Wake {
    first: b"#IB",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.table.is_none().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        match line.first() {
            b'#' => self.comment(line.text, out),
            b'I' => self.iteration(line.text, out),
            b'B' => match columns(line.text) {
                Some(columns) => {
                    self.table = Some(columns);
                    Claim::Owned
                }
                None => self.row(line.text, out),
            },
            0 => {
                // The table ends a run, and what follows may be another one.
                self.iterations &= self.table.take().is_none();
                Claim::Passed
            }
            _ => self.row(line.text, out),
        }
    }
}

impl Log {
    fn comment(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let Some((key, value)) = text[1..].trim_start().split_once(": ") else {
            return Claim::Passed;
        };
        match key {
            "Benchmark" => {
                self.benchmark = short(value);
                self.parameters.clear();
            }
            "Benchmark mode" => {
                let mode = MODES.iter().find(|(name, _)| value.starts_with(name));
                self.mode = mode.map_or("", |(_, mode)| mode);
            }
            "Parameters" => {
                let inside = value.trim().trim_start_matches('(').trim_end_matches(')');
                let pairs = inside.split(", ").filter_map(|pair| pair.split_once(" = "));
                self.parameters = pairs.take(16).map(|(k, v)| (short(k), short(v))).collect();
            }
            "VM version" => out(fact("jdk", value)),
            "VM options" => out(fact("jvm options", value)),
            "JMH version" => out(fact("jmh", value)),
            _ => return Claim::Passed,
        }
        Claim::Owned
    }

    /// `Iteration   1: 5.672 ops/us`; warm-up has other words.
    fn iteration(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let value = || {
            let (count, rest) = text.strip_prefix("Iteration ")?.split_once(": ")?;
            count.trim().parse::<u32>().ok()?;
            let (value, rest) = word(rest)?;
            // Of the mode `sample`: `n = 1234, mean = 5 us/op, …`.
            if value == "n" {
                let (_, mean) = rest.split_once("mean = ")?;
                let (value, rest) = word(mean)?;
                return Some((number(value)?, word(rest)?.0.trim_end_matches(',')));
            }
            // The error of several threads stands between value and unit.
            Some((number(value)?, rest.split_whitespace().next_back()?))
        };
        if self.benchmark.is_empty() {
            return Claim::Passed;
        }
        let Some((value, unit)) = value() else {
            return Claim::Passed;
        };
        self.iterations = true;
        let figure = self.figure(&self.benchmark, value, unit, self.mode, &self.parameters);
        out(Event::Figure(figure));
        Claim::Owned
    }

    fn figure(
        &self,
        name: &str,
        value: f64,
        unit: &str,
        mode: &str,
        parameters: &[(String, String)],
    ) -> Figure {
        let mut figure = figure("", name, value, unit);
        figure.parameters.extend(parameters.iter().cloned());
        figure.statistic = Some(Statistic::Mean);
        let metric = ("metric".to_owned(), mode.to_owned());
        figure.parameters.extend([metric]);
        figure
    }

    /// `Tiny.sum   64  thrpt    4  13.998 ± 60.631  ops/us`.
    fn row(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let Some(names) = &self.table else {
            return Claim::Passed;
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(at) = words
            .iter()
            .position(|w| MODES.iter().any(|(_, mode)| mode == w))
        else {
            return Claim::Passed;
        };
        if at != names.len() + 1 {
            return Claim::Passed;
        }
        // With one iteration there is no count and no error.
        let rest = &words[at + 1..];
        let rest = match rest.get(1).is_some_and(|w| number(w).is_some()) {
            true => &rest[1..],
            false => rest,
        };
        let (Some(value), Some(unit)) = (rest.first().and_then(|w| number(w)), rest.last()) else {
            return Claim::Passed;
        };
        // Percentiles and profilers repeat or go beyond the benchmark's own score.
        if self.iterations || words[0].contains(':') {
            return Claim::Owned;
        }
        let values = words[1..at].iter().map(|w| short(w));
        let parameters: Vec<_> = names.iter().cloned().zip(values).collect();
        let parameters: Vec<_> = parameters.into_iter().filter(|(_, v)| v != "N/A").collect();
        let figure = self.figure(words[0], value, unit, words[at], &parameters);
        out(Event::Figure(figure));
        Claim::Owned
    }
}

/// The parameters' names in `Benchmark  (n)   Mode  Cnt   Score    Error   Units`.
fn columns(line: &str) -> Option<Vec<String>> {
    let mut words = line.split_whitespace();
    if words.next()? != "Benchmark" || !line.trim_end().ends_with("Units") {
        return None;
    }
    let mut names = Vec::new();
    for word in words {
        match word
            .strip_prefix('(')
            .and_then(|word| word.strip_suffix(')'))
        {
            Some(name) => names.push(short(name)),
            None => return (word == "Mode").then_some(names),
        }
    }
    None
}
