//! mocha's forms `spec`, `list`, `dot` and `min`, and other trees of ticks.
//!
//! Titles are indented, tests are `✔ name`, `1) name` or `- name` below them. The last
//! lines (`2 passing (70ms)`) tell the numbers; tests that were not named are told by
//! them. Source: mocha 12.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};

pub static MOCHA: LineReader = LineReader {
    name: "mocha",
    reads: "the text that mocha prints (spec, list, dot, min)",
    mark: |line| total(line).is_some(),
    start: |known| {
        Box::new(Log {
            active: known,
            ..Log::default()
        })
    },
};

/// `  2 passing (70ms)`: the number and the word.
fn total(text: &str) -> Option<(u64, Outcome)> {
    let rest = text.strip_prefix("  ")?;
    let (count, word) = rest.split_once(' ')?;
    let count = count.parse().ok()?;
    let outcome = match word.split(' ').next()? {
        "passing" => Outcome::Passed,
        "failing" => Outcome::Failed,
        "pending" => Outcome::Skipped,
        _ => return None,
    };
    Some((count, outcome))
}

#[derive(Default)]
struct Log {
    active: bool,
    /// Titles with their indentation.
    titles: Vec<(usize, String)>,
    named: [u64; 3],
    /// The last lines have begun; what failed follows.
    totals: bool,
}

const TICK: Needle = Needle::new("\u{2714} ");
const CHECK: Needle = Needle::new("\u{2713} ");
const PASSING: Needle = Needle::new(" passing");
const FAILING: Needle = Needle::new(" failing");
const PENDING: Needle = Needle::new(" pending");

const WAKE: Wake = Wake {
    first: b" ",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.totals).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        let counts = line.has(&PASSING) || line.has(&FAILING) || line.has(&PENDING);
        if counts && let Some((count, outcome)) = total(text) {
            if !self.totals {
                self.titles.clear();
            }
            self.totals = true;
            let named = std::mem::take(&mut self.named[outcome as usize]);
            unnamed("", outcome, count.saturating_sub(named), out);
            return Claim::Owned;
        }
        if self.totals {
            // The details of failures are indented.
            if line.first() == b' ' || text.is_empty() {
                return Claim::Owned;
            }
            *self = Self::default();
            return Claim::Passed;
        }
        if line.first() != b' ' {
            return Claim::Passed;
        }
        let trimmed = text.trim_start();
        let indent = text.len() - trimmed.len();
        let tick = line.has(&TICK) || line.has(&CHECK);
        let found = match tick {
            true => trimmed
                .split_once(' ')
                .filter(|(sign, _)| ["✔", "✓"].contains(sign))
                .map(|(_, name)| (Outcome::Passed, name)),
            false if self.active => other(trimmed),
            false => None,
        };
        let Some((outcome, name)) = found else {
            if indent >= 2 && !trimmed.is_empty() && text.len() < 200 {
                self.titles.retain(|(other, _)| *other < indent);
                if self.titles.len() < 16 {
                    self.titles.push((indent, short(trimmed)));
                }
            }
            return Claim::Passed;
        };
        if indent < 2 {
            return Claim::Passed;
        }
        self.active = true;
        let (name, time) = match name.rsplit_once(" (") {
            Some((name, time)) if time.ends_with("s)") => (name, seconds(&time[..time.len() - 1])),
            // The form `list`: `✔ sums adds: 0ms`.
            _ => match name.rsplit_once(": ") {
                Some((name, time)) if time.ends_with("ms") && indent == 2 => (name, seconds(time)),
                _ => (name, None),
            },
        };
        self.titles.retain(|(other, _)| *other < indent);
        let suite: Vec<&str> = self
            .titles
            .iter()
            .map(|(_, title)| title.as_str())
            .collect();
        let mut test = test(&suite.join(" > "), name, outcome);
        test.seconds = time;
        self.named[outcome as usize] += 1;
        out(Event::Test(test));
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.named.iter().sum::<u64>() > 0 && !self.totals {
            true => Err("the log ends before the line that counts the tests".to_owned()),
            false => Ok(()),
        }
    }
}

/// `1) name` and `- name`.
fn other(text: &str) -> Option<(Outcome, &str)> {
    if let Some(name) = text.strip_prefix("- ") {
        return Some((Outcome::Skipped, name));
    }
    let (number, name) = text.split_once(") ")?;
    number.parse::<u32>().ok()?;
    Some((Outcome::Failed, name))
}
