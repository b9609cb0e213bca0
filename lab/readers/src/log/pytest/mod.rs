//! pytest: its text, plain, `-v`, `-rA` and under xdist.
//!
//! A node id is split at its last `::` outside of brackets: `test_shop.py::TestGroup`
//! is the suite, `test_inside` the name. `XFAIL` counts as skipped and `XPASS` as
//! passed, as in pytest's own JUnit XML. Without `-v` or `-rA` pytest names only what
//! did not pass: the others are taken from the numbers of its last line, as so many
//! tests called [`PASSED`] or [`SKIPPED`], so that one that is gone is seen. With `-q`
//! the log begins without a heading, by a letter for each test; where no last line comes
//! (`-qq`), those letters are counted. Of the block `FAILURES`
//! nothing is read, the summary behind it gives the reasons. Warnings come from
//! `warnings summary`. pytest-benchmark's table gives min, mean and median of each
//! test. Source: pytest 9.2, pytest-xdist 3.8, pytest-benchmark 5.3.

mod words;

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{fact, figure, message, number, place, short};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Event, Level, Outcome, Statistic, Test};
use karat_model::units::nanoseconds;
use std::collections::HashSet;
use words::{
    OUTCOMES, counted, is_first, is_quiet, is_result, is_table, letters, of_worker, outcome_of,
    split, subtest, title, verbose, verbose_subtest,
};

/// Tests remembered, so that the summary does not count them again.
const REMEMBERED: usize = 65_536;

pub struct Pytest;

impl LogReader for Pytest {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn reads(&self) -> &'static str {
        "the text that pytest prints, and the tables of pytest-benchmark"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| is_first(&line) || is_table(&line)) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, known: Confidence) -> State {
        State::Lines(Box::new(Log {
            active: known >= Confidence::Lines,
            started: false,
            part: Part::Tests,
            failed: Vec::new(),
            seen: HashSet::new(),
            named: [0; 3],
            letters: [0; 3],
            subtests: 0,
            percent: None,
            table: Vec::new(),
            unit: String::new(),
        }))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Tests,
    /// What failed tests printed.
    Failures,
    Warnings,
    Summary,
}

struct Log {
    active: bool,
    /// In a session whose first line said so; with `-qq` no line does, and none ends it.
    started: bool,
    part: Part,
    /// Failed tests, until the summary gives their reasons.
    failed: Vec<Test>,
    seen: HashSet<String>,
    /// Tests of this session that were named: passed, failed, skipped.
    named: [u64; 3],
    /// The same by their letters, and what part of all these are.
    letters: [u64; 3],
    subtests: u64,
    percent: Option<u8>,
    /// The columns of a benchmark table.
    table: Vec<String>,
    unit: String,
}

const NODE: Needle = Needle::new("::");

/// Ends the last line of letters.
const WHOLE: Needle = Needle::new("[100%]");

const WAKE: Wake = Wake {
    first: b"=N",
    has: &[WHOLE],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active && self.table.is_empty()).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text;
        if line.first() == b'=' {
            return self.heading(text, out);
        }
        if line.first() == b'N' && is_table(text) {
            self.columns(text);
            return Claim::Owned;
        }
        if !self.table.is_empty() {
            return self.row(text, out);
        }
        if let Some((counts, subtests, percent)) =
            letters(text).filter(|_| self.part == Part::Tests)
        {
            self.active = true;
            self.subtests += subtests;
            for (sum, count) in self.letters.iter_mut().zip(counts) {
                *sum += count;
            }
            self.percent = Some(percent);
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        // In quiet mode the last line has no `=`.
        if self.part != Part::Failures && line.first().is_ascii_digit() && is_result(text) {
            self.finish(text, out);
            return Claim::Owned;
        }
        match self.part {
            Part::Failures => Claim::Owned,
            Part::Warnings => self.warning(text, out),
            Part::Summary => self.summary(text, out),
            Part::Tests if line.has(&NODE) => self.test(text, out),
            Part::Tests => match text.strip_prefix("platform ") {
                Some(platform) => {
                    out(fact(
                        "pytest",
                        platform.split(" -- /").next().unwrap_or(platform),
                    ));
                    Claim::Owned
                }
                None => Claim::Passed,
            },
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        match (self.started, self.percent) {
            (true, _) => {
                self.flush(out);
                Err("the log ends before the session's result".to_owned())
            }
            (false, Some(percent)) if percent < 100 => {
                self.flush(out);
                Err(format!("the log ends at {percent} % of the tests"))
            }
            (false, Some(_)) => {
                self.count(self.letters, out);
                match self.subtests {
                    0 => Ok(()),
                    n => Err(format!(
                        "`u` stands for {n} subtests that passed or failed, and no last line tells \
                         which: run pytest with one `-q` less"
                    )),
                }
            }
            (false, None) => {
                self.flush(out);
                Ok(())
            }
        }
    }
}

impl Log {
    fn heading(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        // A result that hardly fits the line has one sign on each side.
        let narrow = || text.strip_prefix("= ")?.trim_end().strip_suffix(" =");
        let Some(title) = title(text).or_else(|| narrow().filter(|t| is_result(t))) else {
            return Claim::Passed;
        };
        if title == "test session starts" {
            self.flush(out);
            self.begin();
            self.started = true;
            return Claim::Owned;
        }
        if !self.active {
            if !is_quiet(text) {
                return Claim::Passed;
            }
            self.begin();
        }
        self.part = match title {
            "FAILURES" | "ERRORS" | "PASSES" | "XPASSES" => Part::Failures,
            "short test summary info" => Part::Summary,
            _ if title.starts_with("warnings summary") => Part::Warnings,
            _ if is_result(title) => {
                self.finish(title, out);
                Part::Tests
            }
            _ => Part::Tests,
        };
        Claim::Owned
    }

    fn begin(&mut self) {
        self.seen.clear();
        (self.named, self.letters, self.percent) = ([0; 3], [0; 3], None);
        self.subtests = 0;
        self.active = true;
        self.part = Part::Tests;
    }

    /// The last line of a session: `1 failed, 7 passed in 0.12s`.
    fn finish(&mut self, result: &str, out: &mut Sink<'_>) {
        let words: [&[&str]; 3] = [
            // `2 subtests passed`.
            &["passed", "xpassed", "subtests"],
            &["failed", "error", "errors"],
            &["skipped", "xfailed"],
        ];
        let all = words.map(|words| words.iter().map(|word| counted(result, word)).sum());
        self.count(all, out);
        self.begin();
        self.active = false;
        self.started = false;
    }

    /// All tests of the session by their number, of which some were named.
    fn count(&mut self, all: [u64; 3], out: &mut Sink<'_>) {
        self.flush(out);
        for (outcome, (all, named)) in OUTCOMES.into_iter().zip(all.into_iter().zip(self.named)) {
            super::scan::unnamed("", outcome, all.saturating_sub(named), out);
        }
    }

    /// A test with its outcome: `ID PASSED [ 8%]`, or `[gw0] [ 8%] PASSED ID`.
    fn test(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let found = match text.starts_with("[gw") {
            true => of_worker(text),
            false => verbose(text),
        };
        if found.is_none()
            && let Some((id, outcome)) = verbose_subtest(text)
        {
            self.give(&id, split(&id, outcome), out);
            return Claim::Owned;
        }
        let Some((id, outcome, reason)) = found else {
            return Claim::Passed;
        };
        let mut test = split(id, outcome);
        test.reason = reason.map(short);
        self.give(id, test, out);
        Claim::Owned
    }

    fn give(&mut self, id: &str, test: Test, out: &mut Sink<'_>) {
        if let Some(at) = OUTCOMES.iter().position(|known| *known == test.outcome) {
            self.named[at] += 1;
        }
        if self.seen.len() < REMEMBERED {
            self.seen.insert(short(id));
        }
        if test.outcome == Outcome::Failed && self.failed.len() < REMEMBERED {
            self.failed.push(test);
        } else {
            out(Event::Test(test));
        }
    }

    /// `FAILED ID - reason`.
    fn summary(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        if let Some((outcome, what)) = subtest(text) {
            // `SUBFAILED[title] (i=1) ID - reason`
            let (front, reason) = match what.split_once(" - ") {
                Some((front, reason)) => (front, Some(reason)),
                None => (what, None),
            };
            if let Some((what, id)) = front.rsplit_once(' ') {
                let id = format!("{id} {what}");
                self.told(&id, split(&id, outcome), reason, out);
            }
            return Claim::Owned;
        }
        let Some((outcome, rest)) = text.split_once(' ') else {
            return Claim::Passed;
        };
        let Some(outcome) = outcome_of(outcome) else {
            return Claim::Passed;
        };
        let (id, reason) = match rest.split_once(" - ") {
            Some((id, reason)) => (id, Some(reason)),
            None => (rest, None),
        };
        // `SKIPPED [1] test_shop.py:7: needs a disk` names no test.
        if !id.contains("::") {
            return Claim::Owned;
        }
        self.told(id.trim(), split(id.trim(), outcome), reason, out);
        Claim::Owned
    }

    /// A test that the summary names, which may be known.
    fn told(&mut self, id: &str, mut test: Test, reason: Option<&str>, out: &mut Sink<'_>) {
        test.reason = reason.map(short);
        let known = self.failed.iter_mut().find(|known| {
            known.suite == test.suite && known.name == test.name && known.outcome == test.outcome
        });
        if let Some(known) = known {
            known.reason = test.reason;
        } else if !self.seen.contains(&short(id)) {
            self.give(id, test, out);
        }
    }

    /// `  test_shop.py:18: DeprecationWarning: this is old`
    fn warning(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let rest = text
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with(' '));
        if let Some((at, said)) = rest.and_then(|rest| rest.split_once(": "))
            && let Some((file, line)) = place(at)
            && said.contains("Warning")
        {
            out(message(Level::Warning, Some(file), Some(line), said));
        }
        Claim::Owned
    }

    fn columns(&mut self, text: &str) {
        let unit = text["Name (time in ".len()..].split(')').next();
        self.unit = short(unit.unwrap_or(""));
        let columns = text.split("  ").map(str::trim).filter(|c| !c.is_empty());
        self.table = columns.take(32).map(short).collect();
    }

    /// A row of the benchmark table; two lines of dashes frame the rows.
    fn row(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        if text.starts_with("---") {
            return Claim::Owned;
        }
        // Values are followed by what they are of the best: `155.7 (1.02)`.
        let mut cells = text.split("  ").map(str::trim).filter(|c| !c.is_empty());
        let name = cells.next();
        let values: Vec<&str> = cells.collect();
        let known = nanoseconds(&self.unit).is_some();
        let (Some(name), true) = (name, known && values.len() + 1 >= self.table.len()) else {
            self.table.clear();
            return Claim::Passed;
        };
        for (column, cell) in self.table[1..].iter().zip(values) {
            let value = number(cell.split(' ').next().unwrap_or(""));
            let statistic = match column.as_str() {
                "Min" => Statistic::Least,
                "Mean" => Statistic::Mean,
                "Median" => Statistic::Median,
                _ => continue,
            };
            if let Some(value) = value {
                let mut figure = figure("", name, value, &self.unit);
                figure.statistic = Some(statistic);
                out(Event::Figure(figure));
            }
        }
        Claim::Owned
    }

    fn flush(&mut self, out: &mut Sink<'_>) {
        for test in self.failed.drain(..) {
            out(Event::Test(test));
        }
    }
}
