//! vitest's console.
//!
//! ` ✓ a.test.js > sums > small 3ms` with `--reporter=verbose`. Without, a file is
//! ` ✓ a.test.js (3 tests) 5ms`, and its tests stand below where one failed; of others the
//! number is told. Source: vitest 4.1.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome, Test};

pub static VITEST: LineReader = LineReader {
    name: "vitest",
    reads: "the text that vitest prints",
    mark: is_first,
    start: |_| Box::new(Log::default()),
};

/// ` RUN  v4.1.12 /src`.
fn is_first(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("RUN ");
    rest.is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.starts_with('v') && rest[1..].starts_with(|c: char| c.is_ascii_digit())
    })
}

#[derive(Default)]
struct Log {
    active: bool,
    /// The details of failed tests, up to the last lines.
    details: bool,
    file: String,
    /// Tests of the file that were told and not yet named: passed, failed, skipped.
    told: [u64; 3],
    /// A failed test, until the next line says why.
    failed: Option<Test>,
    /// What a test printed, up to a blank line.
    printed: bool,
    /// Tests that came out, by outcome.
    given: [u64; 3],
}

const RUN: Needle = Needle::new("RUN ");

const WAKE: Wake = Wake {
    first: b"",
    has: &[RUN],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.has(&RUN) && is_first(text) {
            self.flush(out);
            *self = Self {
                active: true,
                ..Self::default()
            };
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        self.printed |= text.starts_with("stdout | ") || text.starts_with("stderr | ");
        if self.printed {
            self.printed = !text.is_empty();
            return Claim::Owned;
        }
        if let Some(mut test) = self.failed.take() {
            let why = text.strip_prefix("→ ");
            test.reason = why.map(short);
            out(Event::Test(test));
            if why.is_some() {
                return Claim::Owned;
            }
        }
        for (word, last) in [
            ("Test Files ", false),
            ("Tests ", false),
            ("Start at ", false),
            ("Duration ", true),
        ] {
            if let Some(rest) = text.strip_prefix(word) {
                self.flush(out);
                if word == "Tests " {
                    self.count(rest, out);
                }
                self.details = false;
                self.active = !last;
                return Claim::Owned;
            }
        }
        if text.starts_with('⎯') {
            self.flush(out);
            self.details = true;
        }
        if self.details {
            return Claim::Owned;
        }
        let Some((outcome, name)) = mark(text) else {
            return Claim::Passed;
        };
        let (name, time) = match name.rsplit_once(' ') {
            Some((front, time)) if time.ends_with('s') && seconds(time).is_some() => {
                (front.trim_end(), seconds(time))
            }
            _ => (name, None),
        };
        if let Some((path, counts)) = name
            .rsplit_once(" (")
            .filter(|(_, c)| c.ends_with(')') && c.contains(" test"))
        {
            self.flush(out);
            self.file = short(path.rsplit(['/', '\\']).next().unwrap_or(path));
            let count = |what: &str| -> u64 {
                let parts = counts.trim_end_matches(')').split('|').map(str::trim);
                let found = parts.filter_map(|part| part.strip_suffix(what)).next();
                found.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
            };
            let all = count(" tests").max(count(" test"));
            let (failed, skipped) = (count(" failed"), count(" skipped") + count(" todo"));
            self.told = [all.saturating_sub(failed + skipped), failed, skipped];
            return Claim::Owned;
        }
        let mut parts: Vec<&str> = name.split(" > ").collect();
        let last = parts.pop().unwrap_or(name);
        match parts.first_mut() {
            Some(path) => *path = path.rsplit(['/', '\\']).next().unwrap_or(path),
            None => {
                let told = &mut self.told[outcome as usize];
                *told = told.saturating_sub(1);
                parts.push(&self.file);
            }
        }
        let mut test = test(&parts.join(" > "), last, outcome);
        test.seconds = time;
        self.given[outcome as usize] += 1;
        match outcome {
            Outcome::Failed => self.failed = Some(test),
            _ => out(Event::Test(test)),
        }
        Claim::Owned
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.flush(out);
        match self.active {
            true => Err("the log ends before vitest's last lines".to_owned()),
            false => Ok(()),
        }
    }
}

fn mark(text: &str) -> Option<(Outcome, &str)> {
    let (sign, name) = text.split_once(' ')?;
    let outcome = match sign {
        "✓" | "√" => Outcome::Passed,
        "×" => Outcome::Failed,
        "↓" | "□" => Outcome::Skipped,
        // A file in which something failed.
        "❯" if name.contains(" test") => Outcome::Failed,
        _ => return None,
    };
    Some((outcome, name))
}

impl Log {
    fn flush(&mut self, out: &mut Sink<'_>) {
        if let Some(test) = self.failed.take() {
            out(Event::Test(test));
        }
        let told = std::mem::take(&mut self.told);
        for (outcome, count) in [Outcome::Passed, Outcome::Failed, Outcome::Skipped]
            .into_iter()
            .zip(told)
        {
            self.given[outcome as usize] += count;
            unnamed(&self.file, outcome, count, out);
        }
    }

    /// `1 failed | 4 passed | 1 todo (6)`: those of the forms that name no files (`dot`).
    fn count(&mut self, counts: &str, out: &mut Sink<'_>) {
        let counts = counts.rsplit_once(" (").map_or(counts, |(front, _)| front);
        let mut all = [0; 3];
        for part in counts.split(" | ") {
            let Some((count, word)) = part.trim().split_once(' ') else {
                continue;
            };
            let outcome = match word {
                "passed" => Outcome::Passed,
                "failed" => Outcome::Failed,
                "skipped" | "todo" => Outcome::Skipped,
                _ => continue,
            };
            all[outcome as usize] += count.parse::<u64>().unwrap_or(0);
        }
        for outcome in [Outcome::Passed, Outcome::Failed, Outcome::Skipped] {
            let at = outcome as usize;
            unnamed("", outcome, all[at].saturating_sub(self.given[at]), out);
        }
    }
}
