//! `perf stat`: its text, `-x,` and `-j`.
//!
//! Each event is a figure of the section `perf stat`; of a second program in one log of
//! the section `perf stat #2`. Fewer events and less time are better. What the machine
//! does not count is left out. Source: perf 6.1.

use super::json_reader::text as json_text;
use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, number};
use super::sleep::Wake;
use karat_model::log::{Event, Statistic};
use karat_model::units::Better;
use serde_json::Value;

/// The table of `perf stat`.
pub static PERF: LineReader = LineReader {
    name: "perf",
    reads: "what `perf stat` prints, with -x, and -j too",
    mark: |line| line.trim_start().starts_with(HEAD),
    start: |_| Box::new(Log::default()),
};

const HEAD: &str = "Performance counter stats for ";

#[derive(Default)]
struct Log {
    active: bool,
    commands: Vec<String>,
    section: String,
}

const STARTED: Needle = Needle::new("# started on ");
const STATS: Needle = Needle::new("Performance counter stats for ");

const WAKE: Wake = Wake {
    first: b"{<0123456789",
    has: &[STATS, STARTED],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        if line.has(&STATS)
            && let Some(command) = text.strip_prefix(HEAD)
        {
            self.head(command);
            return Claim::Owned;
        }
        if line.first() == b'{' && text.starts_with("{\"counter-value\"") {
            return self.json(text, out);
        }
        if line.first().is_ascii_digit() || line.first() == b'<' {
            return self.csv(text, out);
        }
        if !self.active {
            return match text.starts_with("# started on ") {
                true => Claim::Owned,
                false => Claim::Passed,
            };
        }
        if text.starts_with("<not ") {
            return Claim::Owned;
        }
        // A later command's own output.
        if line.first() != b' ' && !text.is_empty() {
            self.active = false;
            return Claim::Passed;
        }
        let (Some((value, rest)), true) = (super::scan::word(text), !text.is_empty()) else {
            return Claim::Passed;
        };
        let Some(value) = number(value) else {
            return Claim::Passed;
        };
        let rest = rest.split(['#']).next().unwrap_or(rest).trim();
        let rest = rest.split("  ( +-").next().unwrap_or(rest).trim();
        let rest = match rest.strip_prefix("+- ") {
            Some(rest) => rest.split_once(' ').map_or("", |(_, rest)| rest).trim(),
            None => rest,
        };
        match rest.strip_prefix("seconds ") {
            Some("time elapsed") => self.give("elapsed", value, "s", out),
            Some(name) => self.give(name, value, "s", out),
            None => match rest.split_once(' ') {
                Some(("msec", name)) => self.give(name.trim(), value, "ms", out),
                _ if rest.contains(' ') || rest.is_empty() => return Claim::Passed,
                _ => self.give(rest, value, "", out),
            },
        }
        Claim::Owned
    }
}

impl Log {
    fn head(&mut self, command: &str) {
        self.active = true;
        let command = command.split("' (").next().unwrap_or(command);
        let known = self.commands.iter().position(|c| c == command);
        let at = known.unwrap_or_else(|| {
            if self.commands.len() < 64 {
                self.commands.push(command.to_owned());
            }
            self.commands.len() - 1
        });
        self.section = match at {
            0 => "perf stat".to_owned(),
            n => format!("perf stat #{}", n + 1),
        };
    }

    fn give(&self, name: &str, value: f64, unit: &str, out: &mut Sink<'_>) {
        let section = match self.section.as_str() {
            "" => "perf stat",
            section => section,
        };
        let mut figure = figure(section, name, value, unit);
        figure.better = Some(Better::Lower);
        figure.statistic = Some(Statistic::Mean);
        out(Event::Figure(figure));
    }

    fn json(&self, text: &str, out: &mut Sink<'_>) -> Claim {
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return Claim::Passed;
        };
        if let Some(count) = number(json_text(&value, "counter-value")) {
            let unit = unit(json_text(&value, "unit"));
            self.give(json_text(&value, "event"), count, unit, out);
        }
        Claim::Owned
    }

    /// `1.52,msec,task-clock,1516381,100.00,0.114,CPUs utilized`.
    fn csv(&self, text: &str, out: &mut Sink<'_>) -> Claim {
        // Many a line begins with a number.
        if text.bytes().filter(|b| matches!(b, b',' | b';')).count() < 6 {
            return Claim::Passed;
        }
        let fields: Vec<&str> = text.split([',', ';']).collect();
        let [value, unit_of, event, runtime, share, ..] = fields[..] else {
            return Claim::Passed;
        };
        let sound = fields.len() >= 7
            && ["", "msec", "ns", "Joules"].contains(&unit_of)
            && event.starts_with(|c: char| c.is_ascii_alphabetic())
            && runtime.parse::<u64>().is_ok()
            && share.parse::<f64>().is_ok();
        if !sound {
            return Claim::Passed;
        }
        if let Some(value) = number(value) {
            self.give(event, value, unit(unit_of), out);
        }
        Claim::Owned
    }
}

fn unit(word: &str) -> &str {
    match word {
        "msec" => "ms",
        word => word,
    }
}
