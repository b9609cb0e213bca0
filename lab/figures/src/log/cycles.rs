//! Histograms of cycles, as chiavdf's `avx512_test` prints them:
//!
//! ```text
//! benchmark_512_add_avx512, :
//! 99%: 28838
//! 0%: 36706
//! ```
//!
//! A share of the runs and their mean cycles, for 1000 iterations. The figure is the
//! row with the largest share; the others are outliers, by the tool's own document.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, number, short};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::Event;
use karat_model::units::Better;

/// Cycles of an operation, a line each.
pub struct Cycles;

impl LogReader for Cycles {
    fn name(&self) -> &'static str {
        "cycles"
    }

    fn reads(&self) -> &'static str {
        "histograms of cycles: `name, :` and `99%: 11719` below"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        let mut after_heading = false;
        for (_, line) in lines(head) {
            if after_heading && share(&line).is_some() {
                return Confidence::Lines;
            }
            after_heading = heading(&line).is_some() || after_heading && line.trim().is_empty();
        }
        Confidence::No
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log {
            name: None,
            best: None,
        }))
    }
}

struct Log {
    name: Option<String>,
    /// The largest share so far, and its cycles.
    best: Option<(f64, f64)>,
}

const HEADING: Needle = Needle::new(", :");
const SHARE: Needle = Needle::new("%: ");

const WAKE: Wake = Wake {
    first: b"",
    has: &[HEADING],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.name.is_none().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if line.has(&HEADING)
            && let Some(name) = heading(line.text)
        {
            self.flush(out);
            self.name = Some(short(name));
            return Claim::Owned;
        }
        if self.name.is_none() {
            return Claim::Passed;
        }
        if line.has(&SHARE)
            && let Some((share, cycles)) = share(line.text)
        {
            if self.best.is_none_or(|(best, _)| share > best) {
                self.best = Some((share, cycles));
            }
            return Claim::Owned;
        }
        // A blank line may stand between heading and rows, as may ``` of a document.
        if self.best.is_some() || !matches!(line.text.trim(), "" | "```") {
            self.flush(out);
        }
        Claim::Passed
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.flush(out);
        Ok(())
    }
}

impl Log {
    fn flush(&mut self, out: &mut Sink<'_>) {
        if let (Some(name), Some((_, cycles))) = (self.name.take(), self.best.take()) {
            let mut figure = figure("", &name, cycles, "cycles");
            figure.better = Some(Better::Lower);
            out(Event::Figure(figure));
        }
    }
}

/// `benchmark_512_add_avx512, :`
fn heading(text: &str) -> Option<&str> {
    let name = text.trim().strip_suffix(", :")?;
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

/// `99%: 11719`
fn share(text: &str) -> Option<(f64, f64)> {
    let (share, cycles) = text.trim().split_once("%: ")?;
    Some((number(share)?, number(cycles)?))
}
