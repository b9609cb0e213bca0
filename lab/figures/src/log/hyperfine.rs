//! hyperfine's text: a command, and the mean of its wall times.
//!
//! `Benchmark 1: CMD`, until version 1.12 `Benchmark #1: CMD`, and on the line behind
//! `Time (mean ± σ):  2.7 ms ± …`; of a single run `Time (abs ≡): …`.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, message, number, short, word};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Event, Level, Statistic};

/// hyperfine's text.
pub struct Hyperfine;

impl LogReader for Hyperfine {
    fn name(&self) -> &'static str {
        "hyperfine"
    }

    fn reads(&self) -> &'static str {
        "the text that hyperfine prints"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| time(&line).is_some()) {
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
    command: Option<String>,
}

const TIME: Needle = Needle::new("Time (");

const WAKE: Wake = Wake {
    first: b"B",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.command.is_none().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if line.first() == b'B' {
            if let Some(command) = command(line.text) {
                self.command = Some(short(command));
                return Claim::Owned;
            }
            return Claim::Passed;
        }
        let Some(command) = &self.command else {
            return Claim::Passed;
        };
        if line.has(&TIME)
            && let Some((value, unit)) = time(line.text)
        {
            let mut figure = figure("", command, value, unit);
            figure.statistic = Some(Statistic::Mean);
            out(Event::Figure(figure));
            return Claim::Owned;
        }
        let trimmed = line.text.trim_start();
        if let Some(warning) = trimmed.strip_prefix("Warning: ")
            && trimmed.len() < line.text.len()
        {
            if !NOISE.iter().any(|begin| warning.starts_with(begin)) {
                out(message(Level::Warning, None, None, warning));
            }
            return Claim::Owned;
        }
        Claim::Passed
    }
}

/// Warnings about the machine's noise, which come and go from run to run: no behaviour.
const NOISE: &[&str] = &[
    "Statistical outliers were detected",
    "The first benchmarking run for this command was significantly slower",
    "Command took less than 5 ms to complete",
];

/// `Benchmark 1: CMD`.
fn command(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("Benchmark ")?;
    let (number, command) = rest.trim_start_matches('#').split_once(": ")?;
    number.parse::<u32>().ok()?;
    Some(command)
}

/// `  Time (mean ± σ):       2.7 ms ±   1.7 ms    [User: …]`.
fn time(text: &str) -> Option<(f64, &str)> {
    let rest = text.trim_start().strip_prefix("Time (")?;
    let (kind, rest) = rest.split_once("):")?;
    if !kind.starts_with("mean") && !kind.starts_with("abs") {
        return None;
    }
    let (value, rest) = word(rest)?;
    let (unit, _) = word(rest)?;
    Some((number(value)?, unit))
}
