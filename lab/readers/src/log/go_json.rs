//! `go test -json`: one event a line (`go doc test2json`).
//!
//! Tests come from the events pass, fail and skip; an event without a test is the
//! package's. Of what tests print, benchmarks are read, crashes, and the last
//! `file_test.go:N: …` as the reason of a failure.

use super::crash::crash;
use super::go_text::{Benchmarks, PACKAGE, said};
use super::line::{Line, Pairs};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{message, place, short, test};
use super::sleep::Wake;
use crate::go::{Event as GoEvent, is_event};
use crate::text::{lines, shown};
use karat_model::log::{Event, Level, Outcome};
use std::collections::{BTreeSet, HashMap};

/// Packages and tests whose output is followed at a time.
const REMEMBERED: usize = 65_536;

pub struct GoJson;

impl LogReader for GoJson {
    fn name(&self) -> &'static str {
        "go"
    }

    fn reads(&self) -> &'static str {
        "the events that `go test -json` prints"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| is_event(&line)) {
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
    pairs: Pairs,
    packages: HashMap<String, Package>,
    /// Packages that began and have not ended.
    open: BTreeSet<String>,
    /// What a running test said last.
    said: HashMap<(String, String), String>,
}

#[derive(Default)]
struct Package {
    benchmarks: Benchmarks,
    /// The beginning of a line; an event may end inside of one.
    partial: String,
}

const WAKE: Wake = Wake {
    first: b"{",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if line.first() != b'{' || !is_event(line.text) {
            return Claim::Passed;
        }
        let Ok(event) = serde_json::from_str::<GoEvent<'_>>(line.text) else {
            return Claim::Passed;
        };
        if let Some(output) = &event.output {
            self.output(&event.package, &event.test, output, out);
        }
        if event.action == "build-output"
            && let Some(output) = &event.output
            && let Some((file, line, said)) = failed_build(output)
        {
            out(message(Level::Error, Some(file), Some(line), said));
        }
        let begins = matches!(event.action.as_ref(), "start" | "run");
        if begins && self.open.len() < REMEMBERED {
            self.open.insert(short(&event.package));
        }
        if event.test.is_empty() && matches!(event.action.as_ref(), "pass" | "fail" | "skip") {
            self.open.remove(&short(&event.package));
        }
        let outcome = match event.action.as_ref() {
            "pass" => Outcome::Passed,
            "fail" => Outcome::Failed,
            "skip" => Outcome::Skipped,
            _ => return Claim::Owned,
        };
        let name = match event.test.as_ref() {
            "" if outcome == Outcome::Skipped => return Claim::Owned,
            "" => PACKAGE,
            name => name,
        };
        let mut test = test(&event.package, name, outcome);
        test.seconds = event.elapsed.filter(|s| s.is_finite() && *s >= 0.0);
        let key = (short(&event.package), short(&event.test));
        let said = self.said.remove(&key);
        test.reason = said.filter(|_| outcome != Outcome::Passed);
        out(Event::Test(test));
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.open.first() {
            Some(package) => Err(format!("the log ends before the package {package} does")),
            None => Ok(()),
        }
    }
}

/// `./a_test.go:8:1: undefined: x`, as `go build` says it.
fn failed_build(output: &str) -> Option<(&str, u32, &str)> {
    let (at, said) = output.trim_end().split_once(": ")?;
    let (file, line) = place(at)?;
    file.ends_with(".go")
        .then_some((file.trim_start_matches("./"), line, said))
}

impl Log {
    fn output(&mut self, name: &str, test: &str, output: &str, out: &mut Sink<'_>) {
        if let Some(text) = said(output.trim_end()) {
            let key = (short(name), short(test));
            if self.said.len() < REMEMBERED || self.said.contains_key(&key) {
                self.said.insert(key, short(text));
            }
        }
        let name = &short(name);
        if !self.packages.contains_key(name) {
            if self.packages.len() >= REMEMBERED {
                return;
            }
            let mut package = Package::default();
            package.benchmarks.package.clone_from(name);
            self.packages.insert(name.clone(), package);
        }
        let Some(package) = self.packages.get_mut(name) else {
            return;
        };
        for piece in output.split_inclusive('\n') {
            if package.partial.len() < super::LONGEST {
                package.partial.push_str(piece);
            }
            if piece.ends_with('\n') {
                let whole = std::mem::take(&mut package.partial);
                let text = shown(whole.trim_end_matches('\n').as_bytes());
                package.benchmarks.line(&text, out);
                if let Some(crash) = crash(&self.pairs.line(&text, 0)) {
                    out(Event::Crash(crash));
                }
            }
        }
    }
}
