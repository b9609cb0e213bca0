//! doctest's console (the C++ library).
//!
//! It names only test cases in which something failed, and all of them with `-s`; of
//! the others it tells the number. Source: doctest 2.4.9.

use super::line::Line;
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Crash, Event, Outcome};

pub static DOCTEST: LineReader = LineReader {
    name: "doctest",
    reads: "the text that doctest (C++) prints",
    mark: |line| line.starts_with("[doctest] "),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    active: bool,
    suite: String,
    /// The test case that messages are of, whether it failed, and why.
    case: Option<(String, String, bool, Option<String>)>,
    named: [u64; 2],
}

const WAKE: Wake = Wake {
    first: b"[",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if let Some(rest) = text.strip_prefix("[doctest] ") {
            if let Some(counts) = rest.strip_prefix("test cases: ") {
                self.finish(counts, out);
            } else if rest.starts_with("doctest version") {
                self.active = true;
            } else if rest.starts_with("Status: ") {
                self.active = false;
            }
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        if text.len() > 60 && text.bytes().all(|b| b == b'=') {
            self.suite.clear();
            return Claim::Owned;
        }
        if let Some(suite) = text.strip_prefix("TEST SUITE: ") {
            self.suite = short(suite);
            return Claim::Owned;
        }
        let case = text.strip_prefix("TEST CASE:  ");
        if let Some(name) = case.or_else(|| {
            text.strip_prefix("  Scenario:")
                .filter(|_| self.case.is_none())
        }) {
            let name = short(name);
            let known = self
                .case
                .as_ref()
                .is_some_and(|c| c.0 == self.suite && c.1 == name);
            if !known {
                self.flush(out);
                self.case = Some((self.suite.clone(), name, false, None));
            }
            return Claim::Owned;
        }
        let Some((_, name, failed, why)) = &mut self.case else {
            return match super::scan::place(text.trim_end_matches(':')) {
                Some(_) if !text.contains(' ') => Claim::Owned,
                _ => Claim::Passed,
            };
        };
        if let Some((_, said)) = text.split_once(" ERROR: ") {
            *failed = true;
            if why.is_none() {
                *why = Some(short(said));
            }
            if let Some((_, signal)) = said.split_once("CRASHED: ") {
                let kind = short(signal.split(' ').next().unwrap_or(signal));
                let text = format!("{kind} in {name}");
                out(Event::Crash(Crash { kind, text }));
            }
            return Claim::Owned;
        }
        let own = text.is_empty()
            || text.starts_with("  ")
            || text.contains(": SUCCESS: ")
            || !text.contains(' ') && super::scan::place(text.trim_end_matches(':')).is_some();
        match own {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        // How a test case would have gone on is not known, unless it failed.
        if self.case.as_ref().is_some_and(|case| case.2) {
            self.flush(out);
        }
        match self.active {
            true => Err("the log ends before doctest's last lines".to_owned()),
            false => Ok(()),
        }
    }
}

impl Log {
    fn flush(&mut self, out: &mut Sink<'_>) {
        if let Some((suite, name, failed, why)) = self.case.take() {
            let outcome = match failed {
                true => Outcome::Failed,
                false => Outcome::Passed,
            };
            self.named[usize::from(failed)] += 1;
            let mut test = test(&suite, &name, outcome);
            test.reason = why;
            out(Event::Test(test));
        }
    }

    /// `3 | 2 passed | 1 failed | 1 skipped`.
    fn finish(&mut self, counts: &str, out: &mut Sink<'_>) {
        self.flush(out);
        let count = |what: &str| -> u64 {
            let parts = counts.split('|').map(str::trim);
            let found = parts.filter_map(|part| part.strip_suffix(what)).next();
            found.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
        };
        let [passed, failed] = self.named;
        unnamed(
            "",
            Outcome::Passed,
            count(" passed").saturating_sub(passed),
            out,
        );
        unnamed(
            "",
            Outcome::Failed,
            count(" failed").saturating_sub(failed),
            out,
        );
        // What is skipped is mostly left out by a filter.
        unnamed("", Outcome::Skipped, count(" skipped"), out);
        // The status follows.
        *self = Self {
            active: true,
            ..Self::default()
        };
    }
}
