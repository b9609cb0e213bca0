//! Warnings and errors of compilers, linkers and build tools.
//!
//! - rustc and cargo: `warning: text`, `error[E0425]: text`, and on the line behind
//!   ` --> file:line:column`; lines that only count or repeat are left out.
//! - gcc and clang: `file:line:column: warning: text`, `tool: error: text`; linkers'
//!   `file:(.text+0x5): undefined reference to …`.
//! - go: `file.go:line:column: text` below `# package`.
//! - CMake: `CMake Warning at file:line (…):`, its text on the lines behind; make's
//!   `*** […] Error 1`.
//! - Python: `file.py:line: SomeWarning: text`.

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{message, place, short};
use super::sleep::Wake;
use karat_model::log::{Event, Level, Message};

pub struct Compiler;

impl LogReader for Compiler {
    fn name(&self) -> &'static str {
        "compiler"
    }

    fn reads(&self) -> &'static str {
        "warnings and errors of rustc, cargo, gcc, clang, ld, go, CMake, make and Python"
    }

    fn recognise(&self, _: &[u8]) -> Confidence {
        // Any log may have them; nothing about the head says that this one will.
        Confidence::No
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log {
            open: None,
            go: false,
        }))
    }
}

/// A message whose place or text is on the next line.
enum Open {
    Place(Message),
    /// Its text is indented, up to a blank line.
    Text(Message),
    /// Some of the text was there.
    More(Message),
}

struct Log {
    open: Option<Open>,
    /// Below a `# package` of go.
    go: bool,
}

const WARNING: Needle = Needle::new("warning: ");
const ERROR: Needle = Needle::new("error: ");
const UNDEFINED: Needle = Needle::new("undefined reference to ");
const PYTHON: Needle = Needle::new("Warning: ");
const COUNTS: Needle = Needle::new(" generated.");
const GO: Needle = Needle::new(".go:");

const WAKE: Wake = Wake {
    first: b"FweCmg#",
    has: &[COUNTS, WARNING, ERROR, UNDEFINED, PYTHON],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (self.open.is_none() && !self.go).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        if let Some(open) = self.open.take()
            && self.go_on(open, line.text, out)
        {
            return Claim::Owned;
        }
        let text = line.text;
        let counts = line.first() == b'F'
            && text.starts_with("For more information about this error")
            || text.ends_with(" generated.") && line.first().is_ascii_digit();
        if counts {
            return Claim::Owned;
        }
        let found = match line.first() {
            b'w' | b'e' => rustc(text),
            b'C' => cmake(text),
            b'm' | b'g' => make(text),
            b'#' => {
                self.go = text.starts_with("# ") && !text[2..].starts_with(' ');
                return Claim::Passed;
            }
            _ => Found::Nothing,
        };
        match found {
            Found::Counts => return Claim::Owned,
            Found::Whole(message) => {
                out(Event::Message(message));
                return Claim::Owned;
            }
            Found::Open(open) => {
                self.open = Some(open);
                return Claim::Owned;
            }
            Found::Nothing => {}
        }
        let found = placed(line, &WARNING, Level::Warning)
            .or_else(|| placed(line, &ERROR, Level::Error))
            .or_else(|| linker(line))
            .or_else(|| python(line))
            .or_else(|| if self.go { go(line) } else { None });
        match found {
            Some(event) => {
                out(event);
                Claim::Owned
            }
            None => {
                self.go &= line.first() > b' ';
                Claim::Passed
            }
        }
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        if let Some(Open::Place(message) | Open::Text(message) | Open::More(message)) =
            self.open.take()
        {
            out(Event::Message(message));
        }
        Ok(())
    }
}

impl Log {
    /// Goes on with a message; whether the line is part of it.
    fn go_on(&mut self, open: Open, text: &str, out: &mut Sink<'_>) -> bool {
        match open {
            Open::Place(mut message) => {
                let at = text.trim_start().strip_prefix("--> ").and_then(place);
                if let Some((file, line)) = at {
                    message.file = Some(short(file));
                    message.line = Some(line);
                }
                out(Event::Message(message));
                at.is_some()
            }
            Open::Text(message) if text.trim().is_empty() => {
                self.open = Some(Open::Text(message));
                true
            }
            Open::Text(mut message) if text.starts_with(' ') => {
                message.text = short(text);
                self.open = Some(Open::More(message));
                true
            }
            Open::More(mut message) if text.starts_with(' ') && !text.trim().is_empty() => {
                message.text = short(&format!("{} {}", message.text, text.trim()));
                self.open = Some(Open::More(message));
                true
            }
            Open::Text(message) | Open::More(message) => {
                out(Event::Message(message));
                false
            }
        }
    }
}

enum Found {
    Nothing,
    /// It counts or repeats what was said before.
    Counts,
    Whole(Message),
    Open(Open),
}

fn plain(level: Level, text: &str) -> Message {
    Message {
        level,
        file: None,
        line: None,
        text: short(text),
        count: 1,
    }
}

/// `warning: text`, `error[E0425]: text` at the margin.
fn rustc(text: &str) -> Found {
    let (level, rest) = if let Some(rest) = text.strip_prefix("warning") {
        (Level::Warning, rest)
    } else if let Some(rest) = text.strip_prefix("error") {
        (Level::Error, rest)
    } else {
        return Found::Nothing;
    };
    // `error[E0425]: `, and clippy and others without a code.
    let said = match rest
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]: "))
    {
        Some((code, said)) => format!("[{code}] {said}"),
        None => match rest.strip_prefix(": ") {
            Some(said) => said.to_owned(),
            None => return Found::Nothing,
        },
    };
    let counts = said.starts_with('`') && said.contains(" generated ")
        || said.starts_with("could not compile ")
        || said.starts_with("aborting due to ")
        || said.starts_with("test failed, ")
        || said.starts_with("test run failed")
        || said.starts_with("build failed")
        || said.starts_with(|c: char| c.is_ascii_digit())
            && [" emitted", " failed:", " failed"]
                .iter()
                .any(|end| said.trim_end().ends_with(end));
    match counts {
        true => Found::Counts,
        false => Found::Open(Open::Place(plain(level, &said))),
    }
}

/// `CMake Warning at CMakeLists.txt:5 (message):`, `CMake Warning (dev) in …:`.
fn cmake(text: &str) -> Found {
    let (level, rest) = if let Some(rest) = text.strip_prefix("CMake Warning") {
        (Level::Warning, rest)
    } else if let Some(rest) = text.strip_prefix("CMake Error") {
        (Level::Error, rest)
    } else {
        return Found::Nothing;
    };
    let mut found = plain(level, text);
    if let Some((_, rest)) = rest.split_once(" at ") {
        let at = rest.split(' ').next().unwrap_or("").trim_end_matches(':');
        if let Some((file, line)) = place(at) {
            found.file = Some(short(file));
            found.line = Some(line);
        }
    } else if let Some((_, file)) = rest.split_once(" in ") {
        found.file = Some(short(file.trim_end_matches(':')));
    }
    match text.trim_end().ends_with(':') {
        true => Found::Open(Open::Text(found)),
        false => Found::Whole(found),
    }
}

/// `make: *** [Makefile:3: all] Error 1`.
fn make(text: &str) -> Found {
    let tool = text.split([':', '[']).next().unwrap_or("");
    match ["make", "gmake"].contains(&tool) && text.contains(": *** ") {
        true => Found::Whole(plain(Level::Error, text)),
        false => Found::Nothing,
    }
}

/// `file:line:column: warning: text`, `tool: error: text`.
fn placed(line: &Line<'_>, needle: &Needle, level: Level) -> Option<Event> {
    let at = line.find(needle)?;
    let said = &line.text[at + needle.text().len()..];
    let before = line.text[..at].trim_end();
    let before = before.strip_suffix("fatal").map_or(before, str::trim_end);
    let before = before.strip_suffix(':')?;
    if let Some((file, number)) = place(before) {
        // A time of day looks like a place too.
        let is_file = file.contains(|c: char| c.is_alphabetic()) && !file.contains(": ");
        return is_file.then(|| message(level, Some(file), Some(number), said));
    }
    // The name of a tool, perhaps with its path.
    let is_tool = !before.is_empty() && !before.contains(char::is_whitespace);
    let tool = before.rsplit('/').next().unwrap_or(before);
    is_tool.then(|| message(level, None, None, &format!("{tool}: {said}")))
}

/// `link.c:(.text+0x5): undefined reference to …`.
fn linker(line: &Line<'_>) -> Option<Event> {
    let at = line.find(&UNDEFINED)?;
    let before = line.text[..at].trim_end().strip_suffix(':')?;
    let file = before.split(":(").next().unwrap_or(before);
    let file = file.rsplit(": ").next().unwrap_or(file);
    Some(message(Level::Error, Some(file), None, &line.text[at..]))
}

/// `file.py:18: DeprecationWarning: this is old`.
fn python(line: &Line<'_>) -> Option<Event> {
    let at = line.find(&PYTHON)?;
    let (front, kind) = line.text[..at].rsplit_once(": ")?;
    let (file, number) = place(front)?;
    let sound = file.ends_with(".py") && kind.bytes().all(|b| b.is_ascii_alphanumeric());
    let said = &line.text[front.len() + 2..];
    sound.then(|| message(Level::Warning, Some(file), Some(number), said))
}

/// `broken/broken_test.go:5:32: declared and not used: unused`.
fn go(line: &Line<'_>) -> Option<Event> {
    line.find(&GO)?;
    let (at, said) = line.text.split_once(": ")?;
    let (file, number) = place(at)?;
    file.ends_with(".go")
        .then(|| message(Level::Error, Some(file), Some(number), said))
}
