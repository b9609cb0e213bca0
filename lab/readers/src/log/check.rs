//! Check (libcheck): what it prints, in all its modes, and its log file.
//!
//! The suite is the test case (`tcase`), since only the log file says the suite of a line.
//! A test in a loop is told by its number, `name:2`. Mode `normal` names what failed
//! behind the numbers, and `minimal` nothing: the others are told by those. Source: Check
//! 0.15.2.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome, Test};

pub static CHECK: LineReader = LineReader {
    name: "check",
    reads: "what Check (libcheck) prints, and its log file",
    mark: |line| numbers(line).is_some() || suite(line),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    /// Suites began, and no numbers came.
    open: bool,
    /// The numbers, until all that is named behind them has come: passed, failed.
    numbers: Option<[u64; 2]>,
    named: [u64; 2],
}

const NUMBERS: Needle = Needle::new("%: Checks: ");

const WAKE: Wake = Wake {
    first: b"R",
    has: &[NUMBERS],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.open && self.numbers.is_none()).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if line.first() == b'R' {
            if suite(text) {
                self.flush(out);
                self.open = true;
                return Claim::Owned;
            }
            if self.open && text == "Results for all suites run:" {
                return Claim::Owned;
            }
        }
        if line.has(&NUMBERS)
            && let Some(numbers) = numbers(text)
        {
            // Another run's, whose first line was cut off.
            if self.numbers.is_some() {
                self.flush(out);
            }
            (self.open, self.numbers) = (false, Some(numbers));
            return Claim::Owned;
        }
        if !self.open && self.numbers.is_none() {
            return Claim::Passed;
        }
        let Some(test) = result(text) else {
            return Claim::Passed;
        };
        self.named[usize::from(test.outcome == Outcome::Failed)] += 1;
        out(Event::Test(test));
        Claim::Owned
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        // Who names some of those that passed names all, and so with those that failed.
        let named = self.named;
        let cut = self.numbers.is_some_and(|[passed, failed]| {
            (1..passed).contains(&named[0]) || named[0] + named[1] > 0 && named[1] < failed
        });
        self.flush(out);
        match (self.open, cut) {
            (true, _) => Err("the log ends before Check's numbers".to_owned()),
            (false, true) => Err("the log ends before all of Check's tests are told".to_owned()),
            (false, false) => Ok(()),
        }
    }
}

impl Log {
    /// Gives what was counted and not named.
    fn flush(&mut self, out: &mut Sink<'_>) {
        let Some(numbers) = self.numbers.take() else {
            return;
        };
        let named = std::mem::take(&mut self.named);
        for (i, outcome) in [Outcome::Passed, Outcome::Failed].into_iter().enumerate() {
            unnamed("", outcome, numbers[i].saturating_sub(named[i]), out);
        }
    }
}

/// `Running suite(s): shop`; in the log file `Running suite shop`.
fn suite(text: &str) -> bool {
    text.starts_with("Running suite(s): ") || text.starts_with("Running suite ")
}

/// `50%: Checks: 10, Failures: 3, Errors: 2`: passed and failed.
fn numbers(text: &str) -> Option<[u64; 2]> {
    let (percent, rest) = text.split_once("%: Checks: ")?;
    percent.parse::<u8>().ok()?;
    let (all, rest) = rest.split_once(", Failures: ")?;
    let (failures, errors) = rest.split_once(", Errors: ")?;
    let all: u64 = all.parse().ok()?;
    let failed = failures
        .parse::<u64>()
        .ok()?
        .checked_add(errors.parse().ok()?)?;
    Some([all.saturating_sub(failed), failed])
}

/// `shop.c:7:F:basket:wrong:0: Assertion … failed`.
fn result(text: &str) -> Option<Test> {
    let signs = [
        (":P:", Outcome::Passed),
        (":F:", Outcome::Failed),
        (":E:", Outcome::Failed),
    ];
    let (rest, outcome) = signs.into_iter().find_map(|(sign, outcome)| {
        let (place, rest) = text.split_once(sign)?;
        super::scan::place(place)?;
        Some((rest, outcome))
    })?;
    let mut parts = rest.splitn(4, ':');
    let (case, name, number, why) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    number.parse::<u32>().ok()?;
    let name = match number {
        "0" => name.to_owned(),
        number => format!("{name}:{number}"),
    };
    let mut test = test(case, &name, outcome);
    test.reason = (outcome != Outcome::Passed).then(|| short(why));
    Some(test)
}
