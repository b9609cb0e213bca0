//! `time`: GNU time with `-v` and without, bash's, zsh's and POSIX's.
//!
//! Elapsed, user and system time and the largest resident set, in the section `time`. An
//! exit status other than 0 is an error, a signal a crash. Source: GNU time 1.9, bash 5.2,
//! zsh 5.9.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, message, number};
use super::sleep::Wake;
use karat_model::log::{Crash, Event, Level};
use karat_model::units::Better;

/// What `time` prints.
pub static TIME: LineReader = LineReader {
    name: "time",
    reads: "what GNU's /usr/bin/time -v, bash's and zsh's time print",
    mark: |line| line.starts_with("\tCommand being timed: "),
    start: |_| Box::new(Log { verbose: false }),
};

struct Log {
    /// Below `Command being timed`.
    verbose: bool,
}

const BEGINS: Needle = Needle::new("Command being timed: ");
const ELAPSED: Needle = Needle::new("elapsed ");
const ZSH: Needle = Needle::new("% cpu ");
const INPUTS: Needle = Needle::new("inputs+");
const STATUS: Needle = Needle::new("Command exited with non-zero status ");
const SIGNAL: Needle = Needle::new("Command terminated by signal ");

const WAKE: Wake = Wake {
    first: b"\trusC",
    has: &[ELAPSED, INPUTS, ZSH],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.verbose).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim();
        // Its first word is any command's.
        if line.has(&ZSH)
            && let Some(times) = zsh(text)
        {
            for (name, seconds) in ["user", "system", "elapsed"].into_iter().zip(times) {
                give(name, Some(seconds), "s", out);
            }
            return Claim::Owned;
        }
        match line.first() {
            b'\t' => {
                if line.has(&BEGINS) {
                    self.verbose = true;
                    return Claim::Owned;
                }
                return match self.verbose {
                    true => self.verbose(text, out),
                    false => Claim::Passed,
                };
            }
            b'r' | b'u' | b's' => return shell(text, out),
            b'C' if line.has(&STATUS) => {
                out(message(Level::Error, None, None, text));
                return Claim::Owned;
            }
            b'C' if line.has(&SIGNAL) => {
                let text = text.to_owned();
                let kind = "signal".to_owned();
                out(Event::Crash(Crash { kind, text }));
                return Claim::Owned;
            }
            _ => {}
        }
        if line.has(&ELAPSED) && text.contains("user ") && text.contains("system ") {
            return plain(text, out);
        }
        match line.has(&INPUTS) && text.ends_with("swaps") {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }
}

impl Log {
    fn verbose(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let Some((key, value)) = text.rsplit_once(": ") else {
            return Claim::Passed;
        };
        match key {
            "Elapsed (wall clock) time (h:mm:ss or m:ss)" => {
                give("elapsed", clock(value), "s", out)
            }
            "User time (seconds)" => give("user", number(value), "s", out),
            "System time (seconds)" => give("system", number(value), "s", out),
            "Maximum resident set size (kbytes)" => give(RESIDENT, number(value), "KiB", out),
            "Exit status" => {
                self.verbose = false;
                if value != "0" {
                    out(message(Level::Error, None, None, text));
                }
            }
            _ => {}
        }
        Claim::Owned
    }
}

const RESIDENT: &str = "largest resident set";

fn give(name: &str, value: Option<f64>, unit: &str, out: &mut Sink<'_>) {
    if let Some(value) = value {
        let mut figure = figure("time", name, value, unit);
        figure.better = Some(Better::Lower);
        out(Event::Figure(figure));
    }
}

/// `real\t0m0.052s`, `real 0.05`.
fn shell(text: &str, out: &mut Sink<'_>) -> Claim {
    let Some((word, value)) = text.split_once(['\t', ' ']) else {
        return Claim::Passed;
    };
    let name = match word {
        "real" => "elapsed",
        "user" => "user",
        "sys" => "system",
        _ => return Claim::Passed,
    };
    let minutes = value
        .strip_suffix('s')
        .and_then(|value| value.split_once('m'));
    let seconds = match minutes {
        Some((minutes, seconds)) => number(minutes)
            .zip(number(seconds))
            .map(|(m, s)| m * 60.0 + s),
        None => number(value),
    };
    if seconds.is_none() {
        return Claim::Passed;
    }
    give(name, seconds, "s", out);
    Claim::Owned
}

/// `sleep 0.1  0.00s user 0.00s system 1% cpu 0.102 total`: user, system and elapsed.
fn zsh(text: &str) -> Option<[f64; 3]> {
    let (front, total) = text.strip_suffix(" total")?.rsplit_once("% cpu ")?;
    let (front, _) = front.rsplit_once("s system ")?;
    let (front, system) = front.rsplit_once("s user ")?;
    let user = front.rsplit(' ').next()?;
    Some([number(user)?, number(system)?, clock(total)?])
}

/// `0.00user 0.00system 0:00.05elapsed 1%CPU (0avgtext+0avgdata 1580maxresident)k`.
fn plain(text: &str, out: &mut Sink<'_>) -> Claim {
    for word in text.split([' ', '(', ')', '+']) {
        if let Some(value) = word.strip_suffix("user") {
            give("user", number(value), "s", out);
        } else if let Some(value) = word.strip_suffix("system") {
            give("system", number(value), "s", out);
        } else if let Some(value) = word.strip_suffix("elapsed") {
            give("elapsed", clock(value), "s", out);
        } else if let Some(value) = word.strip_suffix("maxresident") {
            give(RESIDENT, number(value), "KiB", out);
        }
    }
    Claim::Owned
}

/// `1:02:03` and `0:00.05` in seconds.
fn clock(text: &str) -> Option<f64> {
    let parts = text.split(':').map(number);
    parts
        .take(3)
        .try_fold(0.0, |sum, part| Some(sum * 60.0 + part?))
}
