//! jest's console.
//!
//! A file is `PASS path` or `FAIL path`; its tests are named by `--verbose`, or where one
//! file is run. Of others the number is told. A suite is the file's name and the titles
//! around the test. Source: jest 30.5.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};

pub static JEST: LineReader = LineReader {
    name: "jest",
    reads: "the text that jest prints",
    mark: |line| line.starts_with("Test Suites: ") || file(line).is_some(),
    start: |_| Box::new(Log::default()),
};

/// Ends of the files that hold tests of JavaScript.
const ENDS: &[&str] = &["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"];

/// `PASS ./a.test.js (5.1 s)`: the file's name.
fn file(text: &str) -> Option<&str> {
    let coloured = text.strip_prefix(' ');
    let line = coloured.unwrap_or(text);
    let path = line
        .strip_prefix("PASS ")
        .or_else(|| line.strip_prefix("FAIL "))?;
    let path = path.trim();
    let (path, rest) = path.split_once(' ').unwrap_or((path, ""));
    // vitest's `FAIL  a.test.js > sums > adds` begins with a blank too.
    (coloured.is_none() || rest.is_empty() || rest.starts_with('(')).then_some(())?;
    let name = path.rsplit(['/', '\\']).next()?;
    let (_, end) = name.rsplit_once('.')?;
    ENDS.contains(&end).then_some(name)
}

/// `  console.log`, above what a test printed.
fn is_console(text: &str) -> bool {
    let kinds = [
        "log", "info", "warn", "error", "debug", "trace", "dir", "table",
    ];
    let kind = text.strip_prefix("  console.");
    kind.is_some_and(|kind| kinds.contains(&kind))
}

#[derive(Default)]
struct Log {
    file: String,
    /// Titles with their indentation.
    titles: Vec<(usize, String)>,
    /// Behind `●`: what a failed test printed.
    details: bool,
    named: [u64; 3],
    /// What a test printed, up to the place it was printed at.
    printed: bool,
    /// A file is there, and the last lines are not.
    open: bool,
}

const CONSOLE: Needle = Needle::new("  console.");
/// With colours there is a blank on each side.
const PASS: Needle = Needle::new(" PASS ");
const FAIL: Needle = Needle::new(" FAIL ");

const WAKE: Wake = Wake {
    first: b"PF",
    has: &[CONSOLE, PASS, FAIL],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.open && !self.printed).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if (matches!(line.first(), b'P' | b'F') || line.has(&PASS) || line.has(&FAIL))
            && let Some(name) = file(text)
        {
            self.file = short(name);
            self.titles.clear();
            (self.details, self.open) = (false, true);
            return Claim::Owned;
        }
        if line.has(&CONSOLE) && is_console(text) {
            self.printed = true;
            return Claim::Owned;
        }
        if self.printed {
            let place = text.starts_with("      at ");
            self.printed = !place && (text.is_empty() || text.starts_with("    "));
            if place || self.printed {
                return Claim::Owned;
            }
        }
        if !self.open {
            return Claim::Passed;
        }
        let trimmed = text.trim_start();
        if line.first() == b'T' || line.first() == b'S' || line.first() == b'R' {
            self.details = false;
            if let Some(counts) = text.strip_prefix("Tests: ") {
                self.finish(counts, out);
                return Claim::Owned;
            }
            let last = [
                "Test Suites: ",
                "Snapshots: ",
                "Time: ",
                "Summary of all failing tests",
                "Ran all test suites",
            ];
            return match last.iter().any(|word| text.starts_with(word)) {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        }
        if let Some(title) = trimmed.strip_prefix("● ") {
            self.details = true;
            if title == "Test suite failed to run" {
                let mut test = test(&self.file, "(file)", Outcome::Failed);
                test.reason = Some(short(title));
                out(Event::Test(test));
            }
            return Claim::Owned;
        }
        if self.details || trimmed.is_empty() {
            return Claim::Owned;
        }
        let indent = text.len() - trimmed.len();
        if indent == 0 {
            return Claim::Passed;
        }
        let Some((outcome, name)) = mark(trimmed) else {
            self.titles.retain(|(other, _)| *other < indent);
            if self.titles.len() < 16 {
                self.titles.push((indent, short(trimmed)));
            }
            return Claim::Owned;
        };
        let (name, time) = match name.rsplit_once(" (") {
            Some((name, time)) if time.ends_with("s)") => (name, seconds(&time[..time.len() - 1])),
            _ => (name, None),
        };
        self.titles.retain(|(other, _)| *other < indent);
        let titles = self.titles.iter().map(|(_, title)| title.as_str());
        let suite: Vec<&str> = std::iter::once(self.file.as_str()).chain(titles).collect();
        let mut test = test(&suite.join(" > "), name, outcome);
        test.seconds = time;
        self.named[outcome as usize] += 1;
        out(Event::Test(test));
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.open {
            true => Err("the log ends before jest's last lines".to_owned()),
            false => Ok(()),
        }
    }
}

/// `✓ name`, `○ skipped name`.
fn mark(text: &str) -> Option<(Outcome, &str)> {
    let (sign, name) = text.split_once(' ')?;
    Some(match sign {
        "✓" | "√" => (Outcome::Passed, name),
        "✕" | "×" => (Outcome::Failed, name),
        "○" => (
            Outcome::Skipped,
            name.strip_prefix("skipped ").unwrap_or(name),
        ),
        "✎" => (Outcome::Skipped, name.strip_prefix("todo ").unwrap_or(name)),
        _ => return None,
    })
}

impl Log {
    /// `       1 failed, 1 skipped, 1 todo, 3 passed, 6 total`.
    fn finish(&mut self, counts: &str, out: &mut Sink<'_>) {
        let count = |what: &str| -> u64 {
            let found = counts
                .split(',')
                .filter_map(|part| part.trim().strip_suffix(what))
                .next();
            found.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
        };
        let kinds = [
            (Outcome::Passed, count(" passed")),
            (Outcome::Failed, count(" failed")),
            (Outcome::Skipped, count(" skipped") + count(" todo")),
        ];
        for (outcome, count) in kinds {
            unnamed(
                "",
                outcome,
                count.saturating_sub(self.named[outcome as usize]),
                out,
            );
        }
        self.named = [0; 3];
        self.open = false;
    }
}
