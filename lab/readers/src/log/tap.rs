//! TAP 12, 13 and 14: `ok 3 - name # SKIP why`; and what `prove` makes of it without `-v`,
//! an outcome for each file.
//!
//! Source: <https://testanything.org/tap-version-14-specification.html>. A subtest's
//! tests have the names of the tests around them as suite (`outer > inner`), under
//! the file that `prove -v` names. An unnamed test is `#N`. `not ok … # TODO` counts
//! as skipped: it is expected to fail. `duration_ms`, `message` and `error` of a YAML
//! block become time and reason. `Bail out!` is a fatal message.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{message, number, seconds, short, test, unnamed};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Event, Level, Outcome, Test};
use std::cmp::Ordering;

/// Levels of subtests that are followed.
const DEEPEST: usize = 16;

pub struct Tap;

impl LogReader for Tap {
    fn name(&self) -> &'static str {
        "tap"
    }

    fn reads(&self) -> &'static str {
        "Test Anything Protocol, versions 12 to 14, and what `prove` prints"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        match lines(head).any(|(_, line)| is_mark(&line)) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, known: Confidence) -> State {
        State::Lines(Box::new(Log {
            active: known >= Confidence::Lines,
            file: String::new(),
            suites: Vec::new(),
            planned: 0,
            points: 0,
            maybe_planned: 0,
            inside: false,
            failed_parts: 0,
            last: None,
            yaml: false,
            unproved: None,
            proving: false,
        }))
    }
}

/// A line that only TAP has: its version, or a numbered test.
fn is_mark(line: &str) -> bool {
    let proved = || proved(line).is_some_and(|(file, ..)| file.ends_with(".t"));
    line.starts_with("TAP version 1") || point(line).is_some_and(|p| p.number.is_some()) || proved()
}

struct Log {
    active: bool,
    file: String,
    /// The open subtests, outermost first.
    suites: Vec<String>,
    /// Tests of all plans that are not of subtests, and those that came.
    planned: u64,
    points: u64,
    /// A plan before the first line that only TAP has.
    maybe_planned: u64,
    /// In a subtest, which its own test or a brace ends.
    inside: bool,
    /// Tests of files that prove names without their tests, by what it says of each file.
    failed_parts: u64,
    /// The last test, until its YAML block is over, and its depth.
    last: Option<Test>,
    yaml: bool,
    /// A file that prove has named, of which nothing has come.
    unproved: Option<String>,
    /// prove told outcomes of files, and not yet that of all.
    proving: bool,
}

const FILE: Needle = Needle::new(" ..");

/// prove says so of a file that failed, before it has told any other outcome.
const DUBIOUS: Needle = Needle::new("Dubious, test returned ");

/// Test::More says so on stderr, before prove has told any file.
const LOOKS: Needle = Needle::new("# Looks like you ");
const FAILED: Needle = Needle::new("#   Failed test ");

const WAKE: Wake = Wake {
    first: b"onT1",
    has: &[FILE, DUBIOUS, LOOKS, FAILED],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.active).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text;
        if !self.active {
            // The only lines that may wake it begin with these.
            let may = matches!(line.first(), b'o' | b'n' | b'T') || line.has(&FILE);
            let fails = self.unproved.is_some() && line.has(&DUBIOUS);
            if !fails && (!may || !is_mark(text)) {
                // Only a test behind it makes it one.
                if let Some(count) = plan(text) {
                    self.maybe_planned = count;
                }
                if let Some(file) = file_line(without_clock(text)) {
                    self.file(file);
                }
                let again = [LOOKS, FAILED].map(|said| text.starts_with(said.text()));
                return match again.contains(&true) {
                    true => Claim::Owned,
                    false => Claim::Passed,
                };
            }
            self.active = true;
            self.planned = std::mem::take(&mut self.maybe_planned);
        }
        if line.has(&FILE)
            && let Some((file, outcome, why)) = proved(text)
        {
            self.flush(out);
            self.proving = true;
            let mut test = test("", file, outcome);
            test.reason = (!why.is_empty()).then(|| short(why));
            out(Event::Test(test));
            return Claim::Owned;
        }
        let trimmed = text.trim_start_matches(' ');
        let indent = text.len() - trimmed.len();
        if self.last.is_some() && (self.yaml || trimmed == "---") && self.yaml_line(trimmed) {
            return Claim::Owned;
        }
        let depth = indent / 4;
        if depth > DEEPEST {
            return Claim::Passed;
        }
        match trimmed.bytes().next() {
            Some(b'o' | b'n') => {
                let Some(point) = point(trimmed) else {
                    return Claim::Passed;
                };
                self.flush(out);
                // prove's word on the file whose tests it named.
                if trimmed == "ok" && !self.file.is_empty() {
                    return Claim::Owned;
                }
                self.unproved = None;
                self.suites.truncate(depth);
                self.points += u64::from(depth == 0);
                self.inside = indent > 0;
                self.last = Some(self.test(&point));
                if point.opens {
                    self.suites.push(short(point.name));
                }
                Claim::Owned
            }
            Some(b'1') if depth == 0 => match plan(trimmed) {
                Some(count) => {
                    self.planned += count;
                    Claim::Owned
                }
                None => Claim::Passed,
            },
            Some(b'}') if trimmed == "}" => {
                self.inside &= indent > 0;
                Claim::Owned
            }
            // Test::More says again what failed.
            Some(b'#') if again(trimmed.trim_start_matches('#').trim_start()) => Claim::Owned,
            Some(b'#') => {
                let Some(name) = trimmed.strip_prefix("# Subtest: ") else {
                    return Claim::Passed;
                };
                self.flush(out);
                self.suites.truncate(depth);
                // Some write it at the depth of the tests inside.
                let at = match self.suites.len() < depth {
                    true => depth - 1,
                    false => depth,
                };
                self.suites.truncate(at);
                self.suites.push(short(name));
                Claim::Owned
            }
            Some(b'B') => match trimmed.strip_prefix("Bail out!") {
                Some(_) => {
                    self.flush(out);
                    out(message(Level::Fatal, None, None, trimmed));
                    Claim::Owned
                }
                None => Claim::Passed,
            },
            _ if sums_up(trimmed) => {
                if trimmed.starts_with("Result: ") {
                    self.proving = false;
                }
                self.failed_parts += failed_parts(trimmed);
                if let Some(tests) = all_parts(trimmed) {
                    self.count(tests, out);
                }
                if fails(trimmed)
                    && let Some(file) = self.unproved.take()
                {
                    self.proving = true;
                    let mut test = test("", &file, Outcome::Failed);
                    test.reason = Some(short(trimmed));
                    out(Event::Test(test));
                }
                Claim::Owned
            }
            _ => match file_line(without_clock(text)) {
                Some(file) => {
                    self.flush(out);
                    self.file(file);
                    Claim::Owned
                }
                None => Claim::Passed,
            },
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.flush(out);
        if self.proving {
            return Err("the log ends before prove's result".to_owned());
        }
        match self.points.cmp(&self.planned) {
            Ordering::Less => Err(format!(
                "{} of {} planned tests are there",
                self.points, self.planned
            )),
            Ordering::Greater if self.planned == 0 => Err(
                "no plan (1..N) says how many tests there are: the log may be cut off".to_owned(),
            ),
            Ordering::Greater => Err(format!(
                "{} tests are there, and plans (1..N) of {}: the log may be cut off",
                self.points, self.planned
            )),
            Ordering::Equal if self.inside => Err("the log ends inside a subtest".to_owned()),
            Ordering::Equal => Ok(()),
        }
    }
}

impl Log {
    /// prove names the file whose tests follow.
    fn file(&mut self, name: &str) {
        self.file = short(name);
        self.unproved = Some(self.file.clone());
        self.suites.clear();
    }

    /// All tests of the files that prove names without their tests.
    fn count(&mut self, tests: u64, out: &mut Sink<'_>) {
        let failed = std::mem::take(&mut self.failed_parts).min(tests);
        // Of `prove -v` all are named.
        if self.points == 0 {
            unnamed("", Outcome::Passed, tests - failed, out);
            unnamed("", Outcome::Failed, failed, out);
        }
    }

    fn test(&self, point: &Point<'_>) -> Test {
        let mut parts: Vec<&str> = Vec::new();
        if !self.file.is_empty() {
            parts.push(&self.file);
        }
        parts.extend(self.suites.iter().map(String::as_str));
        let name = match (point.name, point.number) {
            ("", Some(number)) => format!("#{number}"),
            (name, _) => name.replace("\\#", "#").replace("\\\\", "\\"),
        };
        let outcome = match (point.ok, point.directive) {
            (_, Some((true, _))) => Outcome::Skipped,
            (true, _) => Outcome::Passed,
            (false, Some((false, _))) => Outcome::Skipped,
            (false, None) => Outcome::Failed,
        };
        let mut test = test(&parts.join(" > "), &name, outcome);
        let reason = point.directive.map(|(_, reason)| reason);
        test.reason = reason.filter(|reason| !reason.is_empty()).map(short);
        test.seconds = point.seconds;
        test
    }

    /// A line of a YAML block; whether it is one.
    fn yaml_line(&mut self, text: &str) -> bool {
        if text == "---" || text == "..." {
            self.yaml = text == "---";
            return true;
        }
        // A block that was cut off must not swallow the log.
        if point(text).is_some_and(|p| p.number.is_some()) {
            self.yaml = false;
            return false;
        }
        if let (Some(test), Some((key, value))) = (&mut self.last, text.split_once(':')) {
            let value = value.trim().trim_matches(['\'', '"']);
            match key {
                "duration_ms" => test.seconds = number(value).map(|ms| ms / 1e3),
                "message" | "error" if test.outcome == Outcome::Failed && value.len() > 2 => {
                    test.reason = Some(short(value));
                }
                _ => {}
            }
        }
        true
    }

    fn flush(&mut self, out: &mut Sink<'_>) {
        self.yaml = false;
        if let Some(test) = self.last.take() {
            out(Event::Test(test));
        }
    }
}

/// What Test::More and bats say of a test that failed.
fn again(text: &str) -> bool {
    let begins = [
        "Failed test",
        "Failed (TODO) test",
        "Looks like you ",
        "(in test file ",
        "(from function ",
    ];
    let source = text.starts_with('`') && text.contains("' failed");
    source || begins.iter().any(|begin| text.starts_with(begin))
}

/// Without the time of day that `prove --timer` puts before a file: `[12:01:43] `.
fn without_clock(text: &str) -> &str {
    let timed = text.strip_prefix('[').and_then(|t| t.split_once("] "));
    let is_clock = |clock: &str| clock.len() == 8 && clock.split(':').count() == 3;
    timed
        .filter(|(clock, _)| is_clock(clock))
        .map_or(text, |(_, rest)| rest)
}

/// `t/basic.t ..`, as prove prints before a file's tests.
fn file_line(text: &str) -> Option<&str> {
    let (name, dots) = text.trim_end().rsplit_once(' ')?;
    let dotted = dots.len() >= 2 && dots.bytes().all(|b| b == b'.');
    (dotted && !name.is_empty() && !name.contains(' ')).then_some(name)
}

/// `t/basic.t .. ok`, `t/disk.t ... skipped: no disk`.
fn proved(text: &str) -> Option<(&str, Outcome, &str)> {
    let text = without_clock(text.trim_end());
    let (front, why) = match text.split_once(" skipped: ") {
        Some((front, why)) => (front, Some(why)),
        // `--timer`: `ok      120 ms ( 0.01 usr …`.
        None => match text.split_once(" ok ") {
            Some((front, time)) if time.contains(" ms") => (front, None),
            _ => (text.strip_suffix(" ok")?, None),
        },
    };
    let outcome = match why {
        Some(_) => Outcome::Skipped,
        None => Outcome::Passed,
    };
    Some((file_line(front)?, outcome, why.unwrap_or("")))
}

/// What prove says of a file that failed.
fn fails(text: &str) -> bool {
    let text = text.trim();
    let some = text.starts_with("Failed ") && text.ends_with(" subtests");
    some || text.starts_with("Dubious, ") || text == "No subtests run"
}

/// `Failed 1/5 subtests`: the 1.
fn failed_parts(text: &str) -> u64 {
    let count = text
        .strip_prefix("Failed ")
        .and_then(|rest| rest.split_once('/'));
    count.and_then(|(count, _)| count.parse().ok()).unwrap_or(0)
}

/// `Files=2, Tests=10, …`: the 10.
fn all_parts(text: &str) -> Option<u64> {
    let (_, rest) = text.strip_prefix("Files=")?.split_once(", Tests=")?;
    rest.split(',').next()?.trim().parse().ok()
}

/// What prove says behind a file's tests.
fn sums_up(text: &str) -> bool {
    let text = text.trim();
    let begins = [
        "Failed test",
        "TODO passed: ",
        "Result: ",
        "Test Summary Report",
        "Non-zero exit status: ",
        "Parse errors: ",
        "All tests successful.",
    ];
    let counts = text.starts_with("Files=") && text.contains(", Tests=");
    fails(text)
        || counts
        || text.contains(" (Wstat: ")
        || begins.iter().any(|begin| text.starts_with(begin))
}

/// `1..N`, and a directive behind it when nothing is run.
fn plan(text: &str) -> Option<u64> {
    let count = text.strip_prefix("1..")?;
    count.split(' ').next()?.parse().ok()
}

struct Point<'a> {
    ok: bool,
    number: Option<u32>,
    name: &'a str,
    /// Whether it is SKIP (else TODO), and why.
    directive: Option<(bool, &'a str)>,
    seconds: Option<f64>,
    /// Its subtests follow, in braces.
    opens: bool,
}

/// `[not ]ok [N] [- name] [# directive]`.
fn point(text: &str) -> Option<Point<'_>> {
    let (ok, rest) = match text.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, text.strip_prefix("ok")?),
    };
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let rest = rest.trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (digits, behind) = rest.split_at(end);
    let (number, rest) = match digits.parse() {
        Ok(number) if behind.is_empty() || behind.starts_with(' ') => {
            (Some(number), behind.trim_start())
        }
        _ => (None, rest),
    };
    let rest = rest.strip_prefix("- ").unwrap_or(rest);
    let (name, directive) = match directive_at(rest) {
        Some((at, directive)) => (&rest[..at], Some(directive)),
        None => (rest, None),
    };
    // A test that holds a subtest may end in its opening brace.
    let opens = name.trim_end().ends_with(" {");
    let name = name.trim().trim_end_matches(" {");
    // vitest writes a time there: `- name # time=2.23ms`.
    let (name, time) = match name.rsplit_once("# time=") {
        Some((front, time)) if seconds(time).is_some() => (front.trim_end(), seconds(time)),
        // bats with `--timing`: `adds in 23ms`.
        _ => match name.rsplit_once(" in ") {
            Some((front, time)) if time.ends_with("ms") && seconds(time).is_some() => {
                (front, seconds(time))
            }
            _ => (name, None),
        },
    };
    Some(Point {
        ok,
        number,
        name,
        directive,
        seconds: time,
        opens,
    })
}

/// Where a directive begins, whether it is SKIP, and what follows it.
fn directive_at(text: &str) -> Option<(usize, (bool, &str))> {
    for (at, _) in text.match_indices('#') {
        if text[..at].ends_with('\\') {
            continue;
        }
        let rest = text[at + 1..].trim_start();
        let word = rest.get(..4).unwrap_or("");
        let skip = word.eq_ignore_ascii_case("skip");
        if skip || word.eq_ignore_ascii_case("todo") {
            // SKIPPED and SKIP: are in use too.
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            return Some((at, (skip, rest[end..].trim())));
        }
    }
    None
}
