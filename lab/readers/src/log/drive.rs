//! Runs readers over a log.

use super::line::{Pairs, has_control};
use super::prefix::{Prefix, Stripped};
use super::reader::{Claim, Confidence, LogState, Sink, State};
use super::registry::Readers;
use super::shape;
use super::sleep::Sleepers;
use super::stream::{HEAD, Input, LONGEST, without_nul};
use super::summary::{Summary, Use};
use super::within::{self, Reading, Search};
use crate::text::shown;
use karat_model::compare::{Shape, Unread};
use karat_model::log::{Event, Line};
use std::collections::HashSet;
use std::io::{self, BufRead, Cursor, Read};

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
    /// All readers of lines, and the user's pattern; `head` is the log's beginning.
    fn start(head: &[u8], readers: &Readers) -> Self {
        let mut list = Vec::new();
        if let Some(pattern) = readers.pattern() {
            // What the user asks for comes first.
            list.push(One {
                usage: usage("pattern", Confidence::Lines),
                state: Box::new(pattern.start()),
                named: true,
            });
        }
        for reader in readers.list() {
            let found = reader.recognise(head);
            let known = match readers.is_named() {
                true => found.max(Confidence::Lines),
                false => found,
            };
            if let State::Lines(state) = reader.start(known) {
                list.push(One {
                    usage: usage(reader.name(), known),
                    state,
                    named: readers.is_named(),
                });
            }
        }
        Self {
            list,
            sleepers: Sleepers::default(),
            sleepless: readers.is_sleepless(),
        }
    }

    /// Lets a reader sleep if it has nothing to wait for but its tool.
    fn rest(&mut self, reader: usize) {
        if !self.sleepless {
            self.sleepers.set(reader, self.list[reader].state.asleep());
        }
    }
}

fn usage(reader: &'static str, confidence: Confidence) -> Use {
    Use {
        reader,
        confidence,
        lines: 0,
        events: 0,
    }
}

/// Facts remembered; of a log with more, some are given twice.
const FACTS: usize = 4096;

/// Reads a log to its end and gives every event to `sink`, in the order of the
/// lines that complete them. A fact that a log tells again is not given again. Time
/// stamps before every line are left out (`prefix`).
///
/// Every reader sees every line, in the registry's order, until one owns it. A document of
/// a tool is that reader's alone, whatever lines stand before and behind it. Memory is bounded, except
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

/// Reads a log whose beginning is read already: documents, then lines.
fn stripped(
    mut head: Vec<u8>,
    stream: &mut dyn BufRead,
    readers: &Readers,
    sink: &mut Sink<'_>,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    while let Some(document) = Reading::of(&head, readers) {
        head = within::read(document, head, stream, &mut summary, sink)?;
        // The beginning of what follows is as long as that of any log.
        let missing = HEAD.saturating_sub(head.len()) as u64;
        (&mut *stream).take(missing).read_to_end(&mut head)?;
        if head.len() < HEAD && head.trim_ascii().is_empty() {
            summary.bytes += head.len() as u64;
            return Ok(summary);
        }
    }
    let mut running = Running::start(&without_nul(&head), readers);
    for reader in 0..running.list.len() {
        running.rest(reader);
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
    let only_documents = running.list.is_empty();
    lines(
        &mut Cursor::new(head).chain(stream),
        running,
        readers,
        &mut summary,
        sink,
    )?;
    if only_documents && summary.used.is_empty() {
        summary.lines = 0;
        summary.unread = Unread::default();
        for reader in readers.list() {
            summary.problems.push(format!(
                "{}: this text is not what it reads: {}",
                reader.name(),
                reader.reads()
            ));
        }
    }
    Ok(summary)
}

fn lines(
    stream: &mut dyn BufRead,
    mut running: Running,
    readers: &Readers,
    summary: &mut Summary,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let mut input = Input::new(stream);
    let mut search = Search::default();
    let mut pairs = Pairs::default();
    let mut raw = Vec::with_capacity(LONGEST + 1);
    while input.next(&mut raw)? {
        summary.lines += 1;
        let ended = raw.last() == Some(&b'\n');
        let is_cut = !ended && raw.len() > LONGEST;
        // A document on one line may be longer than any other line.
        if is_cut && search.document(&raw, &mut input, readers, summary, sink)? {
            continue;
        }
        if ended {
            raw.pop();
        } else if is_cut {
            cut(&raw, &mut input, summary)?;
            raw.truncate(LONGEST);
        }
        let Some((shape, text)) = give(&raw, summary.lines, &mut pairs, &mut running, sink) else {
            continue;
        };
        if ended {
            raw.push(b'\n');
        }
        if !is_cut && search.document(&raw, &mut input, readers, summary, sink)? {
            continue;
        }
        summary.unread.lines += 1;
        match shape {
            Some(Shape::Test) => summary.unread.tests += 1,
            Some(Shape::Error) => summary.unread.errors += 1,
            None => continue,
        }
        if let Some(shape) = shape {
            sink(Event::Unread(Line { shape, text }));
        }
    }
    summary.bytes += input.bytes;
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
    summary.used.extend(used.map(|one| one.usage));
    Ok(())
}

/// Counts a line that is too long, and skips what is not read of it.
fn cut(raw: &[u8], input: &mut Input<'_>, summary: &mut Summary) -> io::Result<()> {
    let cut = &mut summary.cut;
    cut.rest = (cut.rest ^ u64::from(raw[LONGEST])).wrapping_mul(0x0100_0000_01b3);
    let skipped = input.skip_line(&mut cut.rest)?;
    cut.rest = (cut.rest ^ skipped).wrapping_mul(0x0100_0000_01b3);
    if cut.lines == 0 {
        (cut.first, cut.length) = (summary.lines, raw.len() as u64 + skipped);
    }
    cut.lines += 1;
    Ok(())
}

/// Gives a line to the readers until one owns it. If none does and it is not blank, what
/// it looks like, and its text if it looks like anything.
fn give(
    raw: &[u8],
    number: u64,
    pairs: &mut Pairs,
    running: &mut Running,
    sink: &mut Sink<'_>,
) -> Option<(Option<Shape>, String)> {
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
    let told = shape.map_or(String::new(), |_| super::scan::short(text));
    Some((shape, told))
}
