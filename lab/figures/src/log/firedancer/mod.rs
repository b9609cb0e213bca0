//! Firedancer: what its unit tests log.
//!
//! Read from `src/util/log/fd_log.c` and the tests of commit 178b48f (2026-08-21).
//! On stderr a line is `LEVEL MM-DD HH:MM:SS.uuuuuu THREAD file.c(line): message`,
//! with colours or without; older versions have `TID CPU THREAD` there. In a log file
//! it is `LEVEL YYYY-MM-DD HH:MM:SS.nnnnnnnnn GMT±zz GID:TID USER:HOST:CPU
//! APP:GROUP:THREAD path(line)[function]: message`.
//!
//! **Suite and section.** The suite of a test is its source file's name without
//! `.c`: the only thing that both forms tell. A figure's section is that name and
//! the last `Benchmarking …` of the file, since names repeat between sections.
//!
//! **Failure** is an `ERR` or graver: a message, and a failed test `pass` of the
//! suite, since a program that got through ends with `pass`.
//!
//! **Repetitions.** Of equal messages in a row, a thread prints three; then a `SNIP`
//! line tells how many there were in all. What it adds to those printed comes as one
//! more message with that count.
//!
//! `OK`, `FAIL` lines of `run_unit_tests.sh` are tests of the suite `run_unit_tests`.

mod figures;
mod record;

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{fact, seconds, short, test, word};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Crash, Event, Level, Message, Outcome};
use record::{Record, record};
use std::collections::{BTreeMap, HashMap};

/// Suites and threads remembered; a log has a few of each.
const REMEMBERED: usize = 1024;

/// What Firedancer's programs print.
pub struct Firedancer;

impl LogReader for Firedancer {
    fn name(&self) -> &'static str {
        "firedancer"
    }

    fn reads(&self) -> &'static str {
        "the logs of Firedancer's unit tests, from stderr or from a log file"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| record(&line).is_some()) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, known: Confidence) -> State {
        State::Lines(Box::new(Log {
            awake: known >= Confidence::Lines,
            build_info: false,
            sections: HashMap::new(),
            threads: HashMap::new(),
        }))
    }
}

struct Log {
    /// A Firedancer line was there: `OK  12.3  test` may be its script's.
    awake: bool,
    /// These lines are what the program's build noted.
    build_info: bool,
    /// The open section of each suite.
    sections: HashMap<String, Section>,
    /// What each thread said last.
    threads: HashMap<String, Last>,
}

/// A part of a program's benchmarks.
struct Section {
    name: String,
    /// Those of the last figure that had any: `blocks / second` behind it are of the
    /// same measurement and do not repeat them.
    parameters: BTreeMap<String, String>,
}

/// The last message of a thread, and how it stands with its repetitions.
struct Last {
    message: Message,
    /// Copies printed in a row.
    printed: u64,
    /// Copies in all, by the last SNIP line.
    total: u64,
}

impl Last {
    /// What SNIP lines told of and nobody printed.
    fn hidden(&self, out: &mut Sink<'_>) {
        if self.total > self.printed {
            let mut message = self.message.clone();
            message.count = self.total - self.printed;
            out(Event::Message(message));
        }
    }
}

const WAKE: Wake = Wake {
    first: b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.build_info).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if self.build_info && !line.first().is_ascii_uppercase() {
            self.build_info = line.first() != 0;
            build_info(line.text, out);
            return Claim::Owned;
        }
        // All levels are words of capitals.
        if !line.first().is_ascii_uppercase() {
            return Claim::Passed;
        }
        if let Some(record) = record(line.text) {
            self.awake = true;
            self.record(&record, out);
            return Claim::Owned;
        }
        // The script's last line counts what it told.
        let last =
            matches!(line.text.trim_end(), "PASS" | "FAIL") || line.text.starts_with("FAIL (");
        match self.awake && (last || script(line.text, out)) {
            true => Claim::Owned,
            false => Claim::Passed,
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        let mut left: Vec<(String, Last)> = self.threads.drain().collect();
        left.sort_by(|a, b| a.0.cmp(&b.0));
        for (_, last) in left {
            last.hidden(out);
        }
        Ok(())
    }
}

impl Log {
    fn record(&mut self, record: &Record<'_>, out: &mut Sink<'_>) {
        if let Some(total) = record.repeated {
            if let Some(last) = self.threads.get_mut(record.thread) {
                last.total = last.total.max(total);
                if record.over {
                    last.hidden(out);
                    last.total = 0;
                }
            }
            return;
        }
        let text = record.text.trim();
        self.build_info = text.ends_with("build info:");
        match record.level {
            Some(level) => {
                self.message(record, level, text, out);
                if level > Level::Warning {
                    failed(record, level, text, out);
                }
            }
            None => {
                // Whatever it says, the row of equal messages is over.
                if let Some(last) = self.threads.remove(record.thread) {
                    last.hidden(out);
                }
                self.notice(record.suite(), text, out);
            }
        }
    }

    fn message(&mut self, record: &Record<'_>, level: Level, text: &str, out: &mut Sink<'_>) {
        let message = Message {
            level,
            file: Some(record.file_name().to_owned()),
            line: record.line,
            text: short(text),
            count: 1,
        };
        out(Event::Message(message.clone()));
        let many = self.threads.len() >= REMEMBERED;
        match self.threads.get_mut(record.thread) {
            Some(last) if last.message == message => {
                last.printed += 1;
                return;
            }
            Some(last) => last.hidden(out),
            None if many => return,
            None => {}
        }
        let last = Last {
            message,
            printed: 1,
            total: 0,
        };
        self.threads.insert(record.thread.to_owned(), last);
    }

    /// A message that is neither warning nor error.
    fn notice(&mut self, suite: &str, text: &str, out: &mut Sink<'_>) {
        if let Some(section) = text.strip_prefix("Benchmarking ") {
            if self.sections.len() < REMEMBERED || self.sections.contains_key(suite) {
                let section = Section {
                    name: short(section),
                    parameters: BTreeMap::new(),
                };
                self.sections.insert(suite.to_owned(), section);
            }
            return;
        }
        let passed = match text.strip_prefix("OK: ") {
            Some(name) => {
                // A test is over, and the section it opened.
                self.sections.remove(suite);
                Some(name)
            }
            None if text == "pass" => Some("pass"),
            None => text
                .strip_suffix(" passed")
                .filter(|name| !name.contains(' ')),
        };
        if let Some(name) = passed {
            out(Event::Test(test(suite, name, Outcome::Passed)));
            return;
        }
        if let Some(reason) = text.strip_prefix("skip: ") {
            let mut skipped = test(suite, "pass", Outcome::Skipped);
            skipped.reason = Some(short(reason));
            out(Event::Test(skipped));
            return;
        }
        match self.sections.get_mut(suite) {
            Some(section) => {
                let name = format!("{suite}: {}", section.name);
                figures::read(&name, &mut section.parameters, text, out);
            }
            None => figures::read(suite, &mut BTreeMap::new(), text, out),
        }
        if let Some((key, value)) = text.split_once(' ')
            && key.starts_with("FD_HAS_")
        {
            out(fact(key, value));
        }
    }
}

/// An error ends the program: by a signal, or without its `pass`.
fn failed(record: &Record<'_>, level: Level, text: &str, out: &mut Sink<'_>) {
    let signal = text.strip_prefix("Received signal ").and_then(word);
    if let Some((signal, _)) = signal {
        out(Event::Crash(Crash {
            kind: short(signal),
            text: short(text),
        }));
        // The handler's own file says nothing about whose test it was.
        return;
    }
    if level == Level::Fatal {
        out(Event::Crash(Crash {
            kind: "abort".to_owned(),
            text: short(text),
        }));
    }
    let mut failed = test(record.suite(), "pass", Outcome::Failed);
    failed.reason = Some(short(text));
    out(Event::Test(failed));
}

/// `# machine  native`: a line of the build info that a log file begins with.
fn build_info(text: &str, out: &mut Sink<'_>) {
    let Some((key, value)) = text.strip_prefix("# ").and_then(word) else {
        return;
    };
    let key = match key {
        "machine" => "MACHINE",
        "branch.oid" if !value.contains('(') => "commit",
        "extras" => "extras",
        _ => return,
    };
    if !value.trim().is_empty() {
        out(fact(key, value));
    }
}

const EXIT: Needle = Needle::new(" (exit ");

/// A line of `run_unit_tests.sh`: `OK   TIME   UNIT`, `FAIL TIME   UNIT (exit N): LOG`.
fn script(text: &str, out: &mut Sink<'_>) -> bool {
    let (outcome, rest) = if let Some(rest) = text.strip_prefix("OK  ") {
        (Outcome::Passed, rest)
    } else if let Some(rest) = text.strip_prefix("FAIL ") {
        (Outcome::Failed, rest)
    } else {
        return false;
    };
    let Some((time, rest)) = word(rest) else {
        return false;
    };
    let (Some(time), Some((unit, rest))) = (seconds(time), word(rest)) else {
        return false;
    };
    let mut test = test("run_unit_tests", unit, outcome);
    test.seconds = Some(time);
    let exit = rest.strip_prefix(EXIT.text());
    if let Some((code, _)) = exit.and_then(|rest| rest.split_once(')')) {
        test.reason = Some(format!("exit {}", short(code)));
    }
    out(Event::Test(test));
    true
}
