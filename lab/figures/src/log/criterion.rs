//! criterion's text: `name  time: [low middle high]`.
//!
//! The middle is the figure, in the unit printed. The name may stand on the line
//! before. `thrpt:` says the same again and `change:` compares with a run of which
//! this log knows nothing: neither is read.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, number, short};
use crate::criterion::estimate;
use crate::text::lines;
use karat_model::log::{Event, Statistic};

/// criterion's text.
pub struct Criterion;

impl LogReader for Criterion {
    fn name(&self) -> &'static str {
        "criterion"
    }

    fn reads(&self) -> &'static str {
        "the text that criterion prints"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| estimate(&line).is_some()) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log::default()))
    }
}

#[derive(Default)]
struct Log {
    /// The line before, if it may be a name.
    before: String,
}

const TIME: Needle = Needle::new("time:");

impl LogState for Log {
    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let found = match line.has(&TIME) {
            true => estimate(line.text),
            false => None,
        };
        let Some((name, [_, _, middle, unit, _, _])) = found else {
            self.before.clear();
            // Names stand at the margin; a longer line is none.
            if line.first() > b' ' && line.text.len() <= 200 {
                self.before.push_str(line.text);
            }
            return Claim::Passed;
        };
        let name = match name {
            "" => short(&self.before),
            name => short(name),
        };
        let Some(value) = number(middle).filter(|_| !name.is_empty()) else {
            return Claim::Passed;
        };
        let mut figure = figure("", &name, value, unit);
        figure.statistic = Some(Statistic::Slope);
        out(Event::Figure(figure));
        Claim::Owned
    }
}
