//! Documents in a log: a whole file, or with lines before and behind them.

use super::ends::End;
use super::reader::{Confidence, DocumentState, Sink, State};
use super::registry::Readers;
use super::stream::{HEAD, Input, without_nul};
use super::summary::{Summary, Use};
use karat_model::log::Event;
use std::io::{self, BufRead};

/// Lines that look like a document's beginning and are none: behind so many no other is
/// tried, since each costs a search for all readers' marks.
const TRIES: u32 = 256;

/// A document that is read.
pub struct Reading {
    usage: Use,
    state: Box<dyn DocumentState>,
}

impl Reading {
    /// The reader whose document begins with `head`.
    pub fn of(head: &[u8], readers: &Readers) -> Option<Self> {
        let head = without_nul(head);
        let mut known = readers
            .list()
            .iter()
            .filter(|reader| reader.recognise(&head) == Confidence::Document);
        known.find_map(|reader| match reader.start(Confidence::Document) {
            State::Lines(_) => None,
            State::Document(state) => Some(Self {
                usage: Use {
                    reader: reader.name(),
                    confidence: Confidence::Document,
                    lines: 0,
                    events: 0,
                },
                state,
            }),
        })
    }

    fn bytes(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        let events = &mut self.usage.events;
        self.state.bytes(piece, &mut |event: Event| {
            *events += 1;
            sink(event);
        });
    }

    fn end(mut self, summary: &mut Summary, sink: &mut Sink<'_>) {
        let events = &mut self.usage.events;
        let ended = self.state.end(&mut |event: Event| {
            *events += 1;
            sink(event);
        });
        if let Err(error) = ended {
            summary.problems.push(error.to_string());
        }
        summary.used.push(self.usage);
    }
}

/// Reads a document whose beginning is read already. Gives back what was read of the text
/// behind it.
pub fn read(
    mut document: Reading,
    head: Vec<u8>,
    stream: &mut dyn BufRead,
    summary: &mut Summary,
    sink: &mut Sink<'_>,
) -> io::Result<Vec<u8>> {
    let first = crate::text::first_byte(&head).unwrap_or(0);
    let mut end = End::of(first);
    let mut take = |piece: &[u8], summary: &mut Summary, sink: &mut Sink<'_>| {
        let at = end.feed(piece);
        let own = &piece[..at.unwrap_or(piece.len())];
        document.bytes(own, sink);
        summary.bytes += own.len() as u64;
        at
    };
    if let Some(at) = take(&head, summary, sink) {
        document.end(summary, sink);
        return Ok(head[at..].to_vec());
    }
    loop {
        let piece = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        let at = take(piece, summary, sink);
        let length = piece.len();
        stream.consume(at.unwrap_or(length));
        if at.is_some() || length == 0 {
            document.end(summary, sink);
            return Ok(Vec::new());
        }
    }
}

/// Looks for documents among lines.
pub struct Search {
    tries: u32,
}

impl Default for Search {
    fn default() -> Self {
        Self { tries: TRIES }
    }
}

impl Search {
    /// Reads the document that begins with `line`, if one does. `line` has its end.
    pub fn document(
        &mut self,
        line: &[u8],
        input: &mut Input<'_>,
        readers: &Readers,
        summary: &mut Summary,
        sink: &mut Sink<'_>,
    ) -> io::Result<bool> {
        if self.tries == 0 || !may_begin(line) {
            return Ok(false);
        }
        let mut end = End::of(line[0]);
        let mut text = line.to_vec();
        let mut ended = end.feed(&text);
        let mut more = Vec::new();
        while ended.is_none() && text.len() < HEAD {
            let mut next = Vec::new();
            if !input.next(&mut next)? {
                break;
            }
            ended = end.feed(&next).map(|at| text.len() + at);
            text.extend_from_slice(&next);
            more.push(next);
        }
        let own = ended.unwrap_or(text.len());
        let Some(mut document) = Reading::of(&text[..own], readers) else {
            self.tries -= 1;
            input.give_back(more);
            return Ok(false);
        };
        let ends = |line: &[u8]| u64::from(line.last() == Some(&b'\n'));
        let mut lines = ends(line) + more.iter().map(|line| ends(line)).sum::<u64>();
        let mut is_open = text.last() != Some(&b'\n');
        document.bytes(&text[..own], sink);
        let mut left = text.split_off(own);
        let mut next = Vec::new();
        while ended.is_none() && input.next(&mut next)? {
            lines += ends(&next);
            is_open = ends(&next) == 0;
            ended = end.feed(&next);
            let own = ended.unwrap_or(next.len());
            document.bytes(&next[..own], sink);
            left = next.split_off(own);
        }
        document.usage.lines = lines + u64::from(is_open);
        summary.lines += document.usage.lines - 1;
        if !left.trim_ascii().is_empty() {
            input.give_back(vec![left]);
        }
        document.end(summary, sink);
        Ok(true)
    }
}

/// Whether a line looks like the beginning of a document: not `[ 12%] Building`.
fn may_begin(line: &[u8]) -> bool {
    let rest = line.get(1..).unwrap_or_default();
    let next = rest.trim_ascii().first();
    match line.first() {
        Some(b'{') => matches!(next, None | Some(b'"')),
        Some(b'[') => matches!(next, None | Some(b'{')),
        Some(b'<') => rest
            .first()
            .is_some_and(|b| *b == b'?' || b.is_ascii_alphabetic()),
        _ => false,
    }
}
