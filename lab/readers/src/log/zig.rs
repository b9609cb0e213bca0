//! `zig test`: a row for each test, and their number.
//!
//! The suite is what stands before `.test.`, the module. Source: zig 0.17.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{short, test};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};

pub static ZIG: LineReader = LineReader {
    name: "zig",
    reads: "the text that `zig test` prints",
    mark: |line| row(line).is_some_and(|(_, end)| outcome(end).is_some()),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    active: bool,
    /// A test that prints before its outcome.
    open: Option<String>,
    /// The last test failed: its trace follows.
    trace: bool,
}

const TEST: Needle = Needle::new("test.");

const WAKE: Wake = Wake {
    first: b"",
    has: &[TEST],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if line.has(&TEST)
            && let Some((name, end)) = row(text)
        {
            (self.active, self.trace) = (true, false);
            match outcome(end) {
                Some(found) => self.give(name, found, out),
                None => self.open = Some(short(name)),
            }
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        if total(text) {
            *self = Self::default();
            return Claim::Owned;
        }
        if let Some(found) = outcome(text)
            && let Some(name) = self.open.take()
        {
            self.give(&name, found, out);
            return Claim::Owned;
        }
        match self.trace {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.active {
            true => Err("the log ends before the number of zig's tests".to_owned()),
            false => Ok(()),
        }
    }
}

impl Log {
    fn give(&mut self, name: &str, (outcome, why): (Outcome, &str), out: &mut Sink<'_>) {
        self.trace = outcome == Outcome::Failed;
        let (suite, name) = name.split_once(".test.").unwrap_or(("", name));
        let mut test = test(suite, name, outcome);
        test.reason = (!why.is_empty()).then(|| short(why));
        out(Event::Test(test));
    }
}

/// `1/4 shop.test.adds...OK`: the test, and what follows.
fn row(text: &str) -> Option<(&str, &str)> {
    let (number, rest) = text.split_once(' ')?;
    let (at, all) = number.split_once('/')?;
    at.parse::<u32>().ok()?;
    all.parse::<u32>().ok()?;
    let (name, end) = rest.split_once("...")?;
    (name.starts_with("test.") || name.contains(".test.")).then_some((name, end.trim_start()))
}

/// `OK`, `SKIP`, `FAIL (TestUnexpectedResult)`.
fn outcome(word: &str) -> Option<(Outcome, &str)> {
    Some(match word {
        "OK" => (Outcome::Passed, ""),
        "SKIP" => (Outcome::Skipped, ""),
        _ => {
            let why = word.strip_prefix("FAIL (")?.strip_suffix(')')?;
            (Outcome::Failed, why)
        }
    })
}

/// `All 4 tests passed.`, `2 passed; 1 skipped; 1 failed.`
fn total(text: &str) -> bool {
    let all = text
        .strip_prefix("All ")
        .and_then(|rest| rest.strip_suffix(" passed."));
    let some = text.contains(" passed; ") && text.ends_with(" failed.");
    some || all.is_some_and(|rest| rest.ends_with(" test") || rest.ends_with(" tests"))
}
