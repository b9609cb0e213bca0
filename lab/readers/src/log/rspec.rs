//! RSpec's forms `progress` and `documentation`.
//!
//! Their lines do not tell a test that passed from a title, so tests that failed or are
//! pending are named by the lists behind them, and the others are told by their number.
//! Source: RSpec 3.12.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome};

pub static RSPEC: LineReader = LineReader {
    name: "rspec",
    reads: "the text that RSpec prints (progress, documentation)",
    mark: |line| total(line).is_some() || line.starts_with(PENDING),
    start: |_| Box::new(Log::default()),
};

const PENDING: &str = "Pending: (Failures listed here are expected";

/// `4 examples, 1 failure, 1 pending`.
fn total(text: &str) -> Option<[u64; 3]> {
    let (count, rest) = text.split_once(" example")?;
    let count: u64 = count.parse().ok()?;
    let number = |what: &str| -> Option<u64> {
        let parts = rest.split(", ");
        let found = parts
            .filter_map(|part| part.split_once(' '))
            .find(|(_, word)| word.starts_with(what));
        found.map_or(Some(0), |(number, _)| number.parse().ok())
    };
    rest.contains(" failure").then_some(())?;
    Some([count, number("failure")?, number("pending")?])
}

#[derive(Default, PartialEq, Eq)]
enum Part {
    #[default]
    Other,
    Pending,
    Failures,
    /// Behind the numbers, where failed examples are listed.
    List,
}

#[derive(Default)]
struct Log {
    part: Part,
    /// Pending examples, the last one waiting for its reason.
    pending: Vec<String>,
    failed: u64,
}

const FAILED: Needle = Needle::new(" (FAILED - ");
const EXAMPLES: Needle = Needle::new(" example");
const PENDS: Needle = Needle::new(" (PENDING: ");

const WAKE: Wake = Wake {
    first: b"PF",
    has: &[EXAMPLES, FAILED, PENDS],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (self.part == Part::Other).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        match line.first() {
            b'P' if text.starts_with(PENDING) => self.part = Part::Pending,
            b'F' if text == "Failures:" => self.part = Part::Failures,
            b'F' if text.starts_with("Finished in ") && text.contains(" to load)") => {}
            b'F' if text == "Failed examples:" => {}
            b'0'..=b'9' => {
                let Some(counts) = total(text) else {
                    return Claim::Passed;
                };
                self.finish(counts, out);
            }
            b'r' if self.part == Part::List => {
                // `rspec ./spec/s_spec.rb:3 # sums adds wrong ones`
                let Some((_, name)) = text
                    .strip_prefix("rspec ")
                    .and_then(|rest| rest.split_once(" # "))
                else {
                    return Claim::Passed;
                };
                self.failed = self.failed.saturating_sub(1);
                out(Event::Test(test("", name, Outcome::Failed)));
            }
            b' ' | 0 if matches!(self.part, Part::Pending | Part::Failures) => {
                let number = text.trim_start().split_once(") ");
                let numbered = number.filter(|(n, _)| n.parse::<u32>().is_ok());
                if let (Part::Pending, Some((_, name))) = (&self.part, numbered) {
                    self.pending.push(short(name));
                }
            }
            b' ' if line.has(&FAILED) || line.has(&PENDS) => {}
            0 => return Claim::Passed,
            _ => {
                if matches!(self.part, Part::Pending | Part::Failures) {
                    self.part = Part::Other;
                }
                return Claim::Passed;
            }
        }
        Claim::Owned
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        unnamed("", Outcome::Failed, self.failed, out);
        match self.part {
            Part::Pending => Err("the log ends before RSpec's last lines".to_owned()),
            _ => Ok(()),
        }
    }
}

impl Log {
    fn finish(&mut self, [all, failed, pending]: [u64; 3], out: &mut Sink<'_>) {
        unnamed(
            "",
            Outcome::Failed,
            std::mem::replace(&mut self.failed, failed),
            out,
        );
        let named = self.pending.len() as u64;
        for name in self.pending.drain(..) {
            out(Event::Test(test("", &name, Outcome::Skipped)));
        }
        unnamed("", Outcome::Skipped, pending.saturating_sub(named), out);
        unnamed(
            "",
            Outcome::Passed,
            all.saturating_sub(failed + pending),
            out,
        );
        self.part = Part::List;
    }
}
