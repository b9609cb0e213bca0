//! chiavdf's `vdf_bench`: `Time: 15208 ms; n_slow: 213; speed: 65.7K ips`.
//!
//! The section is the command of a line before that starts `vdf_bench`, with its
//! arguments, where the log has one. `ips` are squarings a second.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{figure, number, scaled, short, word};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::Event;
use karat_model::units::Better;

/// What benchmarks of VDFs print.
pub struct Vdf;

impl LogReader for Vdf {
    fn name(&self) -> &'static str {
        "vdf"
    }

    fn reads(&self) -> &'static str {
        "lines of vdf_bench: `Time: 15208 ms; n_slow: 213; speed: 65.7K ips`"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| parts(&line).is_some()) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log {
            section: String::new(),
        }))
    }
}

struct Log {
    section: String,
}

const COMMAND: Needle = Needle::new("vdf_bench ");

const WAKE: Wake = Wake {
    first: b"T",
    has: &[COMMAND],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if line.first() == b'T'
            && let Some((time, slow, speed)) = parts(line.text)
        {
            let figures = [
                ("time", time, "ms", Some(Better::Lower)),
                ("n_slow", slow, "", None),
                ("speed", speed, "ips", Some(Better::Higher)),
            ];
            for (name, value, unit, better) in figures {
                let mut figure = figure(&self.section, name, value, unit);
                figure.better = better;
                out(Event::Figure(figure));
            }
            return Claim::Owned;
        }
        if let Some(at) = line.find(&COMMAND) {
            let end = line.text[at..].find(['"', '\'', ';', '`']);
            let end = end.map_or(line.text.len(), |length| at + length);
            self.section = short(&line.text[at..end]);
        }
        Claim::Passed
    }
}

/// Milliseconds, slow squarings, squarings a second.
fn parts(text: &str) -> Option<(f64, f64, f64)> {
    let (time, rest) = text.strip_prefix("Time: ")?.split_once(" ms;")?;
    let (slow, rest) = rest
        .trim_start()
        .strip_prefix("n_slow: ")?
        .split_once(';')?;
    let rest = rest.trim_start().strip_prefix("speed: ")?;
    let (speed, unit) = word(rest)?;
    let speed = (unit.trim() == "ips").then_some(scaled(speed)?)?;
    Some((number(time.trim())?, number(slow.trim())?, speed))
}
