//! Programs that died, whatever tool started them.
//!
//! Signals as shells (`Segmentation fault (core dumped)`), cargo (`(signal: 11,
//! SIGSEGV: …)`) and valgrind report them; panics of Rust and Go; sanitizers; C++'s
//! `terminate`, glibc's aborts and assertions; exceptions that ended Python and Java
//! programs. A panic's message stands on the line behind and is added. A sanitizer's
//! process number and a thread's number are left out, since they change with each
//! run.

use super::line::{Line, Needle, Pairs};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{place, short};
use super::sleep::Wake;
use crate::text::lines;
use karat_model::log::{Crash, Event};

pub struct Crashes;

impl LogReader for Crashes {
    fn name(&self) -> &'static str {
        "crash"
    }

    fn reads(&self) -> &'static str {
        "signals, panics, sanitizer reports and uncaught exceptions"
    }

    fn recognise(&self, head: &[u8]) -> Confidence {
        let mut pairs = Pairs::default();
        match lines(head).any(|(_, line)| crash(&pairs.line(&line, 0)).is_some()) {
            true => Confidence::Lines,
            false => Confidence::No,
        }
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log { open: None }))
    }
}

/// A crash whose text goes on.
enum Open {
    /// The next line is the message.
    Message(Crash),
    /// A Python traceback with this indentation; its last line is the message.
    Traceback(usize),
    /// A Python exception. If it has led to another one, that is the one that counts.
    Exception(Crash),
}

struct Log {
    open: Option<Open>,
}

const TRACEBACK: Needle = Needle::new("Traceback (most recent call last):");

const NEEDLES: usize = 9 + SIGNALS.len();

/// All that a crash may be told by within a line.
const CRASHES: [Needle; NEEDLES] = {
    let mut all = [TRACEBACK; NEEDLES];
    let others = [
        PANICKED,
        OVERFLOWED,
        SANITIZER,
        RUNTIME_ERROR,
        SIGNAL,
        DEFAULT_ACTION,
        ASSERTION,
        OUT_OF_MEMORY,
    ];
    let mut i = 0;
    while i < NEEDLES - 1 {
        all[i + 1] = if i < 8 { others[i] } else { SIGNALS[i - 8].0 };
        i += 1;
    }
    all
};

const WAKE: Wake = Wake {
    first: b"*dfmctpE#",
    has: &CRASHES,
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.open.is_none().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if let Some(open) = self.open.take()
            && self.go_on(open, line, out)
        {
            return Claim::Owned;
        }
        if line.has(&TRACEBACK) {
            let trimmed = line.text.trim_start();
            if trimmed.starts_with(TRACEBACK.text()) {
                let indent = line.text.len() - trimmed.len();
                self.open = Some(Open::Traceback(indent));
                return Claim::Owned;
            }
        }
        let Some(found) = crash(line) else {
            // A sanitizer says again what it said.
            if line.first() == b'S' && line.text.starts_with("SUMMARY: ") && line.has(&SANITIZER) {
                return Claim::Owned;
            }
            return Claim::Passed;
        };
        // `panicked at src/lib.rs:15:59:` and `terminate called …` go on.
        if found.text.ends_with(':') && found.kind == "panic" || found.kind == "terminate" {
            self.open = Some(Open::Message(found));
        } else {
            out(Event::Crash(found));
        }
        Claim::Owned
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        match self.open.take() {
            Some(Open::Message(crash) | Open::Exception(crash)) => out(Event::Crash(crash)),
            // The log ends before it says which exception.
            Some(Open::Traceback(_)) => out(Event::Crash(Crash {
                kind: "exception".to_owned(),
                text: TRACEBACK.text().to_owned(),
            })),
            None => {}
        }
        Ok(())
    }
}

impl Log {
    /// Goes on with a crash; whether the line is part of it.
    fn go_on(&mut self, open: Open, line: &Line<'_>, out: &mut Sink<'_>) -> bool {
        let text = line.text.trim();
        match open {
            Open::Message(mut crash) => {
                let more = crash.kind == "panic" && !text.is_empty() || text.starts_with("what():");
                if more {
                    crash.text = short(&format!("{} {text}", crash.text));
                }
                out(Event::Crash(crash));
                more
            }
            Open::Traceback(indent) => {
                let own = line.text.len() - line.text.trim_start().len();
                if text.is_empty() || own > indent {
                    self.open = Some(Open::Traceback(indent));
                } else {
                    self.open = Some(Open::Exception(Crash {
                        kind: "exception".to_owned(),
                        text: short(text),
                    }));
                }
                true
            }
            Open::Exception(crash) => {
                let chained = text.starts_with("During handling of the above exception")
                    || text.starts_with("The above exception was the direct cause");
                if text.is_empty() {
                    self.open = Some(Open::Exception(crash));
                } else if !chained {
                    out(Event::Crash(crash));
                }
                text.is_empty() || chained
            }
        }
    }
}

const PANICKED: Needle = Needle::new(" panicked at ");
const OVERFLOWED: Needle = Needle::new("' has overflowed its stack");
const SANITIZER: Needle = Needle::new("Sanitizer: ");
const RUNTIME_ERROR: Needle = Needle::new(": runtime error: ");
const SIGNAL: Needle = Needle::new("(signal: ");
const DEFAULT_ACTION: Needle = Needle::new("Process terminating with default action of signal ");
const ASSERTION: Needle = Needle::new(": Assertion `");
const OUT_OF_MEMORY: Needle = Needle::new("Out of memory: Killed process ");

/// What shells print of a process that a signal ended.
const SIGNALS: &[(Needle, &str)] = &[
    (Needle::new("Segmentation fault"), "SIGSEGV"),
    (Needle::new("Aborted"), "SIGABRT"),
    (Needle::new("Illegal instruction"), "SIGILL"),
    (Needle::new("Bus error"), "SIGBUS"),
    (Needle::new("Floating point exception"), "SIGFPE"),
    (Needle::new("Trace/breakpoint trap"), "SIGTRAP"),
    (Needle::new("Killed"), "SIGKILL"),
];

/// glibc's last words, at the beginning of a line.
const LAST_WORDS: &[(&str, &str)] = &[
    ("*** stack smashing detected ***", "stack smashing"),
    ("*** buffer overflow detected ***", "buffer overflow"),
    ("double free or corruption", "heap corruption"),
    ("free(): ", "heap corruption"),
    ("malloc(): ", "heap corruption"),
    ("malloc_consolidate(): ", "heap corruption"),
    ("corrupted size vs. prev_size", "heap corruption"),
    ("corrupted double-linked list", "heap corruption"),
    ("munmap_chunk(): ", "heap corruption"),
    ("terminate called ", "terminate"),
    ("fatal runtime error: ", "abort"),
    ("panic: ", "panic"),
    ("fatal error: ", "fatal error"),
    ("Exception in thread \"", "exception"),
    (
        "# A fatal error has been detected by the Java Runtime",
        "JVM",
    ),
];

/// The crash that a single line tells of.
pub fn crash(line: &Line<'_>) -> Option<Crash> {
    let text = line.text;
    let found = |kind: &str, text: &str| {
        Some(Crash {
            kind: short(kind),
            text: short(text),
        })
    };
    if let Some(at) = line.find(&PANICKED)
        && let Some(thread) = text[..at].trim_start().strip_prefix("thread '")
    {
        // `thread 'main' (2830)`: the number is another one in each run.
        let thread = thread.split('\'').next().unwrap_or("");
        return found("panic", &format!("thread '{thread}'{}", &text[at..]));
    }
    if let Some(at) = line.find(&OVERFLOWED)
        && let Some(thread) = text[..at].trim_start().strip_prefix("thread '")
    {
        return found(
            "stack overflow",
            &format!("thread '{thread}' has overflowed its stack"),
        );
    }
    if let Some(at) = line.find(&SANITIZER)
        && let Some(report) = sanitizer(text, at)
    {
        return Some(report);
    }
    if let Some(at) = line.find(&RUNTIME_ERROR)
        && place(&text[..at]).is_some()
    {
        return found("UndefinedBehaviorSanitizer", text);
    }
    if let Some(at) = line.find(&SIGNAL) {
        // `(signal: 11, SIGSEGV: invalid memory reference)`
        let inside = text[at..].split(')').next().unwrap_or("");
        let name = inside
            .split([' ', ',', ':', '('])
            .find(|word| word.starts_with("SIG"));
        return found(name.unwrap_or("signal"), &without_path(text));
    }
    if let Some(at) = line.find(&DEFAULT_ACTION) {
        let rest = &text[at + DEFAULT_ACTION.text().len()..];
        let name = rest
            .split(['(', ')'])
            .nth(1)
            .filter(|name| name.starts_with("SIG"));
        return found(name.unwrap_or("signal"), &text[at..]);
    }
    if line.has(&ASSERTION) && text.trim_end().ends_with("failed.") {
        return found("assertion", text);
    }
    if let Some(at) = line.find(&OUT_OF_MEMORY) {
        return found("out of memory", &text[at..]);
    }
    if matches!(
        line.first(),
        b'*' | b'd' | b'f' | b'm' | b'c' | b't' | b'p' | b'E' | b'#'
    ) {
        let word = LAST_WORDS.iter().find(|(word, _)| text.starts_with(word));
        if let Some((_, kind)) = word {
            return found(kind, text);
        }
    }
    for (needle, signal) in SIGNALS {
        if let Some(at) = line.find(needle)
            && is_shells(text, at, needle.text())
        {
            return found(signal, &without_pid(text, at));
        }
    }
    None
}

/// `==123==ERROR: AddressSanitizer: what`, `WARNING: ThreadSanitizer: what (pid=1)`.
/// A summary says it again.
fn sanitizer(text: &str, at: usize) -> Option<Crash> {
    let start = text[..at].rfind([' ', '=']).map_or(0, |blank| blank + 1);
    let level = text[..start].trim_end();
    if !level.ends_with("ERROR:") && !level.ends_with("WARNING:") {
        return None;
    }
    let kind = text[start..].split(':').next()?;
    if !kind.ends_with("Sanitizer") {
        return None;
    }
    Some(Crash {
        kind: short(kind),
        text: short(text[start..].split(" (pid=").next()?),
    })
}

/// Without folders and hash of a program in backquotes, as cargo names it: they are
/// others in each build.
fn without_path(text: &str) -> String {
    let Some((front, rest)) = text.split_once('`') else {
        return text.to_owned();
    };
    let Some((path, behind)) = rest.split_once('`') else {
        return text.to_owned();
    };
    let program = path.split(' ').next().unwrap_or(path);
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = match name.rsplit_once('-') {
        Some((stem, hash)) if hash.len() == 16 => stem,
        _ => name,
    };
    format!("{front}`{name}`{behind}")
}

/// Whether a signal's words stand as a shell prints them: alone, dumped, or behind
/// `bash: line 1: 3479`.
fn is_shells(text: &str, at: usize, word: &str) -> bool {
    let rest = text[at + word.len()..].trim();
    let before = text[..at].trim();
    let before_pid = before.trim_end_matches(|c: char| c.is_ascii_digit());
    rest.starts_with("(core dumped)")
        || before.is_empty() && rest.is_empty()
        || before_pid.len() < before.len() && before_pid.trim_end().ends_with([':', '+', ']'])
        || before.ends_with(':') && rest.is_empty() && word != "Killed"
}

/// The line from the signal on: what stands before has a process number.
fn without_pid(text: &str, at: usize) -> String {
    let words: Vec<&str> = text[at..].split_whitespace().take(64).collect();
    words.join(" ")
}
