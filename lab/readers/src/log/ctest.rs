//! CTest: what `ctest` prints, with `-V` or without.
//!
//! `3/9 Test #3: bad .....***Failed    0.03 sec`. A test that a signal ended is a
//! crash too. Tests have no suite, since CTest names only a folder of the machine.
//! Source: CMake 3.25, `Source/CTest/cmCTestRunTest.cxx`.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{seconds, short, test};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Crash, Event, Outcome, Test};

pub struct Ctest;

impl LogReader for Ctest {
    fn name(&self) -> &'static str {
        "ctest"
    }

    fn reads(&self) -> &'static str {
        "the text that `ctest` prints"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| result(&line).is_some()) {
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
    /// A test was told; what sums up is CTest's.
    active: bool,
    /// A test was told, and not yet what part of all passed.
    open: bool,
}

const TEST: Needle = Needle::new(" Test ");
const START: Needle = Needle::new(" Start ");

const WAKE: Wake = Wake {
    first: b"",
    has: &[TEST, START],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        // The first ones come before any test was told.
        if starts(line.text) {
            return Claim::Owned;
        }
        if !matches!(line.first(), b' ' | b'0'..=b'9') || !line.has(&TEST) {
            return match self.active && repeats(line.text) {
                true => {
                    self.open &= !line.text.contains(PASSED);
                    Claim::Owned
                }
                false => Claim::Passed,
            };
        }
        let Some((test, crash)) = result(line.text) else {
            return Claim::Passed;
        };
        (self.active, self.open) = (true, true);
        if let Some(kind) = crash {
            out(Event::Crash(Crash {
                kind: kind.to_owned(),
                text: format!("{}: {}", test.name, test.reason.as_deref().unwrap_or(kind)),
            }));
        }
        out(Event::Test(test));
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.open {
            true => Err("the log ends before CTest's last lines".to_owned()),
            false => Ok(()),
        }
    }
}

/// `100% tests passed, 0 tests failed out of 4`.
const PASSED: &str = "% tests passed, ";

/// `    Start  1: name`, which a name such as `ok` makes look like an outcome.
fn starts(text: &str) -> bool {
    let rest = text.trim_start();
    let number = (rest.len() < text.len())
        .then(|| rest.strip_prefix("Start "))
        .flatten()
        .and_then(|rest| rest.trim_start().split_once(": "));
    number.is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

/// Lines that say again what the tests' own lines said.
fn repeats(text: &str) -> bool {
    let trimmed = text.trim_start();
    let listed = |text: &str| {
        let number = text
            .split_once(" - ")
            .is_some_and(|(n, _)| n.parse::<u32>().is_ok());
        number && text.ends_with(')')
    };
    text.contains(PASSED)
        || text.starts_with("The following tests ")
        || text.starts_with("Errors while running CTest")
        || text.contains("--rerun-failed --output-on-failure")
        || text.starts_with('\t') && listed(trimmed)
}

/// How CTest names what killed a test, and what it is.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("SegFault", "SIGSEGV"),
    ("Illegal", "SIGILL"),
    ("Interrupt", "SIGINT"),
    ("Numerical", "SIGFPE"),
    ("Subprocess aborted", "SIGABRT"),
    ("Subprocess killed", "SIGKILL"),
    ("Bus error", "SIGBUS"),
];

/// A test, and the signal that ended it.
fn result(text: &str) -> Option<(Test, Option<&'static str>)> {
    let (count, rest) = text.trim_start().split_once(" Test ")?;
    let (done, all) = count.split_once('/')?;
    done.trim().parse::<u32>().ok()?;
    all.trim().parse::<u32>().ok()?;
    let (number, rest) = rest.trim_start().strip_prefix('#')?.split_once(": ")?;
    number.parse::<u32>().ok()?;
    // The name is padded with dots, four of them at least.
    let at = rest.find(" ..")?;
    let name = &rest[..at];
    let rest = rest[at..].trim_start().trim_start_matches('.');
    let (rest, unit) = rest.trim_end().rsplit_once(' ')?;
    if unit != "sec" {
        return None;
    }
    let (status, time) = rest.trim_end().rsplit_once(' ')?;
    let time = seconds(time)?;
    let status = status.trim();
    let outcome = match status.trim_start_matches('*') {
        "Passed" => Outcome::Passed,
        "Skipped" => Outcome::Skipped,
        other if other.starts_with("Not Run (Disabled)") => Outcome::Skipped,
        _ => Outcome::Failed,
    };
    let mut test = test("", name, outcome);
    test.seconds = Some(time);
    let mut crash = None;
    if outcome == Outcome::Failed {
        let reason = status.replace("***", " ");
        crash = status.contains("***Exception").then(|| {
            let known = EXCEPTIONS.iter().find(|(word, _)| status.contains(word));
            known.map_or("exception", |(_, signal)| signal)
        });
        test.reason = Some(short(reason.trim().trim_end_matches(':')));
    }
    Some((test, crash))
}
