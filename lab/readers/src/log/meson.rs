//! Meson: what `meson test` prints, its `testlog.txt` and its `testlog.json`.
//!
//! The suite is the project with its suites, as Meson prints them. testlog.txt tells how a
//! program ended and not what was expected of it (`should_fail`): a test failed if it is in
//! the summary behind, so all are held until that. A test that fails as expected has passed,
//! as in Meson's JUnit XML. Source: Meson 1.0.1 and 1.12.1.

use super::json_reader::{number as json_number, text as json_text};
use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome, Test};
use serde_json::Value;
use std::collections::HashMap;

/// Tests held, and remembered as running.
const HELD: usize = 65_536;

pub static MESON: LineReader = LineReader {
    name: "meson",
    reads: "what `meson test` prints, its testlog.txt and testlog.json",
    mark: |line| row(line).is_some() || line.starts_with(FIRST) || line.starts_with(TOTALS.text()),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    active: bool,
    /// Behind the heading of the failures, which are told again.
    summary: bool,
    /// A test of testlog.txt, until its result.
    open: Option<(String, Option<f64>)>,
    /// Tests of testlog.txt by their whole names, until it is known which of them failed.
    held: Vec<Held>,
    /// Tests that run, by their numbers, of `--verbose`.
    running: HashMap<u32, String>,
    /// Tests of the run, as each row says, and those that came.
    planned: u32,
    came: u32,
    /// Tests that passed by their rows: `--quiet` leaves them out.
    passed: u64,
}

/// A test of testlog.txt.
struct Held {
    /// As Meson prints it, with its suite.
    name: String,
    test: Test,
    /// It is in the summary of failures.
    failed: bool,
}

const FIRST: &str = "Log of Meson test suite run";
/// The first of the totals, and of all that `--quiet` prints where all tests pass.
const TOTALS: Needle = Needle::new("Ok:                 ");

const WAKE: Wake = Wake {
    first: b"{ 0123456789L",
    has: &[TOTALS],
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
            return Self::json(text, out);
        }
        if matches!(line.first(), b' ' | b'0'..=b'9')
            && let Some((name, outcome, time, why)) = row(text)
        {
            self.active = true;
            if self.summary {
                self.fail(name, why);
            } else {
                self.came += 1;
                self.passed += u64::from(outcome == Outcome::Passed);
                self.planned = planned(text);
                self.running.remove(&at(text));
                out(Event::Test(row_test(name, outcome, time, why)));
            }
            return Claim::Owned;
        }
        if line.first() == b'L' && text.starts_with(FIRST) {
            self.active = true;
            return Claim::Owned;
        }
        self.active |= line.has(&TOTALS) && text.starts_with(TOTALS.text());
        if !self.active {
            return Claim::Passed;
        }
        if let Some((front, _)) = text.split_once(" RUNNING")
            && let Some((_, name)) = numbered(front)
        {
            if self.running.len() < HELD {
                self.running.insert(at(text), short(name));
            }
            return Claim::Owned;
        }
        if let Some(rest) = text.strip_prefix("▶ ") {
            return self.part(rest, out);
        }
        let Some((key, value)) = text.split_once(':') else {
            return Claim::Passed;
        };
        let value = value.trim();
        match key {
            "Summary of Failures" => self.summary = true,
            "Ok" | "Expected Fail" | "Fail" | "Unexpected Pass" | "Skipped" | "Timeout" => {
                self.summary = false;
                self.release(out);
                if matches!(key, "Ok" | "Expected Fail") {
                    self.count(value, out);
                }
                // The last of the totals.
                if key == "Timeout" {
                    (self.planned, self.came, self.passed) = (0, 0, 0);
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
                    let test = row_test(&name, outcome, time, value);
                    match self.held.len() < HELD {
                        true => self.held.push(Held {
                            name,
                            test,
                            failed: false,
                        }),
                        false => out(Event::Test(test)),
                    }
                }
            }
            "start time" | "command" | "Full log written to" => {}
            _ if text.starts_with(">>> ") => {}
            // ninja's, of `ninja test`: the tests told of it.
            "FAILED" if value.starts_with("meson-") => {}
            _ => return Claim::Passed,
        }
        Claim::Owned
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        let held = self.held.len();
        self.held
            .drain(..)
            .for_each(|held| out(Event::Test(held.test)));
        match &self.open {
            Some((name, _)) => Err(format!("the test {name} has no result")),
            None if self.planned > 0 => Err(format!(
                "the log ends before Meson's last lines, with {} of {} tests",
                self.came, self.planned
            )),
            None if held > 0 => Err(format!(
                "the log ends before Meson's last lines, with {held} tests"
            )),
            None => Ok(()),
        }
    }
}

impl Log {
    /// Tests that passed, of which the rows told some: with `--quiet` none.
    fn count(&mut self, count: &str, out: &mut Sink<'_>) {
        let count: u64 = count.parse().unwrap_or(0);
        let told = count.min(self.passed);
        self.passed -= told;
        unnamed("", Outcome::Passed, count - told, out);
    }

    /// A test that the summary names failed, however its program ended.
    fn fail(&mut self, name: &str, why: &str) {
        if let Some(held) = self.held.iter_mut().find(|held| held.name == name) {
            held.failed = true;
            if !why.is_empty() {
                held.test.reason = Some(short(why));
            }
        }
    }

    /// Gives the held tests: who ended badly and is in no summary was expected to.
    fn release(&mut self, out: &mut Sink<'_>) {
        for Held {
            mut test, failed, ..
        } in self.held.drain(..)
        {
            test.outcome = match (failed, test.outcome) {
                (true, _) => Outcome::Failed,
                (false, Outcome::Failed) => Outcome::Passed,
                (false, outcome) => outcome,
            };
            if test.outcome == Outcome::Passed {
                test.reason = None;
                self.passed += 1;
            }
            out(Event::Test(test));
        }
    }

    /// `9/9 - a  OK`: a part of a test that prints TAP, with `--verbose`.
    fn part(&self, text: &str, out: &mut Sink<'_>) -> Claim {
        let Some((rest, word)) = text.trim_end().rsplit_once("  ") else {
            return Claim::Passed;
        };
        let (Some((number, name)), Some(outcome)) = (numbered(rest), outcome(word.trim())) else {
            return Claim::Passed;
        };
        let suite = self.running.get(&number).map_or("", String::as_str);
        let name = name.trim_start_matches("- ");
        out(Event::Test(test(suite, name, outcome)));
        Claim::Owned
    }

    fn json(text: &str, out: &mut Sink<'_>) -> Claim {
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return Claim::Passed;
        };
        let Some(outcome) = outcome(json_text(&value, "result")) else {
            return Claim::Passed;
        };
        let time = json_number(&value, "duration");
        out(Event::Test(row_test(
            json_text(&value, "name"),
            outcome,
            time,
            "",
        )));
        Claim::Owned
    }
}

/// A test by the name that Meson prints, `ms / good`.
fn row_test(name: &str, outcome: Outcome, time: Option<f64>, why: &str) -> Test {
    let (suite, name) = name.split_once(" / ").unwrap_or(("", name));
    let mut test = test(suite, name, outcome);
    test.seconds = time;
    test.reason = (outcome != Outcome::Passed && !why.is_empty()).then(|| short(why));
    test
}

/// `2/4 rest`: the 2 and the rest, without what fills the columns.
fn numbered(text: &str) -> Option<(u32, &str)> {
    let (number, rest) = text.trim_start().split_once(' ')?;
    let (at, all) = number.split_once('/')?;
    all.parse::<u32>().ok()?;
    Some((at.parse().ok()?, rest.trim()))
}

/// The 2 of `2/4 ms / bad …`.
fn at(text: &str) -> u32 {
    numbered(text).map_or(0, |(at, _)| at)
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
    let (_, rest) = numbered(text)?;
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
