//! Meson: what `meson test` prints, its `testlog.txt` and its `testlog.json`.
//!
//! The suite is the project with its suites, as Meson prints them. Source: Meson 1.0.1.

use super::json_reader::{number as json_number, text as json_text};
use super::line::Line;
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};
use serde_json::Value;

pub static MESON: LineReader = LineReader {
    name: "meson",
    reads: "what `meson test` prints, its testlog.txt and testlog.json",
    mark: |line| row(line).is_some() || line.starts_with("Log of Meson test suite run"),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    active: bool,
    /// Behind the heading of the failures, which are told again.
    summary: bool,
    /// A test of testlog.txt, until its result.
    open: Option<(String, Option<f64>)>,
    /// Tests of the run, as each row says, and those that came.
    planned: u32,
    came: u32,
}

const FIRST: &str = "Log of Meson test suite run";

const WAKE: Wake = Wake {
    first: b"{ 0123456789L",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if line.first() == b'{'
            && text.starts_with("{\"name\": ")
            && text.contains("\"returncode\": ")
        {
            return self.json(text, out);
        }
        if matches!(line.first(), b' ' | b'0'..=b'9')
            && let Some((name, outcome, time, why)) = row(text)
        {
            self.active = true;
            if !self.summary {
                self.came += 1;
                self.planned = planned(text);
                self.give(name, outcome, time, why, out);
            }
            return Claim::Owned;
        }
        if line.first() == b'L' && text.starts_with(FIRST) {
            self.active = true;
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        let Some((key, value)) = text.split_once(':') else {
            return Claim::Passed;
        };
        let value = value.trim();
        match key {
            "Summary of Failures" => self.summary = true,
            "Ok" | "Expected Fail" | "Fail" | "Unexpected Pass" | "Skipped" | "Timeout" => {
                self.summary = false;
                // The last of the totals.
                if key == "Timeout" {
                    (self.planned, self.came) = (0, 0);
                }
            }
            "test" => self.open = Some((short(value), None)),
            "duration" => {
                if let Some((_, time)) = &mut self.open {
                    *time = seconds(value);
                }
            }
            "result" => {
                if let Some((name, time)) = self.open.take() {
                    let outcome = match value {
                        "exit status 0" => Outcome::Passed,
                        "exit status 77" => Outcome::Skipped,
                        _ => Outcome::Failed,
                    };
                    self.give(&name, outcome, time, value, out);
                }
            }
            "start time" | "command" | "Full log written to" => {}
            _ if text.starts_with(">>> ") => {}
            _ => return Claim::Passed,
        }
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match &self.open {
            Some((name, _)) => Err(format!("the test {name} has no result")),
            None if self.planned > 0 => Err(format!(
                "the log ends before Meson's last lines, with {} of {} tests",
                self.came, self.planned
            )),
            None => Ok(()),
        }
    }
}

impl Log {
    fn give(&self, name: &str, outcome: Outcome, time: Option<f64>, why: &str, out: &mut Sink<'_>) {
        let (suite, name) = name.split_once(" / ").unwrap_or(("", name));
        let mut test = test(suite, name, outcome);
        test.seconds = time;
        test.reason = (outcome != Outcome::Passed && !why.is_empty()).then(|| short(why));
        out(Event::Test(test));
    }

    fn json(&self, text: &str, out: &mut Sink<'_>) -> Claim {
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return Claim::Passed;
        };
        let Some(outcome) = outcome(json_text(&value, "result")) else {
            return Claim::Passed;
        };
        let time = json_number(&value, "duration");
        self.give(json_text(&value, "name"), outcome, time, "", out);
        Claim::Owned
    }
}

/// The 4 of `2/4 ms / bad …`.
fn planned(text: &str) -> u32 {
    let number = text.trim_start().split([' ', '/']).nth(1);
    number.and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn outcome(word: &str) -> Option<Outcome> {
    Some(match word {
        "OK" | "EXPECTEDFAIL" => Outcome::Passed,
        "FAIL" | "TIMEOUT" | "INTERRUPT" | "UNEXPECTEDPASS" | "ERROR" => Outcome::Failed,
        "SKIP" => Outcome::Skipped,
        _ => return None,
    })
}

/// `2/4 ms / bad          FAIL            0.01s   exit status 1`.
fn row(text: &str) -> Option<(&str, Outcome, Option<f64>, &str)> {
    let (number, rest) = text.trim_start().split_once(' ')?;
    let (at, all) = number.split_once('/')?;
    at.parse::<u32>().ok()?;
    all.parse::<u32>().ok()?;
    let words = [
        "OK",
        "FAIL",
        "SKIP",
        "TIMEOUT",
        "EXPECTEDFAIL",
        "UNEXPECTEDPASS",
        "ERROR",
        "INTERRUPT",
    ];
    words.into_iter().find_map(|word| {
        let (name, behind) = rest.split_once(&format!(" {word} "))?;
        let (time, why) = super::scan::word(behind)?;
        let time = time.ends_with('s').then(|| seconds(time)).flatten()?;
        Some((name.trim(), outcome(word)?, Some(time), why.trim()))
    })
}
