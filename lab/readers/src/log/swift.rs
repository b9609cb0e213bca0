//! Swift: Swift Testing and XCTest, as `swift test` prints them.
//!
//! `✔ Test adds() passed after 0.001 seconds.` and
//! `Test Case 'Shop.testAdds' passed (0.001 seconds)`. Source: the documents of both.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{number, short, test};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome, Test};

pub static SWIFT: LineReader = LineReader {
    name: "swift",
    reads: "the text of Swift Testing and XCTest (`swift test`)",
    mark: |line| case(line).is_some() || testing(line).is_some(),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    /// The last issue with the test it is of.
    issue: Option<(String, String)>,
    /// In a run of Swift Testing.
    active: bool,
}

const CASE: Needle = Needle::new("Test Case '");
const TEST: Needle = Needle::new(" Test ");
const SUITE: Needle = Needle::new("Test Suite '");
const RUN: Needle = Needle::new("Test run ");

const WAKE: Wake = Wake {
    first: b"",
    has: &[CASE, SUITE, RUN, TEST],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if line.has(&CASE) {
            return match case(text) {
                Some(Some(test)) => {
                    out(Event::Test(test));
                    Claim::Owned
                }
                Some(None) => Claim::Owned,
                None => Claim::Passed,
            };
        }
        if line.has(&SUITE)
            && (text.contains("' passed at")
                || text.contains("' failed at")
                || text.contains("' started at"))
        {
            return Claim::Owned;
        }
        if line.has(&RUN) {
            self.active = text.contains("started");
            return match text.starts_with(['◇', '✔', '✘']) {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        }
        if !line.has(&TEST) {
            return match self.active && (text.contains(" Suite ") || text.starts_with('↳')) {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        }
        let Some((name, rest)) = testing(text) else {
            return Claim::Passed;
        };
        if let Some((_, issue)) = rest.split_once("issue at ") {
            let said = issue.split_once(": ").map_or(issue, |(_, said)| said);
            self.issue = Some((name.to_owned(), short(said)));
            return Claim::Owned;
        }
        let outcome = match rest.split([' ', '.']).next() {
            Some("passed") => Outcome::Passed,
            Some("failed") => Outcome::Failed,
            Some("skipped") => Outcome::Skipped,
            _ => return Claim::Owned,
        };
        let mut test = test("", name, outcome);
        test.seconds = after(rest, "after ");
        if outcome == Outcome::Failed {
            let issue = self.issue.take().filter(|(of, _)| of == name);
            test.reason = issue.map(|(_, said)| said);
        }
        out(Event::Test(test));
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.active {
            true => Err("the log ends before Swift Testing's last line".to_owned()),
            false => Ok(()),
        }
    }
}

fn after(text: &str, word: &str) -> Option<f64> {
    let (_, rest) = text.split_once(word)?;
    number(rest.split(' ').next()?)
}

/// `✔ Test adds() passed after 0.001 seconds.`: the name and what follows it.
fn testing(text: &str) -> Option<(&str, &str)> {
    let (sign, rest) = text.split_once(" Test ")?;
    if !["✔", "✘", "◇", "➜", "􁁛", "􀢄", "􀟈", "􀙟"].contains(&sign) {
        return None;
    }
    let words = [
        " passed after ",
        " failed after ",
        " started.",
        " skipped",
        " recorded an issue at ",
        " recorded a known issue at ",
    ];
    let at = words.iter().filter_map(|word| rest.find(word)).min()?;
    Some((
        rest[..at].trim_matches('"'),
        rest[at + 1..]
            .trim_start_matches("recorded an ")
            .trim_start_matches("recorded a known "),
    ))
}

/// `Test Case '-[Shop.Basket testAdds]' passed (0.001 seconds).`; `None` within of one
/// that begins.
fn case(text: &str) -> Option<Option<Test>> {
    let (name, rest) = text.strip_prefix("Test Case '")?.split_once("' ")?;
    let outcome = match rest.split([' ', '.']).next()? {
        "passed" => Outcome::Passed,
        "failed" => Outcome::Failed,
        "skipped" => Outcome::Skipped,
        "started" => return Some(None),
        _ => return None,
    };
    let name = name.trim_start_matches("-[").trim_end_matches(']');
    let (suite, name) = name.rsplit_once([' ', '.']).unwrap_or(("", name));
    let mut test = test(suite, name, outcome);
    test.seconds = after(rest, "(");
    Some(Some(test))
}
