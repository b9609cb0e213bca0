//! Catch2's console, versions 2 and 3.
//!
//! It names only test cases in which something failed, and all of them with `-s`; of
//! the others it tells the number. A test case is told by the frame of dashes above its
//! first message. Benchmarks give their mean. Source: Catch2 2.13.10 and the documents
//! of version 3.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number, short, test, unnamed, word};
use super::sleep::Wake;
use karat_model::log::{Crash, Event, Outcome, Statistic};

pub static CATCH2: LineReader = LineReader {
    name: "catch2",
    reads: "the text that Catch2 prints",
    mark: |line| is_banner(line) || result(line).is_some(),
    start: |_| Box::new(Log::default()),
};

fn is_banner(line: &str) -> bool {
    line.contains(" is a Catch") && line.ends_with(" host application.")
}

#[derive(Default)]
struct Log {
    active: bool,
    /// Lines of the frame that names a test case: its name first.
    frame: Option<Vec<String>>,
    /// The test case that messages are of, whether it failed, and why.
    case: Option<(String, bool, Option<String>)>,
    named: [u64; 2],
    /// The text behind `FAILED:` comes next.
    reason: bool,
    /// Inside of a table of benchmarks, and the name of the last one.
    benchmarks: bool,
    benchmark: Option<String>,
    /// The number of test cases was told; that of assertions follows.
    ended: bool,
}

const HOST: Needle = Needle::new(" host application.");

const WAKE: Wake = Wake {
    first: b"At",
    has: &[HOST],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active && !self.ended).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if std::mem::take(&mut self.ended) && text.starts_with("assertions: ") {
            return Claim::Owned;
        }
        if !self.active {
            let may =
                line.has(&HOST) && is_banner(text) || line.first() == b'A' || line.first() == b't';
            if !may || !is_banner(text) && result(text).is_none() {
                return Claim::Passed;
            }
            self.active = true;
            if is_banner(text) {
                return Claim::Owned;
            }
        }
        if let Some(counts) = result(text) {
            self.finish(counts, out);
            return Claim::Owned;
        }
        if text.len() > 60 && text.bytes().all(|b| b == b'-') {
            self.frame = match self.frame.take() {
                // The second line of dashes ends the frame.
                Some(frame) if !frame.is_empty() && !frame[0].starts_with("benchmark name") => {
                    self.begin(&frame[0], out);
                    None
                }
                Some(frame) if !frame.is_empty() => {
                    self.benchmarks = true;
                    None
                }
                _ => Some(Vec::new()),
            };
            return Claim::Owned;
        }
        if text.starts_with("benchmark name ") {
            self.frame = Some(vec![text.to_owned()]);
            return Claim::Owned;
        }
        if let Some(frame) = &mut self.frame {
            if frame.len() < 64 {
                frame.push(short(text));
            }
            return Claim::Owned;
        }
        if self.benchmarks && self.row(line.text, out) {
            return Claim::Owned;
        }
        let Some((name, failed, why)) = &mut self.case else {
            return match text.starts_with("Run with -?") || text.starts_with("Filters: ") {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        };
        if text.ends_with(": FAILED:") || text.ends_with(": FAILED") {
            (*failed, self.reason) = (true, true);
        } else if std::mem::take(&mut self.reason) && why.is_none() {
            *why = Some(short(text));
        } else if let Some(signal) = text.trim().strip_suffix(" signal")
            && signal.starts_with("SIG")
        {
            let kind = short(signal.split(' ').next().unwrap_or(signal));
            let text = format!("{kind} in {name}");
            out(Event::Crash(Crash { kind, text }));
        }
        // What a test prints itself may be anything.
        let own = text.is_empty() || text.starts_with("  ") || text.starts_with("....");
        let own = own
            || [
                ": FAILED:",
                ": PASSED:",
                "with expansion:",
                "with message:",
                "condition:",
            ]
            .iter()
            .any(|e| text.ends_with(e));
        let own = own || text.starts_with("====") || place(text);
        match own {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        // How a test case would have gone on is not known, unless it failed.
        if self.case.as_ref().is_some_and(|case| case.1) {
            self.flush(out);
        }
        match self.active {
            true => Err("the log ends before Catch2's last lines".to_owned()),
            false => Ok(()),
        }
    }
}

/// `c2.cc:8`.
fn place(text: &str) -> bool {
    !text.contains(' ') && super::scan::place(text).is_some()
}

impl Log {
    fn begin(&mut self, name: &str, out: &mut Sink<'_>) {
        // The sections of a test case have frames of their own.
        if self.case.as_ref().is_some_and(|(open, ..)| open == name) {
            return;
        }
        self.flush(out);
        self.benchmarks = false;
        self.case = Some((name.to_owned(), false, None));
    }

    fn flush(&mut self, out: &mut Sink<'_>) {
        if let Some((name, failed, why)) = self.case.take() {
            let outcome = match failed {
                true => Outcome::Failed,
                false => Outcome::Passed,
            };
            self.named[usize::from(failed)] += 1;
            let mut test = test("", &name, outcome);
            test.reason = why;
            out(Event::Test(test));
        }
    }

    fn finish(&mut self, counts: [u64; 3], out: &mut Sink<'_>) {
        self.flush(out);
        let [passed, failed, skipped] = counts;
        unnamed(
            "",
            Outcome::Passed,
            passed.saturating_sub(self.named[0]),
            out,
        );
        unnamed(
            "",
            Outcome::Failed,
            failed.saturating_sub(self.named[1]),
            out,
        );
        unnamed("", Outcome::Skipped, skipped, out);
        *self = Self {
            ended: true,
            ..Self::default()
        };
    }

    /// `name  samples  iterations  estimated`, and on the next line the means.
    fn row(&mut self, text: &str, out: &mut Sink<'_>) -> bool {
        if !text.starts_with(' ') {
            let mut words = text.split("  ").map(str::trim).filter(|w| !w.is_empty());
            let name = words.next();
            let sound = words.next().is_some_and(|w| number(w).is_some());
            self.benchmark = name.filter(|_| sound).map(short);
            return self.benchmark.is_some();
        }
        if let Some(name) = self.benchmark.take()
            && let Some((value, rest)) = word(text)
            && let (Some(value), Some((unit, _))) = (number(value), word(rest))
        {
            let mut figure = figure("", &name, value, unit);
            figure.statistic = Some(Statistic::Mean);
            out(Event::Figure(figure));
        }
        true
    }
}

/// Passed, failed and skipped test cases of the last lines.
fn result(text: &str) -> Option<[u64; 3]> {
    if let Some(rest) = text.strip_prefix("All tests passed (") {
        let (_, rest) = rest.split_once(" in ")?;
        let count = rest.split(' ').next()?.parse().ok()?;
        return rest.contains("test case").then_some([count, 0, 0]);
    }
    let rest = text.strip_prefix("test cases: ")?;
    let count = |what: &str| -> u64 {
        let parts = rest.split('|').map(str::trim);
        let found = parts.filter_map(|part| part.strip_suffix(what)).next();
        found.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
    };
    Some([
        count(" passed"),
        count(" failed") + count(" failed as expected"),
        count(" skipped"),
    ])
}
