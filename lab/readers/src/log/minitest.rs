//! minitest, with `--verbose` or without; Rails' tests are minitest's.
//!
//! With `--verbose` every test has a line (`TestSums#test_adds = 0.00 s = .`). Without, those
//! that failed are named by the list behind the dots, those that were skipped are counted,
//! and so are the others. Source: minitest 5.17.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome, Test};

pub static MINITEST: LineReader = LineReader {
    name: "minitest",
    reads: "the text that minitest prints (Rails' tests too)",
    mark: |line| total(line).is_some() || is_first(line),
    start: |_| Box::new(Log::default()),
};

/// Tests that wait for their reasons.
const HELD: usize = 4096;

fn is_first(text: &str) -> bool {
    text == "# Running:" || text.starts_with("Run options: ") && text.contains("--seed ")
}

/// `3 runs, 2 assertions, 0 failures, 0 errors, 1 skips`: runs, those that failed, skips.
fn total(text: &str) -> Option<[u64; 3]> {
    let mut parts = text.split(", ");
    let mut count = |word: &str| -> Option<u64> {
        let (number, found) = parts.next()?.split_once(' ')?;
        (found == word).then(|| number.parse().ok()).flatten()
    };
    let runs = count("runs")?;
    count("assertions")?;
    let failed = count("failures")?.saturating_add(count("errors")?);
    Some([runs, failed, count("skips")?])
}

/// `TestSums#test_adds = 0.00 s = F`.
fn verbose(text: &str) -> Option<Test> {
    let (front, letter) = text.rsplit_once(" s = ")?;
    let (name, time) = front.rsplit_once(" = ")?;
    let outcome = match letter {
        "." => Outcome::Passed,
        "F" | "E" => Outcome::Failed,
        "S" => Outcome::Skipped,
        _ => return None,
    };
    let (suite, name) = name.split_once('#')?;
    let mut test = test(suite, name, outcome);
    test.seconds = Some(seconds(&format!("{time}s"))?);
    Some(test)
}

/// `  1) Failure:`, in Rails without a number.
fn listed(text: &str) -> Option<Outcome> {
    let text = text.trim_start();
    let kind = match text.split_once(") ") {
        Some((number, kind)) if number.parse::<u32>().is_ok() => kind,
        _ => text,
    };
    match kind {
        "Failure:" | "Error:" => Some(Outcome::Failed),
        "Skipped:" => Some(Outcome::Skipped),
        _ => None,
    }
}

/// `TestSums#test_adds [test/sums.rb:3]:`: class and test.
fn heading(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_suffix(':')?;
    let text = text.split(" [").next().unwrap_or(text);
    text.split_once('#').filter(|(_, name)| !name.is_empty())
}

#[derive(Default)]
enum Part {
    #[default]
    Tests,
    /// Behind `Failure:`; the test's name follows.
    Name(Outcome),
    /// The reason of the last held test follows, up to a blank line.
    Reason,
    Details,
}

#[derive(Default)]
struct Log {
    active: bool,
    part: Part,
    /// Tests that failed or were skipped; the last one may wait for its reason.
    held: Vec<Test>,
    /// Tests that were named as passed, failed and skipped.
    named: [u64; 3],
}

const RUNS: Needle = Needle::new(" runs, ");

const WAKE: Wake = Wake {
    first: b"R#",
    has: &[RUNS],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if line.has(&RUNS)
            && let Some(counts) = total(text)
        {
            self.finish(counts, out);
            return Claim::Owned;
        }
        if is_first(text) {
            self.active = true;
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        if line.first() == b'F' && text.starts_with("Finished in ") {
            return Claim::Owned;
        }
        if let Some(outcome) = listed(text) {
            self.part = Part::Name(outcome);
            return Claim::Owned;
        }
        if let (Part::Name(outcome), Some((suite, name))) = (&self.part, heading(text)) {
            self.list(test(suite, name, *outcome), out);
            return Claim::Owned;
        }
        match self.part {
            Part::Reason | Part::Details if text.is_empty() => {
                self.part = Part::Tests;
                Claim::Owned
            }
            Part::Reason => {
                if let Some(last) = self.held.last_mut() {
                    last.reason = Some(short(text));
                }
                self.part = Part::Details;
                Claim::Owned
            }
            Part::Details => Claim::Owned,
            Part::Name(_) | Part::Tests => {
                let Some(test) = verbose(text) else {
                    return Claim::Passed;
                };
                self.named[test.outcome as usize] += 1;
                match test.outcome != Outcome::Passed && self.held.len() < HELD {
                    true => self.held.push(test),
                    false => out(Event::Test(test)),
                }
                Claim::Owned
            }
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.held.drain(..).for_each(|test| out(Event::Test(test)));
        match self.active {
            true => Err("the log ends before minitest's last lines".to_owned()),
            false => Ok(()),
        }
    }
}

impl Log {
    /// A test of the list; it goes to the end of those held, where its reason finds it.
    fn list(&mut self, test: Test, out: &mut Sink<'_>) {
        let same = |held: &Test| held.suite == test.suite && held.name == test.name;
        let test = match self.held.iter().position(same) {
            Some(at) => self.held.remove(at),
            None => {
                self.named[test.outcome as usize] += 1;
                test
            }
        };
        if self.held.len() >= HELD {
            self.held.drain(..).for_each(|test| out(Event::Test(test)));
        }
        self.held.push(test);
        self.part = Part::Reason;
    }

    fn finish(&mut self, [all, failed, skipped]: [u64; 3], out: &mut Sink<'_>) {
        self.held.drain(..).for_each(|test| out(Event::Test(test)));
        let passed = all.saturating_sub(failed).saturating_sub(skipped);
        let kinds = [
            (Outcome::Passed, passed),
            (Outcome::Failed, failed),
            (Outcome::Skipped, skipped),
        ];
        for (outcome, count) in kinds {
            let named = self.named[outcome as usize];
            unnamed("", outcome, count.saturating_sub(named), out);
        }
        *self = Self::default();
    }
}
