//! Substrate's `benchmark machine` table, and the scores a node prints at its start.
//!
//! `| CPU | BLAKE2-256 | 1.59 GiBs | 1.00 GiBs | ✅ Pass (159.0 %) |`: score against
//! the minimum of the reference hardware. Substrate writes `GiBs` for GiB/s. The
//! score is a figure, the result a test. At its start a node logs `🏁 CPU score:
//! 1.59 GiBs`. Source: `sc-sysinfo` and `frame-benchmarking-cli` of polkadot-sdk.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, number, short, test, word};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Event, Outcome};
use karat_model::units::Better;

pub struct Substrate;

impl LogReader for Substrate {
    fn name(&self) -> &'static str {
        "substrate"
    }

    fn reads(&self) -> &'static str {
        "the table of Substrate's `benchmark machine`, and a node's hardware scores"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| is_header(&line)) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log { table: false }))
    }
}

/// `| Category | Function | Score | Minimum | Result |`.
fn is_header(line: &str) -> bool {
    let mut cells = cells(line);
    cells.next() == Some("Category") && cells.next() == Some("Function")
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    let inside = line.trim().strip_prefix('|').unwrap_or("");
    inside.split('|').map(str::trim)
}

struct Log {
    table: bool,
}

const SCORE: Needle = Needle::new(" score");

const WAKE: Wake = Wake {
    first: b"|F",
    has: &[SCORE],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.table).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        match line.first() {
            b'|' => {
                if is_header(line.text) {
                    self.table = true;
                    return Claim::Owned;
                }
                match self.table && row(line.text, out) {
                    true => Claim::Owned,
                    false => Claim::Passed,
                }
            }
            b'+' => Claim::Passed,
            _ => {
                self.table = false;
                if line.first() == b'F'
                    && line.text.starts_with("From ")
                    && line.text.contains(" benchmarks in total")
                {
                    return Claim::Owned;
                }
                match line.has(&SCORE) && scores(line.text, out) {
                    true => Claim::Owned,
                    false => Claim::Passed,
                }
            }
        }
    }
}

fn row(text: &str, out: &mut Sink<'_>) -> bool {
    let cells: Vec<&str> = cells(text).take(6).collect();
    let [category, function, score, ..] = cells.as_slice() else {
        return false;
    };
    if !give(category, function, score, out) {
        return false;
    }
    let result = cells.get(4).copied().unwrap_or("");
    let outcome = match result {
        _ if result.contains("Pass") => Outcome::Passed,
        _ if result.contains("Fail") => Outcome::Failed,
        _ => return true,
    };
    let mut test = test("benchmark machine", function, outcome);
    if outcome == Outcome::Failed {
        let minimum = cells.get(3).copied().unwrap_or("");
        test.reason = Some(short(&format!("{score}, and the minimum is {minimum}")));
    }
    out(Event::Test(test));
    true
}

fn give(section: &str, name: &str, score: &str, out: &mut Sink<'_>) -> bool {
    let Some((value, unit)) = word(score) else {
        return false;
    };
    let (Some(value), Some((unit, _))) = (number(value), word(unit)) else {
        return false;
    };
    let Some(unit) = rate(unit) else { return false };
    let mut figure = figure(section, name, value, &unit);
    figure.better = Some(Better::Higher);
    out(Event::Figure(figure));
    true
}

/// `GiBs` as GiB/s.
fn rate(unit: &str) -> Option<String> {
    let unit = unit.trim_end_matches([',', ';']);
    let size = unit.strip_suffix("/s").or_else(|| unit.strip_suffix('s'))?;
    ["B", "KiB", "MiB", "GiB", "TiB"]
        .contains(&size)
        .then(|| format!("{size}/s"))
}

/// `🏁 Disk score (seq. writes): 2.1 GiBs`, and several on a line, with commas.
fn scores(text: &str, out: &mut Sink<'_>) -> bool {
    let start = text.find('🏁').map(|at| at + '🏁'.len_utf8());
    let Some(start) = start else { return false };
    let mut found = false;
    for part in text[start..].split(", ") {
        if let Some((name, score)) = part.split_once(": ") {
            found |= give("hardware", name, score, out);
        }
    }
    found
}
