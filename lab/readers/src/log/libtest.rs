//! libtest: what `cargo test` prints.
//!
//! The suite is the test binary without its hash and the file it was made from, as
//! cargo names them (`shop (src/lib.rs)`, `shop (doc-tests)`); empty where a binary
//! ran without cargo. `- should panic` and the like are no part of a name. Tests that the
//! last line counts and no line named are told by their number (`--quiet`). The
//! reason of a failure comes from the block `failures:` behind the tests, so failed
//! tests come out at the end of their binary. With `--quiet` only failed tests have
//! names. While a binary's tests run, a panic is some test's and no crash: the tests'
//! outcomes tell whether it was wanted (`--nocapture`). Source: rustc 1.95 and `library/test/src/formatters/pretty.rs`.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, number, seconds, short, test, unnamed, word};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Event, Outcome, Test};

/// Failed tests kept for their reasons.
const HELD: usize = 4096;

pub struct Libtest;

impl LogReader for Libtest {
    fn name(&self) -> &'static str {
        "libtest"
    }

    fn reads(&self) -> &'static str {
        "the text that `cargo test` and `cargo bench` print of Rust's own harness"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| is_start(&line)) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, known: Confidence) -> State {
        State::Lines(Box::new(Log {
            active: known >= Confidence::Lines,
            running: false,
            panicked: None,
            panics: Vec::new(),
            suite: String::new(),
            open: None,
            failed: Vec::new(),
            named: [0; 3],
            failures: None,
        }))
    }
}

/// `running 3 tests`.
fn is_start(line: &str) -> bool {
    let rest = line.strip_prefix("running ");
    let words = rest.and_then(word);
    words.is_some_and(|(count, rest)| {
        count.parse::<u64>().is_ok() && matches!(rest.trim(), "test" | "tests")
    })
}

struct Log {
    active: bool,
    /// Between `running 3 tests` and `test result`.
    running: bool,
    /// The next line is what this thread said when it panicked.
    panicked: Option<String>,
    /// Threads that panicked, which have their tests' names, and what they said.
    panics: Vec<(String, String)>,
    suite: String,
    /// A test whose name was printed, and something else before its outcome.
    open: Option<String>,
    failed: Vec<Test>,
    /// Tests of this binary that were named, by outcome.
    named: [u64; 3],
    /// In the block `failures:`; the test whose output this is.
    failures: Option<Failure>,
}

#[derive(Default)]
struct Failure {
    /// Index in `failed`.
    test: Option<usize>,
    /// The next line is what the test said when it panicked.
    panicked: bool,
}

const WAKE: Wake = Wake {
    first: b" r",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text;
        match line.first() {
            b' ' if self.failures.is_none() => return self.suite(text, out),
            b'r' if is_start(text) => {
                self.flush(out);
                self.active = true;
                self.running = true;
                self.named = [0; 3];
                return Claim::Owned;
            }
            _ if !self.active => return Claim::Passed,
            _ => {}
        }
        if let Some(thread) = self.panicked.take() {
            if self.panics.len() < HELD {
                self.panics.push((thread, short(text)));
            }
            return Claim::Owned;
        }
        if let Some(rest) = text.strip_prefix("test result: ") {
            self.flush(out);
            if std::mem::take(&mut self.running) {
                self.count(rest, out);
            }
            return match rest.contains(';') {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        }
        if self.failures.is_some() {
            self.failure(text);
            return Claim::Owned;
        }
        match line.first() {
            b't' if self.running && line.has(&PANICKED) => self.panic(text),
            b't' if text.starts_with("test ") => self.test(text, out),
            b'f' if text == "failures:" => {
                self.failures = Some(Failure::default());
                Claim::Owned
            }
            b'o' | b'F' | b'i' if self.open.is_some() => {
                let Some((outcome, reason, _)) = outcome(text) else {
                    return Claim::Passed;
                };
                let name = self.open.take().unwrap_or_default();
                self.ended(&name, outcome, reason, None, out);
                Claim::Owned
            }
            b'.' | b'F' | b'i' | b'a' | b' ' if self.running && is_letters(text) => Claim::Owned,
            _ => match text.strip_suffix(" --- FAILED") {
                // Of --quiet.
                Some(name) if !name.contains(' ') => {
                    self.ended(name, Outcome::Failed, None, None, out);
                    Claim::Owned
                }
                _ => Claim::Passed,
            },
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.flush(out);
        match self.running {
            true => Err("the log ends before the line `test result`".to_owned()),
            false => Ok(()),
        }
    }
}

impl Log {
    /// Cargo's line before a test binary.
    fn suite(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let text = text.trim_start();
        let suite = if let Some(rest) = text.strip_prefix("Running ") {
            suite_of(rest)
        } else {
            let package = text.strip_prefix("Doc-tests ");
            package.map(|package| format!("{} (doc-tests)", short(package)))
        };
        let Some(suite) = suite else {
            return Claim::Passed;
        };
        self.flush(out);
        self.suite = suite;
        Claim::Owned
    }

    /// `test NAME ... OUTCOME`.
    fn test(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let rest = &text["test ".len()..];
        let Some((name, rest)) = rest.split_once(" ... ") else {
            if let Some(name) = rest.strip_suffix(" ...") {
                self.open = Some(short(name));
                return Claim::Owned;
            }
            return match rest.contains(" has been running for over ") {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        };
        if let Some(bench) = rest.strip_prefix("bench:") {
            return self.bench(name, bench, out);
        }
        match outcome(rest) {
            Some((outcome, reason, seconds)) => self.ended(name, outcome, reason, seconds, out),
            // What the test prints follows at once (--nocapture).
            None => self.open = Some(short(name)),
        }
        Claim::Owned
    }

    /// `bench:       1,234 ns/iter (+/- 56)`, and ` = 789 MB/s` behind.
    fn bench(&mut self, name: &str, text: &str, out: &mut Sink<'_>) -> Claim {
        let Some((value, rest)) = word(text) else {
            return Claim::Passed;
        };
        let (Some(value), Some((unit, rest))) = (number(value), word(rest)) else {
            return Claim::Passed;
        };
        out(Event::Figure(figure(&self.suite, name, value, unit)));
        let rate = rest.split_once(" = ").and_then(|(_, rate)| word(rate));
        if let Some((value, unit)) = rate
            && let Some(value) = number(value)
        {
            out(Event::Figure(figure(&self.suite, name, value, unit.trim())));
        }
        Claim::Owned
    }

    fn ended(
        &mut self,
        name: &str,
        outcome: Outcome,
        reason: Option<&str>,
        seconds: Option<f64>,
        out: &mut Sink<'_>,
    ) {
        let name = [" - should panic", " - compile fail", " - compile"]
            .iter()
            .find_map(|kind| name.strip_suffix(kind))
            .unwrap_or(name);
        let mut test = test(&self.suite, name, outcome);
        test.reason = reason.map(short);
        test.seconds = seconds;
        self.named[outcome as usize] += 1;
        if outcome == Outcome::Failed && self.failed.len() < HELD {
            self.failed.push(test);
        } else {
            out(Event::Test(test));
        }
    }

    /// `ok. 3 passed; 0 failed; 1 ignored; …`: those that were not named.
    fn count(&self, result: &str, out: &mut Sink<'_>) {
        let count = |what: &str| -> u64 {
            let parts = result.split([';', '.']).map(str::trim);
            let found = parts.filter_map(|part| part.strip_suffix(what)).next();
            found.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
        };
        for (outcome, what) in [
            (Outcome::Passed, " passed"),
            (Outcome::Failed, " failed"),
            (Outcome::Skipped, " ignored"),
        ] {
            let rest = count(what).saturating_sub(self.named[outcome as usize]);
            unnamed(&self.suite, outcome, rest, out);
        }
    }

    /// `thread 'tests::wrong' (2830) panicked at src/lib.rs:15:59:`.
    fn panic(&mut self, text: &str) -> Claim {
        let Some(rest) = text.strip_prefix("thread '") else {
            return Claim::Passed;
        };
        let thread = short(rest.split('\'').next().unwrap_or(""));
        if text.ends_with(':') {
            self.panicked = Some(thread);
        } else if let Some((_, said)) = text.split_once(PANICKED.text())
            && self.panics.len() < HELD
        {
            self.panics.push((thread, short(said)));
        }
        Claim::Owned
    }

    /// A line of the block `failures:`.
    fn failure(&mut self, text: &str) {
        let Some(failure) = &mut self.failures else {
            return;
        };
        let header = text.strip_prefix("---- ").and_then(|rest| {
            let (name, _) = rest.strip_suffix(" ----")?.rsplit_once(' ')?;
            Some(name)
        });
        if let Some(name) = header {
            let named = |test: &Test| {
                test.name == name || test.name.len() > 100 && name.starts_with(&test.name)
            };
            failure.test = self.failed.iter().rposition(named);
            failure.panicked = false;
            return;
        }
        let Some(test) = failure.test.and_then(|at| self.failed.get_mut(at)) else {
            return;
        };
        if std::mem::take(&mut failure.panicked) {
            test.reason = Some(short(text));
            failure.test = None;
        } else if let Some(at) = text.find("panicked at ") {
            // Until Rust 1.72 the message stood in quotes on the same line.
            let said = text[at..].strip_prefix("panicked at '");
            match said.and_then(|rest| rest.rsplit_once("', ")) {
                Some((said, _)) => {
                    test.reason = Some(short(said));
                    failure.test = None;
                }
                None => failure.panicked = true,
            }
        } else if test.reason.is_none() && !text.trim().is_empty() || text.starts_with("Error: ") {
            test.reason = Some(short(text));
        }
    }

    /// Gives the failed tests.
    fn flush(&mut self, out: &mut Sink<'_>) {
        self.failures = None;
        self.open = None;
        let panics = std::mem::take(&mut self.panics);
        for mut test in self.failed.drain(..) {
            if test.reason.is_none() {
                let said = panics.iter().find(|(thread, _)| *thread == test.name);
                test.reason = said.map(|(_, said)| said.clone());
            }
            out(Event::Test(test));
        }
    }
}

/// `unittests src/lib.rs (target/debug/deps/shop-0123456789abcdef)`.
fn suite_of(text: &str) -> Option<String> {
    let (file, binary) = text.trim().strip_suffix(')')?.rsplit_once(" (")?;
    let binary = binary.rsplit(['/', '\\']).next()?;
    let binary = binary.strip_suffix(".exe").unwrap_or(binary);
    let hash = |hash: &str| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    let name = match binary.rsplit_once('-') {
        Some((name, end)) if hash(end) => name,
        _ => return None,
    };
    let file = file.strip_prefix("unittests ").unwrap_or(file);
    Some(format!("{} ({})", short(name), short(file)))
}

/// `..i.F`, with how many of all these are behind it: `..  88/120`.
fn is_letters(text: &str) -> bool {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '/' || c == ' ');
    !letters.is_empty()
        && letters
            .bytes()
            .all(|b| matches!(b, b'.' | b'F' | b'i' | b'a'))
}

const PANICKED: Needle = Needle::new(" panicked at ");
const TIME: Needle = Needle::new(" <");

/// `ok`, `FAILED`, `ignored`, `ignored, why`, and `ok <0.003s>`.
fn outcome(text: &str) -> Option<(Outcome, Option<&str>, Option<f64>)> {
    let text = text.trim();
    let (text, time) = match text
        .strip_suffix('>')
        .and_then(|t| t.rsplit_once(TIME.text()))
    {
        Some((text, time)) => (text, seconds(time)),
        None => (text, None),
    };
    let found = match text {
        "ok" => (Outcome::Passed, None, time),
        "FAILED" => (Outcome::Failed, None, time),
        "FAILED (time limit exceeded)" => (Outcome::Failed, Some("time limit exceeded"), time),
        "ignored" => (Outcome::Skipped, None, time),
        _ => (
            Outcome::Skipped,
            Some(text.strip_prefix("ignored, ")?),
            time,
        ),
    };
    Some(found)
}
