//! Maven Surefire: what `mvn test` prints.
//!
//! Maven names only classes and the methods that failed. A class is a test
//! `(class)` of the suite of its name, a failed method a test of that suite; the line
//! behind it is its reason. `[WARNING]` and `[ERROR]` of a compiler, with
//! `File.java:[line,column]`, are messages. Source: Surefire 3.2.5, Maven 3.8.7.

use super::line::Line;
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{message, seconds, short, test};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Event, Level, Outcome, Test};

/// The name of a class's own outcome.
const CLASS: &str = "(class)";

pub struct Surefire;

impl LogReader for Surefire {
    fn name(&self) -> &'static str {
        "surefire"
    }

    fn reads(&self) -> &'static str {
        "the text that `mvn test` prints (Surefire, Failsafe)"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        let own = |line: &str| {
            split(line).is_some_and(|(_, rest)| {
                rest.trim() == "T E S T S" || class(rest).is_some() || rest.contains("maven")
            })
        };
        match lines(head).any(|(_, line)| own(&line)) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log {
            class: String::new(),
            failed: None,
            results: false,
        }))
    }
}

/// Maven's level, if the line has one, and the text.
fn split(line: &str) -> Option<(&str, &str)> {
    let (level, rest) = line.strip_prefix('[')?.split_once("] ")?;
    matches!(level, "INFO" | "WARNING" | "ERROR").then_some((level, rest))
}

struct Log {
    class: String,
    /// A failed method, until the next line says why.
    failed: Option<Test>,
    /// Behind `Results:`, where all is said again.
    results: bool,
}

const WAKE: Wake = Wake {
    first: b"[RT",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.failed.is_none().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if let Some(mut failed) = self.failed.take() {
            let is_reason = line.first() != b'[' && !line.text.trim().is_empty();
            if is_reason {
                failed.reason = Some(short(line.text));
            }
            out(Event::Test(failed));
            if is_reason {
                return Claim::Owned;
            }
        }
        // Versions before 3 print results without a level.
        let (level, rest) = match line.first() {
            b'[' => match split(line.text) {
                Some(parts) => parts,
                None => return Claim::Passed,
            },
            b'R' | b'T' => ("INFO", line.text),
            _ => return Claim::Passed,
        };
        if let Some(class) = rest.strip_prefix("Running ").filter(|c| is_class(c.trim())) {
            self.class = short(class);
            return Claim::Owned;
        }
        if let Some((test, named)) = class(rest) {
            // Of a line that sums up the whole run, no class is named.
            if named || !self.class.is_empty() && rest.contains("Time elapsed") {
                let suite = match named {
                    true => test.suite.clone(),
                    false => std::mem::take(&mut self.class),
                };
                out(Event::Test(Test { suite, ..test }));
            }
            return Claim::Owned;
        }
        if let Some(failed) = method(rest) {
            self.failed = Some(failed);
            return Claim::Owned;
        }
        if rest.trim() == "Results:" {
            self.results = true;
        } else if rest.trim() == "T E S T S" {
            self.results = false;
        }
        let again = self.results && level == "ERROR" || rest == "BUILD FAILURE";
        let level = match level {
            "WARNING" => Level::Warning,
            "ERROR" => Level::Error,
            _ if again => return Claim::Owned,
            _ => return Claim::Passed,
        };
        match place(rest) {
            Some((file, line, text)) => {
                out(message(level, Some(file), Some(line), text));
                Claim::Owned
            }
            None if again => Claim::Owned,
            None => Claim::Passed,
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        if let Some(failed) = self.failed.take() {
            out(Event::Test(failed));
        }
        Ok(())
    }
}

fn is_class(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "._$".contains(c))
}

/// `Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.7 s <<< FAILURE!
/// -- in shop.ShopTest`, and whether it names the class.
fn class(text: &str) -> Option<(Test, bool)> {
    let rest = text.strip_prefix("Tests run: ")?;
    let count = |key: &str| -> Option<u64> {
        let (_, value) = rest.split_once(key)?;
        let end = value
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(value.len());
        value[..end].parse().ok()
    };
    let run: u64 = rest.split(',').next()?.parse().ok()?;
    let bad = count("Failures: ")? + count("Errors: ")?;
    let outcome = match (bad, count("Skipped: ")?) {
        (0, skipped) if skipped == run && run > 0 => Outcome::Skipped,
        (0, _) => Outcome::Passed,
        _ => Outcome::Failed,
    };
    let named = rest.rsplit_once(" in ").map(|(_, class)| class.trim());
    let named = named.filter(|class| is_class(class));
    let mut test = test(named.unwrap_or(""), CLASS, outcome);
    let time = rest.split_once("Time elapsed: ").map(|(_, time)| time);
    test.seconds = time.and_then(|time| seconds(&time[..time.find(" s")? + 2]));
    if bad > 0 {
        test.reason = Some(format!("{bad} of {run} tests failed"));
    }
    Some((test, named.is_some()))
}

/// `shop.ShopTest.broken -- Time elapsed: 0.265 s <<< ERROR!`, before version 3
/// `broken(shop.ShopTest)  Time elapsed: 0.265 s  <<< ERROR!`.
fn method(text: &str) -> Option<Test> {
    let (front, kind) = text.split_once("<<< ")?;
    if !kind.starts_with("FAILURE!") && !kind.starts_with("ERROR!") {
        return None;
    }
    let (name, time) = front.split_once("Time elapsed: ")?;
    let name = name.trim().trim_end_matches("--").trim_end();
    let mut test = match name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once('('))
    {
        Some((method, class)) if is_class(class) => test(class, method, Outcome::Failed),
        _ => {
            let (class, method) = name.rsplit_once('.')?;
            test(class, method, Outcome::Failed)
        }
    };
    test.seconds = seconds(time);
    Some(test)
}

/// `/src/Shop.java:[3,5] text`.
fn place(text: &str) -> Option<(&str, u32, &str)> {
    let (file, rest) = text.split_once(":[")?;
    let (at, said) = rest.split_once("] ")?;
    let (line, column) = at.split_once(',')?;
    column.parse::<u32>().ok()?;
    (!file.contains(' ')).then_some((file, line.parse().ok()?, said))
}
