//! Numbered runs: `Run 3:  56.62M ops/s`.
//!
//! Each is one more value of the figure `Run`, in the unit printed, powers of 1000
//! multiplied out. The unit must be a rate or a time, or else any sentence that
//! begins with `Run 1:` would be a figure.

use super::line::Line;
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, scaled, word};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::Event;
use karat_model::units::better;

/// Numbered runs.
pub struct Runs;

impl LogReader for Runs {
    fn name(&self) -> &'static str {
        "runs"
    }

    fn reads(&self) -> &'static str {
        "numbered runs: `Run 3: 56.62M ops/s`"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| run(&line).is_some()) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log))
    }
}

struct Log;

const WAKE: Wake = Wake {
    first: b"R [",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if !matches!(line.first(), b'R' | b' ' | b'[') {
            return Claim::Passed;
        }
        let Some((value, unit)) = run(line.text) else {
            return Claim::Passed;
        };
        out(Event::Figure(figure("", "Run", value, unit)));
        Claim::Owned
    }
}

/// Value and unit of `Run 3:  56.62M ops/s`, `Run 3: 56.62 M ops/s`.
fn run(text: &str) -> Option<(f64, &str)> {
    let (count, rest) = text.trim_start().strip_prefix("Run ")?.split_once(':')?;
    count.trim().parse::<u32>().ok()?;
    let (value, rest) = word(rest)?;
    let (unit, behind) = word(rest)?;
    let factor = match unit {
        "K" | "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => {
            better(unit)?;
            return Some((scaled(value)?, unit));
        }
    };
    let (unit, _) = word(behind)?;
    better(unit)?;
    Some((scaled(value)? * factor, unit))
}
