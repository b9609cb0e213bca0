//! What stands before every line of a log and is not the tool's: the time stamps of
//! GitHub, GitLab, docker, journalctl and `ts`.
//!
//! They are left out only where every line of the file's beginning has one of the same
//! kind, blank lines and the journal's own (`-- Boot …`) excepted. A later line without
//! one is taken as it is.

use std::io::{self, BufRead, Read};

/// Lines that must agree, at least: a single line may begin with a time by itself.
const FEWEST: usize = 2;

/// How much of a line is looked at: a prefix is shorter.
const LOOK: usize = 512;

/// A kind of prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `gh run view --log`: job, step and time between tabs.
    Job,
    /// GitLab: a time, the stream and whether the line goes on.
    GitLab,
    /// journalctl's and syslog's: a time, a host and a program.
    Journal,
    /// A time alone: GitHub's, docker's, `ts`.
    Time,
}

const ALL: [Prefix; 4] = [Prefix::Job, Prefix::GitLab, Prefix::Journal, Prefix::Time];

impl Prefix {
    /// The kind that every line of a file's beginning has.
    pub fn of(head: &[u8], whole: bool) -> Option<Self> {
        let head = crate::text::without_bom(head);
        // The last line may be cut off.
        let end = match whole {
            true => head.len(),
            false => head.iter().rposition(|b| *b == b'\n')?,
        };
        let lines = || {
            let lines = head[..end].split(|byte| *byte == b'\n');
            lines.filter(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"-- "))
        };
        (lines().take(FEWEST).count() == FEWEST)
            .then(|| {
                ALL.into_iter()
                    .find(|kind| lines().all(|l| kind.length(l).is_some()))
            })
            .flatten()
    }

    /// What it is, for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Job => "job, step and time stamp",
            Self::GitLab => "GitLab's time stamp and stream",
            Self::Journal => "time stamp, host and program",
            Self::Time => "a time stamp",
        }
    }

    /// The length of the prefix of a line.
    fn length(self, line: &[u8]) -> Option<usize> {
        let line = &line[..line.len().min(LOOK)];
        let mut at = At { line, at: 0 };
        match self {
            Self::Job => {
                at.field()?;
                at.field()?;
                at.iso()?;
                at.blank()?;
            }
            Self::GitLab => {
                at.iso()?;
                at.one(b" ")?;
                at.digits(2, 2)?;
                at.one(b"OE")?;
                // Before an empty line nothing follows.
                if at.rest().is_some() {
                    at.one(b" +")?;
                }
            }
            Self::Journal => {
                at.time()?;
                at.one(b" ")?;
                at.word(b"")?;
                at.one(b" ")?;
                at.word(b":")?;
                at.one(b":")?;
                at.blank()?;
            }
            Self::Time => {
                at.time()?;
                at.blank()?;
            }
        }
        Some(at.at)
    }
}

/// A place in a line.
struct At<'a> {
    line: &'a [u8],
    at: usize,
}

impl At<'_> {
    fn rest(&self) -> Option<u8> {
        self.line.get(self.at).copied().filter(|b| *b != b'\r')
    }

    fn one(&mut self, of: &[u8]) -> Option<()> {
        let found = of.contains(self.line.get(self.at)?);
        self.at += usize::from(found);
        found.then_some(())
    }

    /// One blank, or the end of the line.
    fn blank(&mut self) -> Option<()> {
        match self.rest() {
            None => Some(()),
            Some(_) => self.one(b" "),
        }
    }

    fn digits(&mut self, least: usize, most: usize) -> Option<()> {
        let rest = &self.line[self.at..];
        let count = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += count;
        (least..=most).contains(&count).then_some(())
    }

    /// `.123` or `,123`, if it is there.
    fn fraction(&mut self) -> Option<()> {
        match self.one(b".,") {
            Some(()) => self.digits(1, 9),
            None => Some(()),
        }
    }

    fn field(&mut self) -> Option<()> {
        let rest = &self.line[self.at..];
        let length = rest.iter().position(|b| *b == b'\t')?;
        self.at += length + 1;
        (length > 0).then_some(())
    }

    /// A word up to a blank or one of `ends`.
    fn word(&mut self, ends: &[u8]) -> Option<()> {
        let rest = &self.line[self.at..];
        let length = rest.iter().position(|b| *b == b' ' || ends.contains(b))?;
        self.at += length;
        (length > 0).then_some(())
    }

    /// `12:34:56.789`.
    fn clock(&mut self) -> Option<()> {
        self.digits(2, 2)?;
        self.one(b":")?;
        self.digits(2, 2)?;
        self.one(b":")?;
        self.digits(2, 2)?;
        self.fraction()
    }

    /// `2026-11-22T18:26:39.123Z` (RFC 3339), with a blank for the T as well.
    fn iso(&mut self) -> Option<()> {
        self.digits(4, 4)?;
        self.one(b"-")?;
        self.digits(2, 2)?;
        self.one(b"-")?;
        self.digits(2, 2)?;
        self.one(b"T ")?;
        self.clock()?;
        if self.one(b"Z").is_none() && self.one(b"+-").is_some() {
            self.digits(2, 4)?;
            if self.one(b":").is_some() {
                self.digits(2, 2)?;
            }
        }
        Some(())
    }

    /// Any of the forms, in brackets or not.
    fn time(&mut self) -> Option<()> {
        let start = self.at;
        let bracket = self.one(b"[").is_some();
        let inside = self.at;
        let forms = [Self::iso, Self::month, Self::clock, Self::seconds];
        forms.iter().find_map(|form| {
            self.at = inside;
            form(self)?;
            match bracket {
                true => self.one(b"]"),
                // Seconds alone are any number.
                false => Some(()),
            }
        })?;
        let text = &self.line[start..self.at];
        // `12.5` is a figure, `[   12.500000]` and `1700000000.1` are times.
        let number = text.iter().all(|b| b.is_ascii_digit() || *b == b'.');
        (!number || text.iter().take_while(|b| b.is_ascii_digit()).count() == 10).then_some(())
    }

    /// `Nov 22 18:26:39`.
    fn month(&mut self) -> Option<()> {
        let name = self.line.get(self.at..self.at + 3)?;
        const NAMES: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
        NAMES.chunks(3).find(|known| *known == name)?;
        self.at += 3;
        self.one(b" ")?;
        let _ = self.one(b" ");
        self.digits(1, 2)?;
        self.one(b" ")?;
        self.clock()
    }

    /// `1700000000.123`, `   12.345678`.
    fn seconds(&mut self) -> Option<()> {
        while self.one(b" ").is_some() {}
        self.digits(1, 10)?;
        self.one(b".")?;
        self.digits(1, 9)
    }
}

/// A stream without the prefixes of its lines.
pub struct Stripped<R> {
    inner: R,
    prefix: Prefix,
    /// Read and not yet taken, from `at` on.
    line: Vec<u8>,
    at: usize,
    /// Whether the next byte begins a line.
    begins: bool,
    /// Bytes left out.
    pub removed: u64,
}

impl<R: BufRead> Stripped<R> {
    pub fn new(inner: R, prefix: Prefix) -> Self {
        Self {
            inner,
            prefix,
            line: Vec::new(),
            at: 0,
            begins: true,
            removed: 0,
        }
    }
}

impl<R: BufRead> BufRead for Stripped<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at >= self.line.len() {
            self.line.clear();
            self.at = 0;
            // A long line comes in pieces, of which the first one has the prefix.
            let mut piece = (&mut self.inner).take(16 << 10);
            if piece.read_until(b'\n', &mut self.line)? == 0 {
                break;
            }
            if self.begins {
                let line = crate::text::without_bom(&self.line);
                let bom = self.line.len() - line.len();
                let line = line.strip_suffix(b"\n").unwrap_or(line);
                if let Some(length) = self.prefix.length(line) {
                    self.at = bom + length;
                    self.removed += self.at as u64;
                }
            }
            self.begins = self.line.last() == Some(&b'\n');
        }
        Ok(&self.line[self.at.min(self.line.len())..])
    }

    fn consume(&mut self, amount: usize) {
        self.at = (self.at + amount).min(self.line.len());
    }
}

impl<R: BufRead> Read for Stripped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_s_time_stamps_are_known() {
        for (line, kind) in [
            ("2026-11-22T18:26:39.1234567Z ok 1 - a", Prefix::Time),
            (
                "build\tRun tests\t2026-11-22T18:26:39.1234567Z ok 1 - a",
                Prefix::Job,
            ),
            ("2026-11-22T18:26:39.123456Z 00O ok 1 - a", Prefix::GitLab),
            ("2026-11-22T18:26:39.123456Z 01E+ok 1 - a", Prefix::GitLab),
            ("Nov 22 18:26:39 host ci[4711]: ok 1 - a", Prefix::Journal),
            (
                "Nov  2 18:26:39.123456 host kernel: ok 1 - a",
                Prefix::Journal,
            ),
            (
                "2026-11-22T18:26:39+0000 host ci[1]: ok 1 - a",
                Prefix::Journal,
            ),
            ("[ 1234.567890] host ci[4711]: ok 1 - a", Prefix::Journal),
            ("Nov 22 18:26:39 ok 1 - a", Prefix::Time),
            ("[2026-11-22 18:26:39] ok 1 - a", Prefix::Time),
            ("00:00:01 ok 1 - a", Prefix::Time),
            ("1763836000.123456 ok 1 - a", Prefix::Time),
            ("[12:34:56] ok 1 - a", Prefix::Time),
        ] {
            let text = format!("{line}\n\n{line}\n");
            assert_eq!(Prefix::of(text.as_bytes(), true), Some(kind), "{line}");
            let mut out = String::new();
            let mut stripped = Stripped::new(text.as_bytes(), kind);
            stripped.read_to_string(&mut out).expect("memory");
            assert_eq!(out, "ok 1 - a\n\nok 1 - a\n", "{line}");
        }
    }

    #[test]
    fn what_only_some_lines_have_stays() {
        for text in [
            "2026-11-22T18:26:39Z a\nb\n",
            "12.5 GB/s\n13.5 GB/s\n",
            "2026-11-22T18:26:39Z one line\n",
            "2026-11-22,1\n2026-11-23,2\n",
            "",
        ] {
            assert_eq!(Prefix::of(text.as_bytes(), true), None, "{text}");
        }
    }
}
