//! Ginkgo: what `ginkgo` and `go test` print of a suite of specs.
//!
//! Only what failed is named, by the list behind all; the others are told by the numbers of
//! the last line. `go test`'s own lines are those of Go's reader. Source: Ginkgo 2.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};

pub static GINKGO: LineReader = LineReader {
    name: "ginkgo",
    reads: "the text that Ginkgo prints",
    mark: |line| suite(line).is_some() || total(line).is_some(),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    /// The open suite.
    suite: Option<String>,
    /// In the list of what failed.
    list: bool,
    failed: u64,
}

const TOTAL: Needle = Needle::new("! -- ");

const WAKE: Wake = Wake {
    first: b"R",
    has: &[TOTAL],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.suite.is_none().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if let Some(name) = suite(text) {
            *self = Self {
                suite: Some(short(name)),
                ..Self::default()
            };
            return Claim::Owned;
        }
        if line.has(&TOTAL)
            && let Some([passed, failed, skipped]) = total(text)
        {
            let suite = self.suite.take().unwrap_or_default();
            unnamed(&suite, Outcome::Passed, passed, out);
            let failed = failed.saturating_sub(self.failed);
            unnamed(&suite, Outcome::Failed, failed, out);
            unnamed(&suite, Outcome::Skipped, skipped, out);
            *self = Self::default();
            return Claim::Owned;
        }
        let Some(suite) = &self.suite else {
            return Claim::Passed;
        };
        let trimmed = text.trim_start();
        if trimmed.starts_with("Summarizing ") {
            self.list = true;
            return Claim::Owned;
        }
        let words = ["[FAIL] ", "[PANICKED!] ", "[TIMEDOUT] ", "[INTERRUPTED] "];
        let listed = words.iter().find_map(|word| trimmed.strip_prefix(word));
        if let (true, Some(name)) = (self.list, listed) {
            self.failed += 1;
            out(Event::Test(test(suite, name, Outcome::Failed)));
            return Claim::Owned;
        }
        // What a spec prints itself may be anything.
        let marks = [
            "•",
            "S [",
            "P [",
            "[FAILED]",
            "[SKIPPED]",
            "[PANICKED!]",
            "Ran ",
        ];
        let own = marks.iter().any(|mark| trimmed.starts_with(mark)) || trimmed.contains("[It] ");
        match own || trimmed.starts_with("------") {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match &self.suite {
            Some(suite) => Err(format!(
                "the log ends before the numbers of the suite {suite}"
            )),
            None => Ok(()),
        }
    }
}

/// `Running Suite: Shop Suite - /src/shop`.
fn suite(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("Running Suite: ")?;
    Some(rest.rsplit_once(" - ").map_or(rest, |(name, _)| name))
}

/// `FAIL! -- 2 Passed | 1 Failed | 1 Pending | 1 Skipped`; flakes passed.
fn total(text: &str) -> Option<[u64; 3]> {
    let (word, counts) = text.split_once("! -- ")?;
    if !["FAIL", "SUCCESS"].contains(&word) {
        return None;
    }
    let count = |what: &str| -> Option<u64> {
        let mut parts = counts.split(" | ").filter_map(|part| part.split_once(' '));
        parts.find(|(_, word)| *word == what)?.0.parse().ok()
    };
    Some([
        count("Passed")?,
        count("Failed")?,
        count("Pending").unwrap_or(0) + count("Skipped").unwrap_or(0),
    ])
}
