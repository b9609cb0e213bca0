//! divan's tables: the fastest, median and mean time of each benchmark.
//!
//! The section is the benchmark program; names are paths in its tree (`sized::1000`).
//! Source: divan 0.1.21.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number, short};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};

/// divan's text.
pub static DIVAN: LineReader = LineReader {
    name: "divan",
    reads: "the tables that divan prints",
    mark: |line| heading(line).is_some(),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    active: bool,
    section: String,
    /// The names above a row.
    path: Vec<String>,
}

const HEADING: Needle = Needle::new("│ slowest");

const WAKE: Wake = Wake {
    first: b"",
    has: &[HEADING],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if let Some(name) = heading(line.text) {
            (self.active, self.section) = (true, short(name));
            self.path.clear();
            return Claim::Owned;
        }
        if !self.active {
            return Claim::Passed;
        }
        let Some((depth, rest)) = branch(line.text) else {
            // A second line of a benchmark tells its throughput.
            let more = line.text.starts_with([' ', '│']) && line.text.contains(" │ ");
            self.active = more;
            return match more {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        };
        let cells: Vec<&str> = rest.split('│').map(str::trim).collect();
        self.path.truncate(depth);
        let first: Vec<&str> = cells[0].rsplitn(3, ' ').collect();
        match (&first[..], cells.get(3)) {
            ([unit, value, name], Some(mean)) if !mean.is_empty() => {
                self.path.push(short(name));
                let times = [
                    (Statistic::Least, format!("{value} {unit}")),
                    (Statistic::Median, cells[2].to_owned()),
                    (Statistic::Mean, (*mean).to_owned()),
                ];
                for (statistic, time) in times {
                    self.give(statistic, &time, out);
                }
            }
            _ => self.path.push(short(cells[0])),
        }
        Claim::Owned
    }
}

impl Log {
    fn give(&self, statistic: Statistic, time: &str, out: &mut Sink<'_>) {
        let Some((value, unit)) = time.split_once(' ') else {
            return;
        };
        if let Some(value) = number(value) {
            let mut figure = figure(&self.section, &self.path.join("::"), value, unit);
            figure.statistic = Some(statistic);
            out(Event::Figure(figure));
        }
    }
}

/// `program  fastest       │ slowest       │ median …`
fn heading(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once("fastest ")?;
    let columns = rest.trim_start().strip_prefix("│ slowest ")?;
    columns.contains("│ median ").then_some(name.trim())
}

/// How deep a row stands in the tree, and what is behind its branch.
fn branch(text: &str) -> Option<(usize, &str)> {
    let mut rest = text;
    let mut depth = 0;
    while depth < 16 {
        if let Some(row) = ["├─ ", "╰─ "]
            .iter()
            .find_map(|sign| rest.strip_prefix(sign))
        {
            return Some((depth, row));
        }
        rest = ["│  ", "   "]
            .iter()
            .find_map(|sign| rest.strip_prefix(sign))?;
        depth += 1;
    }
    None
}
