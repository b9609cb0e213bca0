//! hyperfine's table in Markdown (`--export-markdown`): the mean of each command.

use super::line::Line;
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number, word};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};

/// hyperfine's table.
pub static HYPERFINE_TABLE: LineReader = LineReader {
    name: "hyperfine",
    reads: "hyperfine's Markdown (--export-markdown)",
    mark: |line| unit(line).is_some(),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    /// The unit of the table that is read; empty outside of one.
    unit: String,
}

const WAKE: Wake = Wake {
    first: b"|",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.unit.is_empty().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if let Some(unit) = unit(text) {
            self.unit = unit.to_owned();
            return Claim::Owned;
        }
        if self.unit.is_empty() || !text.starts_with('|') {
            self.unit.clear();
            return Claim::Passed;
        }
        if text.starts_with("|:---") {
            return Claim::Owned;
        }
        let Some((command, mean)) = row(text) else {
            return Claim::Passed;
        };
        let mut figure = figure("", &command, mean, &self.unit);
        figure.statistic = Some(Statistic::Mean);
        out(Event::Figure(figure));
        Claim::Owned
    }
}

/// `| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |`
fn unit(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("| Command | Mean [")?;
    let (unit, rest) = rest.split_once(']')?;
    rest.starts_with(" | Min [").then_some(unit)
}

/// ``| `sleep 0.01` | 12.3 ± 1.4 | 11.3 | 14.8 | 1.00 |``: the command and its mean.
fn row(text: &str) -> Option<(String, f64)> {
    // A bar in a command is written `\|`.
    let (command, rest) = text.strip_prefix("| `")?.rsplit_once("` | ")?;
    let (mean, _) = word(rest)?;
    Some((command.replace("\\|", "|"), number(mean)?))
}
