//! One line of a Firedancer log, taken apart.

use super::super::scan::word;
use karat_model::log::Level;

/// A log line.
pub struct Record<'a> {
    /// None below WARNING.
    pub level: Option<Level>,
    pub thread: &'a str,
    /// As printed: a base name or a path. Empty in SNIP lines.
    pub file: &'a str,
    pub line: Option<u32>,
    pub text: &'a str,
    /// Equal messages in all, by a SNIP line.
    pub repeated: Option<u64>,
    /// That SNIP line ends the repetition.
    pub over: bool,
}

impl<'a> Record<'a> {
    /// The file without its folders.
    pub fn file_name(&self) -> &'a str {
        self.file.rsplit('/').next().unwrap_or(self.file)
    }

    /// The file without folders and ending.
    pub fn suite(&self) -> &'a str {
        let name = self.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }
}

const LEVELS: &[(&str, Option<Level>)] = &[
    ("DEBUG", None),
    ("INFO", None),
    ("NOTICE", None),
    ("WARNING", Some(Level::Warning)),
    ("ERR", Some(Level::Error)),
    ("CRIT", Some(Level::Fatal)),
    ("ALERT", Some(Level::Fatal)),
    ("EMERG", Some(Level::Fatal)),
    ("SNIP", None),
];

/// The parts of a line; `None` of other texts.
pub fn record(text: &str) -> Option<Record<'_>> {
    // A level is padded to seven letters, and a blank follows.
    let padded = text.get(..8)?;
    let (level, blank) = word(padded)?;
    if blank.is_empty() {
        return None;
    }
    let (_, grave) = LEVELS.iter().find(|(name, _)| *name == level)?;
    let (date, rest) = word(&text[8..])?;
    let (time, rest) = word(rest)?;
    if !is_time(time) || !matches!(date.len(), 5 | 10) || !date.contains('-') {
        return None;
    }
    let (thread, rest) = match date.len() {
        5 => (None, rest),
        _ => file_form(rest)?,
    };
    if level == "SNIP" {
        return snip(thread, rest);
    }
    let (front, text) = split_place(rest)?;
    let (before, file) = front.path;
    Some(Record {
        level: *grave,
        // Thread names hold no blanks; where three words stand, it is the last.
        thread: match thread {
            Some(thread) => thread,
            None => before.split_whitespace().next_back().unwrap_or(""),
        },
        file,
        line: Some(front.line),
        text,
        repeated: None,
        over: false,
    })
}

/// `HH:MM:SS.` and digits.
fn is_time(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() > 9 && bytes[2] == b':' && bytes[5] == b':' && bytes[8] == b'.'
}

/// Behind `GMT-06 45678:45678 user:host:f0 app:group:thread`: the thread, and the
/// rest.
fn file_form(rest: &str) -> Option<(Option<&str>, &str)> {
    let (zone, rest) = word(rest)?;
    zone.strip_prefix("GMT")?;
    let (_ids, rest) = word(rest)?;
    let (_user, rest) = word(rest)?;
    let (app, rest) = word(rest)?;
    Some((Some(app.rsplit(':').next().unwrap_or("")), rest))
}

/// `[stopped ]repeating (N identical messages)`, behind what names the thread.
fn snip<'a>(thread: Option<&'a str>, rest: &'a str) -> Option<Record<'a>> {
    let at = rest.find("repeating (")?;
    let digits = &rest[at + "repeating (".len()..];
    let (count, _) = digits.split_once(' ')?;
    let front = rest[..at].trim_end();
    let front = front.strip_suffix("stopped").map_or(front, str::trim_end);
    Some(Record {
        level: None,
        thread: match thread {
            Some(thread) => thread,
            None => front.split_whitespace().next_back().unwrap_or(""),
        },
        file: "",
        line: None,
        text: "",
        repeated: Some(count.parse().ok()?),
        over: rest[..at].trim_end().ends_with("stopped"),
    })
}

struct Front<'a> {
    /// What stands before the file, and the file.
    path: (&'a str, &'a str),
    line: u32,
}

/// `… file(line): text` or `… file(line)[function]: text`.
fn split_place(rest: &str) -> Option<(Front<'_>, &str)> {
    let open = rest.find('(')?;
    let close = open + rest[open..].find(')')?;
    let line = rest[open + 1..close].parse().ok()?;
    let before = &rest[..open];
    let start = before.rfind(char::is_whitespace)? + 1;
    let path = (before[..start].trim(), &before[start..]);
    let mut behind = &rest[close + 1..];
    if behind.starts_with('[') {
        behind = &behind[behind.find(']')? + 1..];
    }
    let text = behind.strip_prefix(':')?;
    (!path.1.is_empty()).then_some((Front { path, line }, text))
}
