//! valgrind: errors of memcheck, helgrind, DRD and others, as text.
//!
//! An error is its first line with the function and file of its first frame; addresses,
//! sizes of leak records' numbers and line numbers move between builds. Of leaks that are
//! only summed up the sum is the error. Of cachegrind and callgrind the counts are figures.
//! Source: valgrind 3.19.0.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{figure, message, number, short};
use super::sleep::Wake;
use karat_model::log::{Event, Level};
use karat_model::units::Better;

pub static VALGRIND: LineReader = LineReader {
    name: "valgrind",
    reads: "valgrind's text (memcheck, helgrind, DRD)",
    mark: |line| own(line).is_some(),
    start: |_| Box::new(Log::default()),
};

/// The text behind `==4711==` or `==4711:1==`.
fn own(text: &str) -> Option<&str> {
    let rest = text
        .strip_prefix("==")
        .or_else(|| text.strip_prefix("--"))?;
    let end = rest.find(['=', '-'])?;
    let number = &rest[..end];
    let digits = |c: char| c.is_ascii_digit() || c == ':' || c == '.';
    if number.is_empty() || !number.chars().all(digits) {
        return None;
    }
    let rest = rest[end..]
        .strip_prefix("==")
        .or_else(|| rest[end..].strip_prefix("--"))?;
    // Sanitizers write `==4711==ERROR: …`.
    match rest {
        "" => Some(rest),
        rest => rest.strip_prefix(' '),
    }
}

#[derive(Default)]
struct Log {
    /// The first line of a block, until a frame shows that it is an error.
    head: Option<String>,
    /// Errors given since the tool began.
    told: u64,
    /// A summary is still to come.
    begun: bool,
    leaks_told: bool,
    /// A leak's first frame was an allocator, which says nothing of it.
    inside: bool,
}

const FRAME: Needle = Needle::new("   at 0x");
const SUMMARY: Needle = Needle::new("ERROR SUMMARY: ");
const TERMINATING: Needle = Needle::new("Process terminating with default action");

const WAKE: Wake = Wake {
    first: b"=-",
    has: &[],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if !matches!(line.first(), b'=' | b'-') {
            return Claim::Passed;
        }
        let Some(text) = own(line.text) else {
            return Claim::Passed;
        };
        // The crash is for the reader of crashes.
        if line.has(&TERMINATING) {
            return Claim::Passed;
        }
        let checkers = ["Memcheck, ", "Helgrind, ", "drd, "];
        if checkers.iter().any(|tool| text.starts_with(tool)) {
            self.begun = true;
        }
        if let Some((name, count)) = counted(text) {
            let mut figure = figure("valgrind", name, count, "");
            figure.better = Some(Better::Lower);
            out(Event::Figure(figure));
            return Claim::Owned;
        }
        if line.has(&SUMMARY) {
            self.summary(text, out);
        } else if line.has(&FRAME) || self.inside && text.starts_with("   by 0x") {
            if let Some(head) = self.head.take() {
                self.error(&head, text, out);
            }
        } else if text.trim().is_empty() || text.starts_with("---") {
            self.head = None;
            self.inside = false;
        } else if let Some((kind, sum)) = leak(text) {
            if !self.leaks_told && !sum.starts_with("0 bytes") {
                self.told += 1;
                let level = match kind {
                    "definitely lost" | "indirectly lost" => Level::Error,
                    _ => Level::Warning,
                };
                out(message(level, None, None, &format!("{kind}: {sum}")));
            }
        } else if !text.starts_with(' ') && self.head.is_none() {
            self.head = Some(short(text));
        }
        Claim::Owned
    }

    fn end(&mut self, _: &mut Sink<'_>) -> Result<(), String> {
        match self.begun {
            true => Err("the log ends before the line `ERROR SUMMARY`".to_owned()),
            false => Ok(()),
        }
    }
}

impl Log {
    fn error(&mut self, head: &str, frame: &str, out: &mut Sink<'_>) {
        // Headings that are part of an error, or of none.
        if head.starts_with("Thread #") || head.starts_with("This conflicts with ") {
            return;
        }
        // `   at 0x1091C2: main (vg.c:4)`
        let place = frame.split_once(": ").map_or("", |(_, place)| place);
        let (function, file) = match place.rsplit_once(" (") {
            Some((function, file)) => (function, file.trim_end_matches(')')),
            None => (place, ""),
        };
        if !self.inside && is_allocator(function) && head.contains(" lost in loss record ") {
            self.inside = true;
            self.head = Some(head.to_owned());
            return;
        }
        self.inside = false;
        self.leaks_told |= head.contains(" lost in loss record ");
        self.told += 1;
        let file = file.rsplit_once(':').map(|(file, _)| file);
        out(of(head, function, file.unwrap_or("")));
    }

    /// `ERROR SUMMARY: 4 errors from 4 contexts (suppressed: 0 from 0)`.
    fn summary(&mut self, text: &str, out: &mut Sink<'_>) {
        let contexts = text
            .split(" from ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let contexts: u64 = contexts.and_then(|n| n.parse().ok()).unwrap_or(0);
        if contexts > self.told {
            let text = format!("valgrind: {contexts} errors, not all shown");
            out(message(Level::Error, None, None, &text));
        }
        *self = Self::default();
    }
}

/// `I   refs:      161,235`, `D1  misses:  1,2  ( 1,0 rd + 2 wr)`, `Collected : 161235`.
fn counted(text: &str) -> Option<(&'static str, f64)> {
    let (key, value) = text.split_once(':')?;
    let words: Vec<&str> = key.split_whitespace().collect();
    let name = match words[..] {
        ["I", "refs"] => "instructions",
        ["D", "refs"] => "data references",
        ["I1", "misses"] => "I1 misses",
        ["D1", "misses"] => "D1 misses",
        ["LLi", "misses"] => "LLi misses",
        ["LLd", "misses"] => "LLd misses",
        ["Collected"] => "collected",
        _ => return None,
    };
    let value = value.trim();
    Some((name, number(value.split(' ').next().unwrap_or(value))?))
}

/// Whether a function only hands out memory.
pub fn is_allocator(function: &str) -> bool {
    let names = [
        "malloc",
        "calloc",
        "realloc",
        "memalign",
        "posix_memalign",
        "aligned_alloc",
    ];
    names.contains(&function) || function.starts_with("operator new")
}

/// An error of valgrind, in its text or its XML.
pub fn of(what: &str, function: &str, file: &str) -> Event {
    let what = what.split(" in loss record ").next().unwrap_or(what);
    // `at 0x10C060 by thread #3`
    let what = what.split(" at 0x").next().unwrap_or(what);
    let file = (!file.is_empty()).then_some(file);
    let text = match function {
        "" => format!("valgrind: {what}"),
        function => format!("valgrind: {what} in {function}"),
    };
    message(Level::Error, file, None, &text)
}

/// `   definitely lost: 56 bytes in 2 blocks`.
fn leak(text: &str) -> Option<(&str, &str)> {
    let (kind, sum) = text.trim_start().split_once(": ")?;
    let kinds = ["definitely lost", "indirectly lost", "possibly lost"];
    kinds.contains(&kind).then_some((kind, sum))
}
