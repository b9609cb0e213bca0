//! What stands before every line of a log and is not the tool's: the time stamps of
//! GitHub, GitLab, Jenkins, docker, Kubernetes, journalctl, syslog, loggers and `ts`, and
//! the containers' names of docker compose.
//!
//! They are left out only where every line of the file's beginning has one of the same
//! kind, blank lines and the journal's own (`-- Boot …`) excepted. A later line without
//! one is taken as it is.

use super::stamp::At;
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
    /// Syslog's newer form (RFC 5424).
    Syslog,
    /// Kubernetes' (CRI): a time, the stream and whether the line goes on.
    Container,
    /// glog's and klog's: level, day, time, thread and place.
    Glog,
    /// A time and the level INFO or DEBUG. Graver levels are no mere prefix.
    Level,
    /// A time and two blanks: Jenkins'.
    WideTime,
    /// A time alone: GitHub's, docker's, `ts`.
    Time,
    /// docker compose's: a container, and perhaps a time.
    Compose,
}

/// In this order: what is more is asked for first.
const ALL: [Prefix; 10] = [
    Prefix::Job,
    Prefix::GitLab,
    Prefix::Journal,
    Prefix::Syslog,
    Prefix::Container,
    Prefix::Glog,
    Prefix::Level,
    Prefix::WideTime,
    Prefix::Time,
    Prefix::Compose,
];

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
                ALL.into_iter().find(|kind| {
                    let all = || lines().all(|l| kind.length(l).is_some());
                    all() && (*kind != Self::Journal || is_journal(lines()))
                })
            })
            .flatten()
    }

    /// What it is, for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Job => "job, step and time stamp",
            Self::GitLab => "GitLab's time stamp and stream",
            Self::Journal | Self::Syslog => "time stamp, host and program",
            Self::Container => "a time stamp and its stream",
            Self::Glog => "level, time stamp and place",
            Self::Level => "a time stamp and a level",
            Self::WideTime | Self::Time => "a time stamp",
            Self::Compose => "a container's name",
        }
    }

    /// The length of the prefix of a line.
    fn length(self, line: &[u8]) -> Option<usize> {
        let line = &line[..line.len().min(LOOK)];
        let mut at = At { line, at: 0 };
        at.colours();
        match self {
            Self::Job => {
                at.field()?;
                at.field()?;
                // A step's first line has a byte order mark here.
                let _ = at.text("\u{feff}".as_bytes());
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
                if at.one(b"<").is_some() {
                    at.digits(1, 3)?;
                    at.one(b">")?;
                }
                at.time()?;
                at.one(b" ")?;
                // A host's name has no such sign.
                at.word(b":%()[]=,\"'")?;
                at.one(b" ")?;
                at.word(b":")?;
                at.one(b":")?;
                at.blank()?;
            }
            Self::Syslog => {
                at.one(b"<")?;
                at.digits(1, 3)?;
                at.text(b">1 ")?;
                at.iso()?;
                for _ in 0..4 {
                    at.one(b" ")?;
                    at.word(b"")?;
                }
                at.text(b" - ").or_else(|| at.text(b" -"))?;
            }
            Self::Container => {
                at.iso()?;
                at.text(b" stdout ").or_else(|| at.text(b" stderr "))?;
                at.one(b"FP")?;
                at.blank()?;
            }
            Self::Glog => {
                // Graver levels (W, E, F) are no mere prefix.
                at.one(b"I")?;
                at.digits(4, 4)?;
                at.one(b" ")?;
                at.clock()?;
                while at.one(b" ").is_some() {}
                at.digits(1, 10)?;
                at.one(b" ")?;
                at.word(b"]")?;
                at.one(b"]")?;
                at.blank()?;
            }
            Self::Level => {
                at.time()?;
                at.level()?;
            }
            Self::WideTime => {
                // Behind a date, two blanks are a tool's own that indents all it prints.
                at.clock()?;
                at.blank()?;
                at.blank()?;
            }
            Self::Time => {
                at.time()?;
                at.blank()?;
            }
            Self::Compose => {
                at.container()?;
                let name = at.at;
                if at.iso().is_none() || at.blank().is_none() {
                    at.at = name;
                }
            }
        }
        Some(at.at)
    }
}

/// Whether what looks like host and program is that, and not a tool's own `word word: `:
/// some program's process has a number, or all lines are of one host and one program.
fn is_journal<'a>(lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut first = None;
    let (mut numbered, mut alike) = (false, true);
    for line in lines {
        let length = Prefix::Journal.length(line).unwrap_or(0);
        let prefix = line[..length].trim_ascii_end();
        let prefix = prefix.strip_suffix(b":").unwrap_or(prefix);
        numbered |= prefix.ends_with(b"]") || prefix.ends_with(b" kernel");
        let mut words = prefix.rsplit(|byte| *byte == b' ');
        let of = (words.next(), words.next());
        alike &= *first.get_or_insert(of) == of;
    }
    numbered || alike
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
            (
                "build\tRun tests\t\u{feff}2026-11-22T18:26:39.1234567Z ok 1 - a",
                Prefix::Job,
            ),
            ("2026/11/22 18:26:39 ok 1 - a", Prefix::Time),
            ("11/22/2026 06:26:39 PM ok 1 - a", Prefix::Time),
            (
                "\u{1b}[90m2026-11-22T18:26:39Z\u{1b}[0m ok 1 - a",
                Prefix::Time,
            ),
            ("18:26:39  ok 1 - a", Prefix::WideTime),
            ("2026-11-22 18:26:39,123 INFO ok 1 - a", Prefix::Level),
            ("2026-11-22 18:26:39,123 - INFO - ok 1 - a", Prefix::Level),
            ("[18:26:39] [debug] ok 1 - a", Prefix::Level),
            (
                "2026-11-22T18:26:39.123456789Z stdout F ok 1 - a",
                Prefix::Container,
            ),
            (
                "I1122 18:26:39.123456   12345 main.go:12] ok 1 - a",
                Prefix::Glog,
            ),
            ("<13>Nov 22 18:26:39 host ci: ok 1 - a", Prefix::Journal),
            (
                "<34>1 2026-11-22T18:26:39.003Z host ci - ID47 - ok 1 - a",
                Prefix::Syslog,
            ),
            ("web-1  | ok 1 - a", Prefix::Compose),
            (
                "web_1  | 2026-11-22T18:26:39.123Z ok 1 - a",
                Prefix::Compose,
            ),
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
    fn words_and_a_colon_are_no_host_and_program() {
        for text in [
            "Nov 22 18:26:39 Running suite(s): sums\nNov 22 18:26:39 100%: Checks: 2\n",
            "2026-11-22T18:26:39Z test adds: ok\n2026-11-22T18:26:39Z test takes: FAILED\n",
        ] {
            assert_eq!(
                Prefix::of(text.as_bytes(), true),
                Some(Prefix::Time),
                "{text}"
            );
        }
        let text = "Nov 22 18:26:39 host ci: a\nNov 22 18:26:39 host systemd[1]: b\n";
        assert_eq!(Prefix::of(text.as_bytes(), true), Some(Prefix::Journal));
    }

    #[test]
    fn graver_levels_stay() {
        let text = "2026-11-22 18:26:39 INFO a\n2026-11-22 18:26:40 ERROR b\n";
        assert_eq!(Prefix::of(text.as_bytes(), true), Some(Prefix::Time));
    }

    #[test]
    fn what_only_some_lines_have_stays() {
        for text in [
            "2026-11-22T18:26:39Z a\nb\n",
            "12.5 GB/s\n13.5 GB/s\n",
            "2026-11-22T18:26:39Z one line\n",
            "2026-11-22,1\n2026-11-23,2\n",
            // A table has no containers.
            "web | 12.5\ndb | 13.5\n",
            "1/2/2026\n1/3/2026\n",
            "",
        ] {
            assert_eq!(Prefix::of(text.as_bytes(), true), None, "{text}");
        }
    }
}
