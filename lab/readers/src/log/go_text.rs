//! `go test`: its text, with `-v` or without, and its benchmarks.
//!
//! go names a package behind its tests, so they are kept until it does. The suite is
//! the package. A package is a test itself, `(package)`: without `-v` nothing else is
//! printed of what passed. The first `file_test.go:N: …` of a failed test is its
//! reason. Benchmark lines are those of [`crate::go`]'s reader. Source: go 1.26.

use super::line::Line;
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{fact, figure, number, seconds, short, test, word};
use super::sleep::Wake;
use crate::go::{benchmark_name, numbers_of};
use crate::text::lines;
use karat_model::log::{Event, Figure, Outcome, Test};

/// The name of a package's own outcome.
pub const PACKAGE: &str = "(package)";

/// Tests kept until their package is named.
const HELD: usize = 65_536;

pub struct GoText;

impl LogReader for GoText {
    fn name(&self) -> &'static str {
        "go"
    }

    fn reads(&self) -> &'static str {
        "the text that `go test` prints, with -v or -bench or neither"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        let own = |line: &str| {
            line.starts_with("=== RUN   ")
                || line.starts_with("pkg: ")
                || package(line).is_some()
                || result(line).is_some()
        };
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
    held: Vec<Test>,
    /// Tests began or ended since the last line of a package, or the last `PASS` of a test
    /// binary that was started without `go test`.
    open: bool,
    /// The test that prints now, and what it said first.
    current: String,
    /// What failing tests may have said: test and text.
    said: Vec<(String, String)>,
    benchmarks: Benchmarks,
}

const WAKE: Wake = Wake {
    first: b"=- oFgcpBP\t",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text;
        match line.first() {
            b'=' if text.starts_with("=== ") => self.turn(text),
            b'-' | b' ' => {
                if let Some(test) = result(text) {
                    self.ended(test, out);
                    return Claim::Owned;
                }
                if let Some(said) = said(text) {
                    return self.say(said);
                }
                self.benchmarks.line(text, out)
            }
            b'P' if text == "PASS" && self.open => {
                self.open = false;
                Claim::Passed
            }
            b'o' | b'F' => {
                let Some(mut package) = package(text) else {
                    self.open &= text != "FAIL";
                    return match text == "FAIL" && !self.held.is_empty() {
                        true => Claim::Owned,
                        false => Claim::Passed,
                    };
                };
                self.open = false;
                let suite = std::mem::take(&mut package.suite);
                self.flush(&suite, out);
                package.suite = suite;
                out(Event::Test(package));
                Claim::Owned
            }
            b'g' => match text.split_once(": ") {
                Some((key @ ("goos" | "goarch"), value)) => {
                    out(fact(key, value));
                    Claim::Owned
                }
                _ => Claim::Passed,
            },
            b'c' => match text.strip_prefix("cpu: ") {
                Some(cpu) if !self.benchmarks.package.is_empty() => {
                    out(fact("cpu", cpu));
                    Claim::Owned
                }
                _ => Claim::Passed,
            },
            b'p' | b'B' | b'\t' => self.benchmarks.line(text, out),
            _ => Claim::Passed,
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.flush("", out);
        match self.open {
            true => Err("the log ends before the last line of a package".to_owned()),
            false => Ok(()),
        }
    }
}

impl Log {
    /// `=== RUN   Name`: whose output follows.
    fn turn(&mut self, text: &str) -> Claim {
        let Some((what, name)) = word(&text["=== ".len()..]) else {
            return Claim::Passed;
        };
        match what {
            "RUN" | "CONT" | "NAME" => self.current = short(name),
            "PAUSE" => {}
            _ => return Claim::Passed,
        }
        self.open = true;
        Claim::Owned
    }

    fn say(&mut self, text: &str) -> Claim {
        if self.current.is_empty() {
            return Claim::Passed;
        }
        if self.said.len() < HELD {
            self.said.push((self.current.clone(), short(text)));
        }
        Claim::Owned
    }

    fn ended(&mut self, test: Test, out: &mut Sink<'_>) {
        self.open = true;
        self.current.clone_from(&test.name);
        if test.outcome == Outcome::Passed {
            self.said.retain(|(name, _)| *name != test.name);
        }
        if self.held.len() < HELD {
            self.held.push(test);
        } else {
            out(Event::Test(test));
        }
    }

    /// Gives the tests kept, as those of `suite`.
    fn flush(&mut self, suite: &str, out: &mut Sink<'_>) {
        for mut test in self.held.drain(..) {
            test.suite = suite.to_owned();
            if test.outcome != Outcome::Passed {
                let of = |said: &&(String, String)| said.0 == test.name;
                // The last is what ended it; what it logged stands before.
                let reason = self.said.iter().rev().find(of);
                test.reason = reason.map(|(_, text)| text.clone());
            }
            out(Event::Test(test));
        }
        self.said.clear();
        self.current.clear();
    }
}

/// `    --- FAIL: TestTable/bad (0.00s)`.
pub fn result(text: &str) -> Option<Test> {
    let rest = text.trim_start().strip_prefix("--- ")?;
    let (outcome, rest) = rest.split_once(": ")?;
    let outcome = match outcome {
        "PASS" => Outcome::Passed,
        "FAIL" => Outcome::Failed,
        "SKIP" => Outcome::Skipped,
        _ => return None,
    };
    let (name, time) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    let mut test = test("", name, outcome);
    test.seconds = Some(seconds(time)?);
    Some(test)
}

/// `ok  \tPACKAGE\t0.003s`, `FAIL\tPACKAGE\t0.018s`, `FAIL\tPACKAGE [build failed]`.
fn package(text: &str) -> Option<Test> {
    let (outcome, rest) = match text.strip_prefix("ok  \t") {
        Some(rest) => (Outcome::Passed, rest),
        None => (Outcome::Failed, text.strip_prefix("FAIL\t")?),
    };
    let (name, rest) = word(rest)?;
    let mut package = test(name, PACKAGE, outcome);
    let rest = rest.trim();
    match rest
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        Some(why) => package.reason = Some(short(why)),
        None => package.seconds = word(rest).and_then(|(time, _)| seconds(time)),
    }
    Some(package)
}

/// `    file_test.go:7: got 3, want 4`: what the test said.
pub fn said(text: &str) -> Option<&str> {
    let trimmed = text.trim_start();
    if trimmed.len() == text.len() {
        return None;
    }
    let (file, rest) = trimmed.split_once(".go:")?;
    let (line, said) = rest.split_once(": ")?;
    (!file.contains(' ') && line.parse::<u32>().is_ok()).then_some(said)
}

/// Benchmarks of one package.
#[derive(Default)]
pub struct Benchmarks {
    pub package: String,
    /// A name whose numbers have not come yet.
    pending: Option<String>,
}

impl Benchmarks {
    /// Takes a line if it is a benchmark's.
    pub fn line(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        if let Some(package) = text.strip_prefix("pkg: ") {
            self.package = short(package);
            self.pending = None;
            return Claim::Owned;
        }
        if let Some((name, numbers)) = numbers_of(text) {
            let name = match name {
                Some(name) => Some(short(name)),
                None => self.pending.take(),
            };
            let Some(name) = name else {
                return Claim::Passed;
            };
            self.pending = None;
            self.numbers(&name, numbers, out);
            return Claim::Owned;
        }
        if let Some((name, _)) = text.split_once('\t')
            && let Some(name) = benchmark_name(name.trim_end())
        {
            self.pending = Some(short(name));
            return Claim::Owned;
        }
        Claim::Passed
    }

    fn numbers(&self, name: &str, numbers: &str, out: &mut Sink<'_>) {
        let mut fields = numbers.split_whitespace();
        while let (Some(value), Some(unit)) = (fields.next(), fields.next()) {
            let Some(value) = number(value) else { return };
            let figure: Figure = figure(&self.package, name, value, unit);
            out(Event::Figure(figure));
        }
    }
}
