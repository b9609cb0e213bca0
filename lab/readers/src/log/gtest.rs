//! GoogleTest's console: `[ RUN      ] Sum.Small`, `[       OK ] Sum.Small (0 ms)`.
//!
//! The suite is what stands before the first full stop, as in GoogleTest's XML; a
//! disabled test counts as skipped. The reason of a failure is the text behind its
//! place. A test that does not end leaves the log open, since GoogleTest may have died
//! there. With `--gtest_brief` only failed tests are named, and the others are counted.
//! cmocka prints the same lines, of tests without suites. Sources: GoogleTest 1.12.1,
//! cmocka 1.1.5.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};

pub static GTEST: LineReader = LineReader {
    name: "gtest",
    reads: "the text that GoogleTest prints",
    mark: |line| {
        let counted = || line.starts_with("[==========] ") && line.contains(" ran.");
        line.starts_with("[==========] Running ") || line.starts_with("[ RUN      ] ") || counted()
    },
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    /// Between the first line and `ran.`
    running: bool,
    /// Behind it: tests are named again.
    summary: bool,
    open: Option<String>,
    /// Behind a failure's place, up to the end of its test.
    failure: bool,
    reason: Option<String>,
    unended: Vec<String>,
    /// Tests that were named as passed and skipped.
    named: [u64; 2],
    /// Tests that ran, as the line of the whole run says, and those that were told.
    ran: u64,
    told: u64,
}

const MARKS: &[(Needle, Option<Outcome>)] = &[
    (Needle::new("[       OK ] "), Some(Outcome::Passed)),
    (Needle::new("[  FAILED  ] "), Some(Outcome::Failed)),
    (Needle::new("[  SKIPPED ] "), Some(Outcome::Skipped)),
    (Needle::new(DISABLED), Some(Outcome::Skipped)),
    (Needle::new("[ RUN      ] "), None),
];
const DISABLED: &str = "[ DISABLED ] ";
const RULE: Needle = Needle::new("[==========] ");
const PLACE: Needle = Needle::new(": Failure");
/// `sums.cc:6: Skipped`: with `--gtest_brief` nothing stands before it.
const SKIPPED: Needle = Needle::new(": Skipped");

const FIRST_LINES: [Needle; 7] = [
    RULE, SKIPPED, MARKS[0].0, MARKS[1].0, MARKS[2].0, MARKS[3].0, MARKS[4].0,
];

const WAKE: Wake = Wake {
    first: b"",
    has: &FIRST_LINES,
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.running && !self.summary).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text;
        if line.has(&RULE) {
            self.running = text.contains("] Running ");
            self.summary = !self.running;
            if self.running {
                self.named = [0; 2];
            }
            self.ran += ran(text).unwrap_or(0);
            return Claim::Owned;
        }
        if self.summary
            && let Some(passed) = line.text.strip_prefix("[  PASSED  ] ")
        {
            self.count(Outcome::Passed, passed, out);
            return Claim::Owned;
        }
        // A test that prints without a line end leaves its text before the mark.
        for (mark, outcome) in MARKS {
            if let Some(at) = line.find(mark) {
                // It did not run.
                self.ran += u64::from(mark.text() == DISABLED);
                return self.mark(&text[at + mark.text().len()..], *outcome, out);
            }
        }
        if line.has(&SKIPPED) && is_skipped(text) {
            return Claim::Owned;
        }
        if !self.running && !self.summary {
            return Claim::Passed;
        }
        let owned = text.starts_with("[----------]")
            || text.starts_with("[  PASSED  ]")
            || text.starts_with("[  ERROR   ]")
            || text.starts_with("[   LINE   ]")
            || text.starts_with("Note: Google Test")
            || self.summary && (text.contains(" FAILED TEST") || text.contains("DISABLED TEST"));
        if owned {
            return Claim::Owned;
        }
        if self.open.is_some() && line.has(&PLACE) && text.ends_with(": Failure") {
            self.failure = true;
            return Claim::Owned;
        }
        if self.open.is_some() && self.failure {
            if self.reason.is_none() && !text.trim().is_empty() {
                self.reason = Some(short(text));
            }
            return Claim::Owned;
        }
        Claim::Passed
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        self.unended.extend(self.open.take());
        if let Some(test) = self.unended.first() {
            return Err(format!("the test {test} does not end"));
        }
        match self.running {
            true => Err("the log ends before GoogleTest's last lines".to_owned()),
            false if self.told < self.ran => Err(format!(
                "{} tests ran, and only of {} the log says how they ended",
                self.ran, self.told
            )),
            false => Ok(()),
        }
    }
}

/// `[==========] 6 tests from 3 test suites ran. (9 ms total)`: the 6.
fn ran(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once("[==========] ")?;
    rest.contains(" ran.").then_some(())?;
    rest.split(' ').next()?.parse().ok()
}

/// Ends of the files that hold tests of C++.
const ENDS: &[&str] = &[
    "cc", "cpp", "cxx", "c++", "C", "c", "h", "hh", "hpp", "inl", "cu", "mm",
];

/// `sums.cc:6: Skipped`, `sums.cc(6): Skipped`: the number of such tests is told at the end.
fn is_skipped(text: &str) -> bool {
    let place = text.strip_suffix(": Skipped");
    let file = place.and_then(|place| match place.strip_suffix(')') {
        Some(place) => place.rsplit_once('('),
        None => place.rsplit_once(':'),
    });
    file.is_some_and(|(file, line)| {
        let end = file.rsplit_once('.').map_or("", |(_, end)| end);
        line.parse::<u32>().is_ok() && ENDS.contains(&end)
    })
}

impl Log {
    /// `7 tests.`, `1 test, listed below:`: those that were not named are told by number.
    fn count(&mut self, outcome: Outcome, text: &str, out: &mut Sink<'_>) {
        let Some((count, rest)) = text.split_once(' ') else {
            return;
        };
        let Some(count) = count.parse().ok().filter(|_| rest.starts_with("test")) else {
            return;
        };
        let named = &mut self.named[usize::from(outcome == Outcome::Skipped)];
        let others = u64::saturating_sub(count, *named);
        self.told += others;
        unnamed("", outcome, others, out);
        *named = 0;
    }

    fn mark(&mut self, rest: &str, outcome: Option<Outcome>, out: &mut Sink<'_>) -> Claim {
        let Some(outcome) = outcome else {
            self.unended.extend(self.open.replace(short(rest)));
            (self.failure, self.reason) = (false, None);
            self.running = true;
            return Claim::Owned;
        };
        if self.summary {
            if outcome == Outcome::Skipped {
                self.count(outcome, rest, out);
            }
            return Claim::Owned;
        }
        let (name, time) = match rest.rsplit_once(" (") {
            Some((name, time)) if time.ends_with(" ms)") => {
                (name, seconds(&time[..time.len() - 1]))
            }
            _ => (rest, None),
        };
        let name = name.split(", where ").next().unwrap_or(name).trim();
        let bare = self.open.as_deref() == Some(name);
        // A suite's own line counts tests.
        let Some((suite, name)) = name.split_once('.').or(bare.then_some(("", name))) else {
            return Claim::Owned;
        };
        match outcome {
            Outcome::Passed => self.named[0] += 1,
            Outcome::Skipped => self.named[1] += 1,
            Outcome::Failed => {}
        }
        self.told += 1;
        self.open = None;
        let mut test = test(suite, name, outcome);
        test.seconds = time;
        test.reason = self.reason.take().filter(|_| outcome == Outcome::Failed);
        self.failure = false;
        out(Event::Test(test));
        Claim::Owned
    }
}
