//! Boost.Test: its log and its report, as text.
//!
//! A test's suite is its path without the module, as the log names it (`basket/inner`).
//! Unless the log level is `test_suite` or the report is detailed, only what failed is
//! named, and the others are told by the number of the first line. Where the module was
//! aborted by a signal, it is not known which of those ran, and none is told. Failures
//! that a test expects count where the report says that it passed. Source: Boost 1.74.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{message, short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Crash, Event, Level, Outcome, Test};

pub static BOOST: LineReader = LineReader {
    name: "boost",
    reads: "the text that Boost.Test prints",
    mark: |line| running(line).is_some() || ended(line),
    start: |_| Box::new(Log::default()),
};

/// Failed tests kept until it is known whether they were expected to.
const KEPT: usize = 65_536;

#[derive(Default)]
struct Log {
    active: bool,
    /// Test cases of the run.
    planned: u64,
    /// The open suites.
    suites: Vec<String>,
    failed: Vec<Test>,
    /// Test cases that passed and were named.
    named: u64,
    aborted: bool,
    /// In the report behind the log, and whether it names test cases that the log did not.
    report: bool,
    names: bool,
    /// Test cases of a detailed report: those that its first lines promise, those of them that
    /// were skipped and are not named, and those that came.
    promised: u64,
    skipped: u64,
    came: u64,
    /// In the report's numbers of the whole module.
    whole: bool,
}

const ERROR: Needle = Needle::new("error: in \"");
const WARNING: Needle = Needle::new("warning: in \"");

const WAKE: Wake = Wake {
    first: b"R",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if let Some(count) = running(text) {
            self.finish(out);
            *self = Self {
                active: true,
                planned: count,
                ..Self::default()
            };
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        if ended(text) {
            // All failures were expected.
            if text == CLEAN {
                self.named += self.failed.len() as u64;
                for mut test in self.failed.drain(..) {
                    test.outcome = Outcome::Passed;
                    out(Event::Test(test));
                }
            }
            self.finish(out);
            return Claim::Owned;
        }
        if line.has(&ERROR) && self.error(text, out) {
            return Claim::Owned;
        }
        if line.has(&WARNING)
            && let Some((at, said)) = text.split_once(": warning: in \"")
            && let Some((_, said)) = said.split_once("\": ")
        {
            let (file, line) = file(at).unwrap_or((at, 0));
            out(message(Level::Warning, Some(file), Some(line), said));
            return Claim::Owned;
        }
        if text.starts_with("Test module \"") {
            (self.report, self.whole) = (true, true);
            self.names = self.named == 0;
            return Claim::Owned;
        }
        let own = match self.report {
            true => self.reported(text, out),
            false => self.told(text, out),
        };
        match own {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        let cut = self.active && !self.report;
        if cut {
            self.failed
                .drain(..)
                .for_each(|test| out(Event::Test(test)));
            return Err("the log ends before Boost.Test's last line".to_owned());
        }
        let detailed = self.report && !self.whole;
        let missing = detailed && self.came + self.skipped < self.promised;
        self.finish(out);
        match missing {
            true => Err("the log ends inside of Boost.Test's report".to_owned()),
            false => Ok(()),
        }
    }
}

impl Log {
    fn finish(&mut self, out: &mut Sink<'_>) {
        if self.active {
            let told = self.named + self.failed.len() as u64;
            self.failed
                .drain(..)
                .for_each(|test| out(Event::Test(test)));
            let left = self.planned.saturating_sub(told);
            if !self.aborted {
                unnamed("", Outcome::Passed, left, out);
            }
        }
        *self = Self::default();
    }

    /// `shop.cc(9): error: in "basket/adds": check 1 + 1 == 3 has failed`.
    fn error(&mut self, text: &str, out: &mut Sink<'_>) -> bool {
        let Some((at, rest)) = text.split_once("error: in \"") else {
            return false;
        };
        let Some((path, said)) = rest.split_once("\": ") else {
            return false;
        };
        if !at.contains("): ") {
            return false;
        }
        if let Some(signal) = said.strip_prefix("signal: ") {
            self.aborted = true;
            let kind = short(signal.split([',', ' ']).next().unwrap_or(signal));
            let text = format!("{kind} in {path}");
            out(Event::Crash(Crash { kind, text }));
        }
        let (suite, name) = split(path);
        let known = self
            .failed
            .iter()
            .any(|t| t.suite == suite && t.name == name);
        if !known && self.failed.len() < KEPT {
            let mut test = test(suite, name, Outcome::Failed);
            test.reason = Some(short(said));
            self.failed.push(test);
        }
        true
    }

    /// A line of the log.
    fn told(&mut self, text: &str, out: &mut Sink<'_>) -> bool {
        let behind = |word: &str| {
            let (_, rest) = text.split_once(word)?;
            rest.split_once('"')
        };
        if let Some((name, _)) = behind("Entering test suite \"") {
            if self.suites.len() < 64 {
                self.suites.push(short(name));
            }
        } else if behind("Leaving test suite \"").is_some() {
            self.suites.pop();
        } else if let Some((name, rest)) = behind("Leaving test case \"") {
            self.left(name, rest, out);
        } else if let Some((path, rest)) = behind("Test case \"") {
            let Some(why) = rest.strip_prefix(" is skipped because ") else {
                return false;
            };
            let (suite, name) = split(path);
            let mut test = test(suite, name, Outcome::Skipped);
            test.reason = Some(short(why));
            out(Event::Test(test));
        } else {
            return behind("Entering test case \"").is_some()
                || text.contains("ing test module \"")
                || text.contains(": last checkpoint: ")
                || text.contains("): info: check ")
                || text == "Test is aborted"
                || text.ends_with("did not check any assertions");
        }
        true
    }

    /// A test case is over: `; testing time: 113us`.
    fn left(&mut self, name: &str, rest: &str, out: &mut Sink<'_>) {
        let time = rest
            .strip_prefix("; testing time: ")
            .and_then(super::scan::seconds);
        let suite = self.suites.join("/");
        let mut failed = self.failed.iter_mut();
        if let Some(failed) = failed.find(|t| t.name == name && t.suite == suite) {
            failed.seconds = time;
            return;
        }
        self.named += 1;
        let mut test = test(&suite, name, Outcome::Passed);
        test.seconds = time;
        out(Event::Test(test));
    }

    /// A line of the report: `Test case "basket/adds" has passed with:`, and numbers.
    fn reported(&mut self, text: &str, out: &mut Sink<'_>) -> bool {
        if let Some(rest) = text.strip_prefix("Test case \"")
            && let Some((path, how)) = rest.split_once('"')
        {
            self.came += 1;
            self.whole = false;
            let (suite, name) = split(path);
            let same = |t: &Test| t.suite == suite && t.name == name;
            let passed = how.starts_with(" has passed");
            let failed = self.failed.iter().position(same);
            if passed && failed.is_some() || self.names && failed.is_none() {
                let outcome = match (passed, how.contains("skipped")) {
                    (true, _) => Outcome::Passed,
                    (false, true) => Outcome::Skipped,
                    (false, false) => Outcome::Failed,
                };
                let mut told = test(suite, name, outcome);
                if let Some(failed) = failed {
                    told.seconds = self.failed.remove(failed).seconds;
                }
                self.named += u64::from(outcome != Outcome::Skipped);
                out(Event::Test(told));
            }
            return true;
        }
        self.whole &= !text.starts_with("Test ");
        // `3 test cases out of 4 passed`
        if self.whole
            && let Some((_, all)) = text.split_once(" out of ")
            && text.contains(" test case")
            && let Some((all, how)) = all.split_once(' ')
            && let Ok(all) = all.parse::<u64>()
        {
            let count = text
                .split(' ')
                .next()
                .and_then(|n| n.parse().ok())
                .unwrap_or(0);
            self.promised = all;
            if how == "skipped" {
                self.skipped = count;
            }
        }
        text.is_empty()
            || text.starts_with("Test suite \"")
            || text.starts_with(|c: char| c.is_ascii_digit())
                && [
                    "test case",
                    "assertion",
                    "failed warning",
                    "expected failure",
                ]
                .iter()
                .any(|what| text.contains(what))
    }
}

const CLEAN: &str = "*** No errors detected";

/// `Running 3 test cases...`.
fn running(text: &str) -> Option<u64> {
    let (count, rest) = text.strip_prefix("Running ")?.split_once(' ')?;
    ["test case...", "test cases..."]
        .contains(&rest)
        .then_some(())?;
    count.parse().ok()
}

/// The last line where the report is short.
fn ended(text: &str) -> bool {
    text == CLEAN
        || text.starts_with("*** ")
            && text.contains(" detected")
            && text.contains("in the test module \"")
}

/// `basket/inner/takes` as suite and name.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// `shop.cc(9)`.
fn file(at: &str) -> Option<(&str, u32)> {
    let (file, line) = at.strip_suffix(')')?.rsplit_once('(')?;
    Some((file, line.parse().ok()?))
}
