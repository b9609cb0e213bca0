//! Python's unittest: its text, with `-v` or without; also what Django prints of it.
//!
//! The suite is what stands in brackets, without the test's own name, which Python 3.11
//! and later repeat there. A subtest that failed is a test of its own, `name (n=2)`, and
//! fails the one around it. Without `-v` only failures are named, the others are told by
//! the last lines (`Ran 4 tests in 0.001s`, `OK (skipped=1)`). An expected failure counts
//! as skipped, an unexpected success as failed. Source: Python 3.8 to 3.13.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome, Test};
use std::collections::HashSet;

pub static UNITTEST: LineReader = LineReader {
    name: "unittest",
    reads: "the text that Python's unittest prints",
    mark: |line| {
        verbose(line).is_some_and(|(.., rest)| outcome(rest).is_some()) || ran(line).is_some()
    },
    start: |known| {
        Box::new(Log {
            active: known,
            ..Log::default()
        })
    },
};

/// The outcome of a test that should have failed.
const UNEXPECTED: &str = "unexpected success";

/// Tests remembered as failed, so that each is told once.
const REMEMBERED: usize = 65_536;

#[derive(Default)]
struct Log {
    active: bool,
    /// The last line was one of `=`: a failure may follow.
    rule: bool,
    /// A test whose outcome has not come, of `-v`.
    open: Option<(String, String)>,
    failure: Option<Failure>,
    /// Tests that failed, without their subtests.
    failed: HashSet<(String, String)>,
    /// Tests that `-v` named: passed, skipped.
    named: [u64; 2],
    /// Those that failed and that unittest counts: not what makes a class ready.
    wrong: u64,
    /// Those of them that should have failed.
    unexpected: u64,
    ran: Option<u64>,
}

/// A failure's block.
struct Failure {
    test: Test,
    /// The test around it, if it is a subtest.
    around: Option<(String, String)>,
    /// The line before was indented, so this one may name the exception.
    indented: bool,
    /// The line of dashes below the heading has come.
    heading: bool,
}

const OUTCOME: Needle = Needle::new(") ... ");

const WAKE: Wake = Wake {
    first: b"R=",
    has: &[OUTCOME],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active && !self.rule).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if let Some(count) = ran(text) {
            self.close(out);
            (self.active, self.ran) = (true, Some(count));
            return Claim::Owned;
        }
        if let Some(count) = self.ran {
            return self.last(count, text, out);
        }
        if is_rule(text, '=') {
            self.close(out);
            self.rule = true;
            // Others draw such lines too.
            return match self.active {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        }
        if std::mem::take(&mut self.rule)
            && let Some(failure) = heading(text)
        {
            self.active = true;
            self.failure = Some(failure);
            return Claim::Owned;
        }
        if self.failure.is_some() {
            self.explain(text);
            return Claim::Owned;
        }
        if line.has(&OUTCOME) {
            return self.tests(text, out);
        }
        if !self.active {
            return Claim::Passed;
        }
        if let Some(open) = self.open.take() {
            // A test's first line of documentation stands between it and its outcome.
            let word = text.rsplit_once(" ... ").map_or(text, |(_, word)| word);
            if outcome(word).is_some() {
                self.give(open, word, out);
                return Claim::Owned;
            }
            self.open = Some(open);
        } else if let Some((name, suite, "")) = id(text) {
            self.open = Some((suite, name.to_owned()));
            return Claim::Owned;
        }
        // What makes a class ready failed, or a test printed before its outcome.
        let word = outcome(text).is_some();
        let letters = !text.is_empty() && text.bytes().all(|b| b".FEsxu".contains(&b));
        match letters || word || is_rule(text, '-') {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.close(out);
        match self.active {
            true => Err("the log ends before unittest's last line".to_owned()),
            false => Ok(()),
        }
    }
}

impl Log {
    /// `a (m.C.a) ... ok`. A test whose subtests failed has no outcome there, and the next
    /// one may follow on its line.
    fn tests(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let mut rest = text.trim_start();
        let mut claim = Claim::Passed;
        while let Some((name, suite, behind)) = verbose(rest) {
            (self.active, claim) = (true, Claim::Owned);
            let test = (suite, name);
            rest = behind;
            match outcome(rest) {
                // Its failure is told by its block.
                Some(_) => self.give(test, rest, out),
                None => self.open = Some(test),
            }
        }
        claim
    }

    /// A test with its outcome; what failed is told by its block.
    fn give(&mut self, (suite, name): (String, String), word: &str, out: &mut Sink<'_>) {
        let Some((outcome, reason)) = outcome(word) else {
            return;
        };
        match outcome {
            Outcome::Passed => self.named[0] += 1,
            Outcome::Skipped => self.named[1] += 1,
            Outcome::Failed if word != UNEXPECTED => return,
            // Python 3.10 and older have no block for it.
            Outcome::Failed => {
                self.fail(suite, name, UNEXPECTED, out);
                return;
            }
        }
        let mut test = test(&suite, &name, outcome);
        test.reason = reason.map(short);
        out(Event::Test(test));
    }

    fn explain(&mut self, text: &str) {
        let Some(failure) = &mut self.failure else {
            return;
        };
        if is_rule(text, '-') {
            failure.heading = true;
        } else if failure.heading {
            let names = failure.indented && !text.is_empty() && !text.starts_with(' ');
            if names {
                failure.test.reason = Some(short(text));
            }
            failure.indented = text.starts_with("    ");
        }
    }

    /// Ends a failure's block.
    fn close(&mut self, out: &mut Sink<'_>) {
        let Some(Failure { test, around, .. }) = self.failure.take() else {
            return;
        };
        let reason = test.reason.clone().unwrap_or_default();
        match around {
            None => self.fail(test.suite, test.name, &reason, out),
            Some((suite, name)) => {
                out(Event::Test(test));
                self.fail(suite, name, &reason, out);
            }
        }
    }

    fn fail(&mut self, suite: String, name: String, reason: &str, out: &mut Sink<'_>) {
        let is_full = self.failed.len() >= REMEMBERED;
        if is_full || !self.failed.insert((suite.clone(), name.clone())) {
            return;
        }
        let makes_ready = name.starts_with("setUp") || name.starts_with("tearDown");
        self.wrong += u64::from(!makes_ready);
        self.unexpected += u64::from(reason == UNEXPECTED);
        let mut test = test(&suite, &name, Outcome::Failed);
        test.reason = (!reason.is_empty()).then(|| short(reason));
        out(Event::Test(test));
    }

    /// What follows the number of tests: `OK (skipped=1)`.
    fn last(&mut self, all: u64, text: &str, out: &mut Sink<'_>) -> Claim {
        if text.is_empty() {
            return Claim::Owned;
        }
        let (word, counts) = text.split_once(" (").unwrap_or((text, ""));
        if !["OK", "FAILED", "NO TESTS RAN"].contains(&word) {
            return Claim::Passed;
        }
        let count = |key: &str| -> u64 {
            let parts = counts.trim_end_matches(')').split(", ");
            let mut found = parts.filter_map(|part| part.strip_prefix(key)?.strip_prefix('='));
            found.next().and_then(|n| n.parse().ok()).unwrap_or(0)
        };
        let skipped = count("skipped") + count("expected failures");
        // Python 3.10 and older name these with `-v` only.
        let missing = count("unexpected successes").saturating_sub(self.unexpected);
        let passed = all.saturating_sub(self.wrong + skipped + missing);
        unnamed(
            "",
            Outcome::Passed,
            passed.saturating_sub(self.named[0]),
            out,
        );
        unnamed("", Outcome::Failed, missing, out);
        unnamed(
            "",
            Outcome::Skipped,
            skipped.saturating_sub(self.named[1]),
            out,
        );
        *self = Self::default();
        Claim::Owned
    }
}

/// `Ran 4 tests in 0.001s`.
fn ran(text: &str) -> Option<u64> {
    let (count, rest) = text.strip_prefix("Ran ")?.split_once(' ')?;
    let rest = rest
        .strip_prefix("tests in ")
        .or_else(|| rest.strip_prefix("test in "))?;
    rest.strip_suffix('s')?.parse::<f64>().ok()?;
    count.parse().ok()
}

/// A line of 70 signs, as wide as unittest draws it.
fn is_rule(text: &str, sign: char) -> bool {
    text.len() == 70 && text.chars().all(|c| c == sign)
}

/// `name (module.Class.name)`: name, suite, and what follows.
fn id(text: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = text.split_once(" (")?;
    let (dotted, behind) = rest.split_once(')')?;
    let word = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || "_.<>".contains(c))
    };
    if !word(name) || name.contains('.') || !word(dotted) {
        return None;
    }
    let suite = dotted
        .strip_suffix(name)
        .and_then(|suite| suite.strip_suffix('.'))
        .unwrap_or(dotted);
    Some((name, suite.to_owned(), behind))
}

/// `name (module.Class.name) (n=2) ... outcome`: the name, with what tells a subtest, the
/// suite, and what follows the dots.
fn verbose(text: &str) -> Option<(String, String, &str)> {
    let (name, suite, behind) = id(text)?;
    let (subtest, rest) = behind.split_once(" ... ").or_else(|| {
        // A test that prints something ends its line so.
        Some((behind.strip_suffix(" ...")?, ""))
    })?;
    Some((format!("{name}{subtest}"), suite, rest))
}

/// `FAIL: name (module.Class.name) (n=2)`.
fn heading(text: &str) -> Option<Failure> {
    let (word, rest) = text.split_once(": ")?;
    if !["FAIL", "ERROR", "UNEXPECTED SUCCESS"].contains(&word) {
        return None;
    }
    let (name, suite, subtest) = id(rest).unwrap_or((rest, String::new(), ""));
    let around = (!subtest.is_empty()).then(|| (suite.clone(), short(name)));
    let mut test = test(&suite, &format!("{name}{subtest}"), Outcome::Failed);
    if word == "UNEXPECTED SUCCESS" {
        test.reason = Some(UNEXPECTED.to_owned());
    }
    Some(Failure {
        test,
        around,
        indented: false,
        heading: false,
    })
}

/// `ok`, `skipped 'why'`.
fn outcome(word: &str) -> Option<(Outcome, Option<&str>)> {
    Some(match word {
        "ok" => (Outcome::Passed, None),
        "FAIL" | "ERROR" | UNEXPECTED => (Outcome::Failed, None),
        "expected failure" => (Outcome::Skipped, Some(word)),
        _ => {
            let why = word.strip_prefix("skipped ")?;
            (Outcome::Skipped, Some(why.trim_matches(['\'', '"'])))
        }
    })
}
