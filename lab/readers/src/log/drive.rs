//! Runs readers over a log.

use super::line::{Pairs, has_control};
use super::prefix::{Prefix, Stripped};
use super::reader::{Claim, Confidence, DocumentState, LogState, Sink, State};
use super::registry::Readers;
use super::shape;
use super::sleep::Sleepers;
use crate::text::shown;
use karat_model::compare::{Shape, Unread};
use karat_model::log::{Event, Line};
use memchr::memchr;
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, BufRead, Cursor, Read};

/// How much of a file is looked at to recognise it.
pub const HEAD: usize = 64 << 10;

/// How much of a line is read; the rest is skipped, and the line counted as cut.
pub const LONGEST: usize = 64 << 10;

/// What a reader did with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The reader's name.
    pub reader: &'static str,
    /// What the beginning of the file said of it.
    pub confidence: Confidence,
    /// Lines that were its own; 0 for a document.
    pub lines: u64,
    /// Events it gave.
    pub events: u64,
}

/// What reading a log came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Bytes read.
    pub bytes: u64,
    /// Lines read; 0 for a document.
    pub lines: u64,
    /// Lines longer than [`LONGEST`], of which only the beginning was read.
    pub cut: Cut,
    /// The readers that gave an event or owned a line, or were named by the user.
    pub used: Vec<Use>,
    /// What could not be read or is not there, and why.
    pub problems: Vec<String>,
    /// Lines that no reader knew; none of a document.
    pub unread: Unread,
    /// What stood before every line and was left out.
    pub prefix: Option<&'static str>,
}

/// Lines of which only the beginning was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// How many.
    pub lines: u64,
    /// The first one's number.
    pub first: u64,
    /// Its bytes.
    pub length: u64,
    /// A sum of all bytes that were not read, by which two logs can be told apart.
    pub rest: u64,
}

struct One {
    usage: Use,
    state: Box<dyn LogState>,
    named: bool,
}

/// The readers of a log, in the order in which they are asked.
struct Running {
    list: Vec<One>,
    sleepers: Sleepers,
    sleepless: bool,
}

impl Running {
    /// Lets a reader sleep if it has nothing to wait for but its tool.
    fn rest(&mut self, reader: usize) {
        if !self.sleepless {
            self.sleepers.set(reader, self.list[reader].state.asleep());
        }
    }
}

/// Facts remembered; of a log with more, some are given twice.
const FACTS: usize = 4096;

/// Reads a log to its end and gives every event to `sink`, in the order of the
/// lines that complete them. A fact that a log tells again is not given again. Time
/// stamps before every line are left out (`prefix`).
///
/// Every reader sees every line, in the registry's order, until one owns it. A file
/// that is a document of one tool is that reader's alone. Memory is bounded, except
/// for JSON documents, which are kept whole ([`karat_figures::log::documents`]).
///
/// # Errors
/// When the stream cannot be read.
pub fn read(
    stream: &mut dyn BufRead,
    readers: &Readers,
    sink: &mut Sink<'_>,
) -> io::Result<Summary> {
    let mut told = HashSet::new();
    let mut sink = |event: Event| match &event {
        Event::Fact(fact) if told.contains(fact) => {}
        Event::Fact(fact) if told.len() < FACTS => {
            told.insert(fact.clone());
            sink(event);
        }
        _ => sink(event),
    };
    let sink: &mut Sink<'_> = &mut sink;
    let mut head = Vec::new();
    stream.take(HEAD as u64).read_to_end(&mut head)?;
    let Some(prefix) = Prefix::of(&head, head.len() < HEAD) else {
        return stripped(head, stream, readers, sink);
    };
    let mut stream = Stripped::new(Cursor::new(head).chain(stream), prefix);
    let mut head = Vec::new();
    (&mut stream).take(HEAD as u64).read_to_end(&mut head)?;
    let mut summary = stripped(head, &mut stream, readers, sink)?;
    summary.bytes += stream.removed;
    summary.prefix = Some(prefix.word());
    Ok(summary)
}

/// Reads a log whose beginning is read already.
fn stripped(
    head: Vec<u8>,
    stream: &mut dyn BufRead,
    readers: &Readers,
    sink: &mut Sink<'_>,
) -> io::Result<Summary> {
    let shown = without_nul(&head);
    let mut running = Vec::new();
    for reader in readers.list() {
        let found = reader.recognise(&shown);
        let known = match readers.is_named() {
            true => found.max(Confidence::Lines),
            false => found,
        };
        let usage = Use {
            reader: reader.name(),
            confidence: known,
            lines: 0,
            events: 0,
        };
        match reader.start(known) {
            State::Lines(state) => running.push(One {
                usage,
                state,
                named: readers.is_named(),
            }),
            State::Document(state) if known == Confidence::Document => {
                return document(&head, stream, usage, state, sink);
            }
            State::Document(_) => {}
        }
    }
    if let Some(pattern) = readers.pattern() {
        let usage = Use {
            reader: "pattern",
            confidence: Confidence::Lines,
            lines: 0,
            events: 0,
        };
        // What the user asks for comes first.
        let state = Box::new(pattern.start());
        running.insert(
            0,
            One {
                usage,
                state,
                named: true,
            },
        );
    }
    if running.is_empty() {
        return refused(&head, stream, readers);
    }
    // Who names a reader wants only what it reads.
    let mut named = |event: Event| match event {
        Event::Unread(_) => {}
        event => sink(event),
    };
    let sink: &mut Sink<'_> = match readers.is_named() {
        true => &mut named,
        false => sink,
    };
    let mut running = Running {
        list: running,
        sleepers: Sleepers::default(),
        sleepless: readers.is_sleepless(),
    };
    for reader in 0..running.list.len() {
        running.rest(reader);
    }
    lines(&mut Cursor::new(head).chain(stream), running, sink)
}

fn document(
    head: &[u8],
    stream: &mut dyn BufRead,
    mut usage: Use,
    mut state: Box<dyn DocumentState>,
    sink: &mut Sink<'_>,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut counted = |event: Event| {
        usage.events += 1;
        sink(event);
    };
    state.bytes(head, &mut counted);
    summary.bytes = head.len() as u64;
    loop {
        let piece = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        if piece.is_empty() {
            break;
        }
        state.bytes(piece, &mut counted);
        let length = piece.len();
        summary.bytes += length as u64;
        stream.consume(length);
    }
    if let Err(error) = state.end(&mut counted) {
        summary.problems.push(error.to_string());
    }
    summary.used.push(usage);
    Ok(summary)
}

/// Only readers of documents were named, and this is none of theirs.
fn refused(head: &[u8], stream: &mut dyn BufRead, readers: &Readers) -> io::Result<Summary> {
    let mut summary = Summary {
        bytes: head.len() as u64 + io::copy(stream, &mut io::sink())?,
        ..Summary::default()
    };
    for reader in readers.list() {
        summary.problems.push(format!(
            "{}: this text is not what it reads: {}",
            reader.name(),
            reader.reads()
        ));
    }
    Ok(summary)
}

fn lines(
    stream: &mut dyn BufRead,
    mut running: Running,
    sink: &mut Sink<'_>,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut pairs = Pairs::default();
    let mut raw = Vec::with_capacity(LONGEST + 1);
    loop {
        raw.clear();
        // One more byte, so that a line of exactly this length keeps its end.
        let mut limited = (&mut *stream).take(LONGEST as u64 + 1);
        let read = read_line(&mut limited, &mut raw)?;
        if read == 0 {
            break;
        }
        summary.bytes += read as u64;
        summary.lines += 1;
        if raw.last() == Some(&b'\n') {
            raw.pop();
        } else if raw.len() > LONGEST {
            let cut = &mut summary.cut;
            cut.rest = (cut.rest ^ u64::from(raw[LONGEST])).wrapping_mul(0x0100_0000_01b3);
            let skipped = skip_line(stream, &mut cut.rest)?;
            cut.rest = (cut.rest ^ skipped).wrapping_mul(0x0100_0000_01b3);
            if cut.lines == 0 {
                (cut.first, cut.length) = (summary.lines, read as u64 + skipped);
            }
            cut.lines += 1;
            summary.bytes += skipped;
            raw.truncate(LONGEST);
        }
        let shape = give(&raw, summary.lines, &mut pairs, &mut running, sink);
        if let Some(shape) = shape {
            summary.unread.lines += 1;
            match shape {
                Some(Shape::Test) => summary.unread.tests += 1,
                Some(Shape::Error) => summary.unread.errors += 1,
                None => {}
            }
        }
    }
    for one in &mut running.list {
        let events = &mut one.usage.events;
        let ended = one.state.end(&mut |event| {
            *events += 1;
            sink(event);
        });
        if let Err(problem) = ended {
            let reader = one.usage.reader;
            summary.problems.push(format!("{reader}: {problem}"));
        }
    }
    let used = |one: &One| one.named || one.usage.events > 0 || one.usage.lines > 0;
    let used = running.list.into_iter().filter(used);
    summary.used = used.map(|one| one.usage).collect();
    Ok(summary)
}

/// Reads up to a line end, which is kept; how many bytes. `read_until` of the standard
/// library searches some bytes at a time only.
fn read_line(stream: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let mut read = 0;
    loop {
        let piece = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        let end = memchr(b'\n', piece).map(|at| at + 1);
        let length = end.unwrap_or(piece.len());
        line.extend_from_slice(&piece[..length]);
        stream.consume(length);
        read += length;
        if end.is_some() || length == 0 {
            return Ok(read);
        }
    }
}

/// Skips to behind the next line end; how many bytes. They are added to `sum` (FNV-1a).
fn skip_line(stream: &mut dyn BufRead, sum: &mut u64) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let piece = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        if piece.is_empty() {
            return Ok(skipped);
        }
        let end = memchr(b'\n', piece);
        let length = end.map_or(piece.len(), |at| at + 1);
        for byte in &piece[..length] {
            *sum = (*sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        stream.consume(length);
        skipped += length as u64;
        if end.is_some() {
            return Ok(skipped);
        }
    }
}

/// Gives a line to the readers until one owns it. If none does and it is not blank, what
/// it looks like.
fn give(
    raw: &[u8],
    number: u64,
    pairs: &mut Pairs,
    running: &mut Running,
    sink: &mut Sink<'_>,
) -> Option<Option<Shape>> {
    let raw = match number {
        1 => crate::text::without_bom(raw),
        _ => raw,
    };
    let raw = raw.strip_suffix(b"\r").unwrap_or(raw);
    // Nearly all lines are plain, and taken as they are.
    let plain = match has_control(raw) {
        false => std::str::from_utf8(raw).ok(),
        true => None,
    };
    let (clean, text);
    let text: &str = match plain {
        Some(plain) => plain,
        None => {
            clean = without_nul(raw);
            text = shown(&clean);
            &text
        }
    };
    let woken = running.sleepers.woken(text, running.list.len());
    let mut left = woken.readers;
    // Only of a line that somebody sees the pairs are worth their time.
    let line = match left {
        0 => None,
        _ => Some(pairs.line(text, number)),
    };
    while let (Some(line), true) = (&line, left != 0) {
        let reader = left.trailing_zeros() as usize;
        left &= left - 1;
        let one = &mut running.list[reader];
        let events = &mut one.usage.events;
        let claim = one.state.line(line, &mut |event| {
            *events += 1;
            sink(event);
        });
        if claim == Claim::Owned {
            one.usage.lines += 1;
        }
        running.rest(reader);
        if claim == Claim::Owned {
            return None;
        }
    }
    if text.trim().is_empty() {
        return None;
    }
    let shape = shape::of(text, woken.hints);
    if let Some(shape) = shape {
        sink(Event::Unread(Line {
            shape,
            text: super::scan::short(text),
        }));
    }
    Some(shape)
}

/// Without NUL bytes: a log that was rotated under its writer begins with them, and
/// UTF-16 of plain letters is nothing but letters and NULs.
fn without_nul(raw: &[u8]) -> Cow<'_, [u8]> {
    if !raw.contains(&0) {
        return Cow::Borrowed(raw);
    }
    let marks = [&b"\xff\xfe"[..], b"\xfe\xff"];
    let found = marks.iter().find_map(|mark| raw.strip_prefix(*mark));
    let text = found.unwrap_or(raw);
    Cow::Owned(text.iter().copied().filter(|byte| *byte != 0).collect())
}
