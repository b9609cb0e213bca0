//! Bazel: the last lines of `bazel test`, one for each target.
//!
//! Source: Bazel 4.2.3, and <https://bazel.build/docs/user-manual#running-tests>.

use super::line::Line;
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};

pub static BAZEL: LineReader = LineReader {
    name: "bazel",
    reads: "the last lines of `bazel test`",
    mark: |line| row(line).is_some(),
    start: |_| Box::new(Log { open: false }),
};

struct Log {
    /// A target was told, and the line that counts them was not.
    open: bool,
}

const WAKE: Wake = Wake {
    first: b"/@EFPT",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        match line.first() {
            b'/' | b'@' => {}
            // `Executed 2 out of 3 tests: 2 tests pass and 1 fails locally.`
            b'E' if line.text.starts_with("Executed ") && line.text.contains(" test") => {
                self.open = false;
                return Claim::Owned;
            }
            // `FAIL: //shop:basket_test (see …/test.log)`, which the table says again.
            b'F' | b'P' | b'T' if is_news(line.text) => return Claim::Owned,
            _ => return Claim::Passed,
        }
        let Some((label, outcome, time, why)) = row(line.text) else {
            return Claim::Passed;
        };
        let (suite, name) = label.rsplit_once(':').unwrap_or(("", label));
        let mut test = test(suite, name, outcome);
        test.seconds = time;
        test.reason = (outcome != Outcome::Passed).then(|| short(why));
        self.open = true;
        out(Event::Test(test));
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.open {
            true => Err("the log ends before Bazel's line `Executed …`".to_owned()),
            false => Ok(()),
        }
    }
}

/// What is said of a test as soon as it has ended.
fn is_news(text: &str) -> bool {
    let words = ["FAIL: ", "PASS: ", "TIMEOUT: ", "FLAKY: "];
    let label = words.iter().find_map(|word| text.strip_prefix(word));
    label.is_some_and(|label| label.starts_with("//") || label.starts_with('@'))
}

/// `//shop:basket_test    (cached) PASSED in 0.3s`.
fn row(text: &str) -> Option<(&str, Outcome, Option<f64>, &str)> {
    let (label, rest) = text.split_once(' ')?;
    if !label.starts_with("//") && !label.starts_with('@') || !label.contains("//") {
        return None;
    }
    let rest = rest.trim();
    let rest = rest.strip_prefix("(cached) ").unwrap_or(rest);
    let outcome = match rest.split([' ', ',']).next()? {
        "PASSED" | "FLAKY" => Outcome::Passed,
        "FAILED" | "TIMEOUT" => Outcome::Failed,
        "NO" if rest.starts_with("NO STATUS") => Outcome::Skipped,
        "SKIPPED" => Outcome::Skipped,
        _ => return None,
    };
    let time = rest.rsplit_once(" in ").and_then(|(_, time)| seconds(time));
    Some((label, outcome, time, rest))
}
