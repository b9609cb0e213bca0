//! nextest: the text of `cargo nextest run`.
//!
//! A line is `STATUS [ 0.004s] BINARY TEST`, newer versions count in between
//! (`(1/9)`). The suite is the binary's id. A test that was tried again (`TRY 1
//! FAIL`) gives one event for each try, so that it shows as flaky. What follows
//! `Summary` repeats failures and is not read again; what a failed test printed is
//! its own, up to the next status line. Source: cargo-nextest 0.9.

use super::line::Line;
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{seconds, short, test, word};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Crash, Event, Outcome, Test};

pub struct Nextest;

impl LogReader for Nextest {
    fn name(&self) -> &'static str {
        "nextest"
    }

    fn reads(&self) -> &'static str {
        "the text that `cargo nextest run` prints"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| is_start(&line) || status(&line).is_some()) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log {
            started: false,
            over: false,
            output: false,
            failed: None,
            panicked: false,
        }))
    }
}

/// `    Starting 9 tests across 2 binaries`.
fn is_start(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix("Starting ");
    rest.is_some_and(|rest| rest.contains(" test") && rest.contains(" across "))
}

struct Log {
    /// The line that begins a run was there.
    started: bool,
    /// The summary was there; no test runs any more.
    over: bool,
    /// These lines are what a failed test printed.
    output: bool,
    /// The failed test, kept for its reason.
    failed: Option<Test>,
    /// The next line is what it said when it panicked.
    panicked: bool,
}

const WAKE: Wake = Wake {
    first: b" ",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.output).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text;
        if self.output && self.printed(text) {
            return Claim::Owned;
        }
        if line.first() != b' ' {
            return Claim::Passed;
        }
        if let Some((status, seconds, rest)) = status(text) {
            self.flush(out);
            if status == "SLOW" || self.over {
                return Claim::Owned;
            }
            self.test(status, seconds, rest, out);
            return Claim::Owned;
        }
        if is_start(text) {
            self.flush(out);
            self.started = true;
            self.over = false;
            return Claim::Owned;
        }
        let rest = text.trim_start();
        if rest.starts_with("Summary [") {
            self.flush(out);
            self.over = true;
            return Claim::Owned;
        }
        if self.failed.is_some() && is_output(rest) {
            self.output = true;
            return Claim::Owned;
        }
        Claim::Passed
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.flush(out);
        match self.started && !self.over {
            true => Err("the log ends before the line `Summary`".to_owned()),
            false => Ok(()),
        }
    }
}

/// `stdout ───` and `--- STDOUT: binary test ---`, as older versions have it.
fn is_output(text: &str) -> bool {
    let end = ["stdout ", "stderr ", "output "];
    end.iter().any(|word| {
        text.strip_prefix(word)
            .is_some_and(|rest| rest.starts_with('─'))
    }) || text.starts_with("--- STDOUT:")
        || text.starts_with("--- STDERR:")
}

impl Log {
    fn test(&mut self, status: &str, seconds: Option<f64>, rest: &str, out: &mut Sink<'_>) {
        let tried = status.strip_prefix("TRY ").and_then(word);
        let kind = tried.map_or(status, |(_, kind)| kind.trim());
        let outcome = match kind {
            "PASS" | "LEAK" | "FLAKY" => Outcome::Passed,
            "SKIP" => Outcome::Skipped,
            _ if kind.starts_with("FLAKY ") => return,
            _ => Outcome::Failed,
        };
        let Some((suite, name)) = word(rest) else {
            return;
        };
        let mut test = test(suite, name, outcome);
        test.seconds = seconds;
        if kind == "LEAK" {
            test.reason = Some("left processes behind".to_owned());
        }
        if outcome != Outcome::Failed {
            out(Event::Test(test));
            return;
        }
        // Of a try, the signal's name is shortened.
        let kind = match SIGNALS.contains(&kind) {
            true => &format!("SIG{kind}"),
            false => kind,
        };
        if kind.starts_with("SIG") {
            out(Event::Crash(Crash {
                kind: short(kind),
                text: format!("{} {}: {}", test.suite, test.name, short(kind)),
            }));
        }
        if kind != "FAIL" {
            test.reason = Some(short(kind));
        }
        self.failed = Some(test);
    }

    /// What a failed test printed; whether the line is of that.
    fn printed(&mut self, text: &str) -> bool {
        // A status line or the summary ends it.
        if status(text).is_some() || text.trim_start().starts_with("Summary [") || is_start(text) {
            self.output = false;
            return false;
        }
        if let Some(test) = &mut self.failed {
            if std::mem::take(&mut self.panicked) {
                test.reason = Some(short(text));
            } else if let Some((_, place)) = text.split_once("panicked at ") {
                self.panicked = place.ends_with(':');
                if !self.panicked {
                    test.reason = Some(short(place));
                }
            } else if ["Error: ", "note: test did not panic"]
                .iter()
                .any(|said| text.trim_start().starts_with(said))
            {
                test.reason = Some(short(text));
            }
        }
        true
    }

    fn flush(&mut self, out: &mut Sink<'_>) {
        self.output = false;
        self.panicked = false;
        if let Some(test) = self.failed.take() {
            out(Event::Test(test));
        }
    }
}

const STATUSES: &[&str] = &[
    "PASS",
    "FAIL",
    "SKIP",
    "SLOW",
    "LEAK",
    "LEAK-FAIL",
    "TIMEOUT",
    "ABORT",
    "FLAKY",
    "XFAIL",
];

const SIGNALS: &[&str] = &[
    "SEGV", "ABRT", "KILL", "BUS", "ILL", "FPE", "TRAP", "TERM", "INT", "QUIT", "HUP", "SYS",
];

/// Status, time and what follows: `binary test`.
fn status(text: &str) -> Option<(&str, Option<f64>, &str)> {
    let trimmed = text.trim_start();
    if trimmed.len() == text.len() || !trimmed.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let (status, rest) = trimmed.split_once(" [")?;
    let known = |word: &str| {
        STATUSES.contains(&word) || word.strip_prefix("SIG").is_some_and(|s| s.len() >= 2)
    };
    let sound = match status.strip_prefix("TRY ").and_then(word) {
        // There are more short names than those above.
        Some((number, kind)) => {
            let kind = kind.trim();
            let sound = kind
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b"+-".contains(&b));
            number.parse::<u32>().is_ok() && sound && (2..=9).contains(&kind.len())
        }
        None => known(status.trim()) || status.starts_with("FLAKY "),
    };
    let (time, rest) = rest.split_once("] ")?;
    // `>60.000s` of a slow one.
    let time = seconds(time.trim().trim_start_matches('>'))?;
    let mut rest = rest.trim_start();
    if rest.starts_with('(')
        && let Some((count, behind)) = rest[1..].split_once(')')
        // Of a try, the count is drawn as a line.
        && count.chars().all(|c| c.is_ascii_digit() || "/ ─-".contains(c))
    {
        rest = behind.trim_start();
    }
    sound.then_some((status.trim(), Some(time), rest))
}
