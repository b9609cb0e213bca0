//! The form `spec` of node's test runner: `✔ small (1.5ms)` below `▶ sums`.
//!
//! The last line of a suite repeats its name and is no test. Source: node 20.20.2.

use super::line::Line;
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};

pub static NODE: LineReader = LineReader {
    name: "node",
    reads: "the form `spec` of node's test runner",
    mark: |line| mark(line.trim_start()).is_some() || line.starts_with("▶ "),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    active: bool,
    /// The open suites with their indentation.
    suites: Vec<(usize, String)>,
    /// The indentation of a failed test, whose details are deeper.
    failed: Option<usize>,
    /// The list of failed tests at the end.
    list: bool,
}

const WAKE: Wake = Wake {
    first: b" \xe2\xef",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if !self.active && !matches!(line.first(), b' ' | 0xe2 | 0xef) {
            return Claim::Passed;
        }
        let text = line.text.trim_end();
        let trimmed = text.trim_start();
        let indent = text.len() - trimmed.len();
        if let Some(count) = trimmed.strip_prefix("ℹ ") {
            self.active |= indent == 0;
            if count.starts_with("duration_ms") {
                self.active = false;
            }
            self.failed = None;
            return Claim::Owned;
        }
        if trimmed == "✖ failing tests:" {
            (self.list, self.active) = (true, true);
            return Claim::Owned;
        }
        if self.list {
            let own = indent > 0
                || trimmed.is_empty()
                || trimmed.starts_with("test at ")
                || mark(trimmed).is_some();
            self.list = own;
            self.active &= own;
            return if own { Claim::Owned } else { Claim::Passed };
        }
        if let Some(suite) = trimmed.strip_prefix("▶ ") {
            self.active = true;
            self.failed = None;
            self.suites.retain(|(other, _)| *other < indent);
            if self.suites.len() < 16 {
                self.suites.push((indent, short(suite)));
            }
            return Claim::Owned;
        }
        let Some((outcome, name, time)) = mark(trimmed) else {
            let deeper = self
                .failed
                .is_some_and(|failed| indent > failed || trimmed.is_empty());
            return if deeper { Claim::Owned } else { Claim::Passed };
        };
        self.active = true;
        if self
            .suites
            .last()
            .is_some_and(|(other, suite)| *other == indent && suite == name)
        {
            self.suites.pop();
            self.failed = None;
            return Claim::Owned;
        }
        self.suites.retain(|(other, _)| *other < indent);
        let suite: Vec<&str> = self
            .suites
            .iter()
            .map(|(_, suite)| suite.as_str())
            .collect();
        let mut test = test(&suite.join(" > "), name, outcome);
        test.seconds = time;
        self.failed = (outcome == Outcome::Failed).then_some(indent);
        out(Event::Test(test));
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.active && !self.list {
            true => Err("the log ends before the runner's last lines".to_owned()),
            false => Ok(()),
        }
    }
}

/// `✔ small (1.538171ms)`, `﹣ later (0.2ms) # SKIP`: outcome, name and seconds.
fn mark(text: &str) -> Option<(Outcome, &str, Option<f64>)> {
    let (sign, rest) = text.split_once(' ')?;
    let outcome = match sign {
        "✔" => Outcome::Passed,
        "✖" => Outcome::Failed,
        "﹣" => Outcome::Skipped,
        _ => return None,
    };
    let (name, behind) = rest.rsplit_once(" (")?;
    let (time, behind) = behind.split_once(')')?;
    // mocha tells whole milliseconds.
    let digits = time
        .strip_suffix("ms")
        .filter(|digits| digits.contains('.'));
    let time = digits.and_then(|_| seconds(time))?;
    let outcome = match behind.trim_start().starts_with("# SKIP") {
        true => Outcome::Skipped,
        false => outcome,
    };
    Some((outcome, name, Some(time)))
}
