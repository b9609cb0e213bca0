//! A log's bytes, line by line.

use memchr::memchr;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// How much of a line is read; the rest is skipped, and the line counted as cut.
pub const LONGEST: usize = 64 << 10;

/// How much of a file is looked at to recognise it.
pub const HEAD: usize = 64 << 10;

/// Lines of a stream, some of which were given back.
pub struct Input<'a> {
    stream: &'a mut dyn BufRead,
    given_back: VecDeque<Vec<u8>>,
    /// Bytes that were read.
    pub bytes: u64,
}

impl<'a> Input<'a> {
    pub fn new(stream: &'a mut dyn BufRead) -> Self {
        Self {
            stream,
            given_back: VecDeque::new(),
            bytes: 0,
        }
    }

    /// Reads a line with its end into `line`, but no more than one byte above [`LONGEST`];
    /// whether there is one.
    pub fn next(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        if let Some(back) = self.given_back.pop_front() {
            *line = back;
            return Ok(true);
        }
        // One more byte, so that a line of exactly this length keeps its end.
        let mut limited = (&mut *self.stream).take(LONGEST as u64 + 1);
        let read = read_line(&mut limited, line)?;
        self.bytes += read as u64;
        Ok(read > 0)
    }

    /// Lines that come again, before all others.
    pub fn give_back(&mut self, lines: Vec<Vec<u8>>) {
        for line in lines.into_iter().rev() {
            self.given_back.push_front(line);
        }
    }

    /// Skips to behind the next line end; how many bytes. They are added to `sum`.
    pub fn skip_line(&mut self, sum: &mut u64) -> io::Result<u64> {
        let skipped = skip_line(self.stream, sum)?;
        self.bytes += skipped;
        Ok(skipped)
    }
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

/// Without NUL bytes: a log that was rotated under its writer begins with them, and
/// UTF-16 of plain letters is nothing but letters and NULs.
pub fn without_nul(raw: &[u8]) -> Cow<'_, [u8]> {
    if !raw.contains(&0) {
        return Cow::Borrowed(raw);
    }
    let marks = [&b"\xff\xfe"[..], b"\xfe\xff"];
    let found = marks.iter().find_map(|mark| raw.strip_prefix(*mark));
    let text = found.unwrap_or(raw);
    Cow::Owned(text.iter().copied().filter(|byte| *byte != 0).collect())
}
