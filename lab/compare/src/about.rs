//! Why nothing could be read of a log, and what to do about it.

use super::collect::Side;
use karat_model::compare::Shape;
use serde::de::IgnoredAny;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;

/// How much of a file is looked at.
const LOOK: u64 = 64 << 10;

/// Files that are told of.
const TOLD: usize = 3;

/// What is wrong with the logs of a side of which nothing was read, a sentence each.
#[must_use]
pub fn about(side: &Side) -> Vec<String> {
    let files = || side.files().iter();
    let mut out = Vec::new();
    let empty = files().filter(|file| file.bytes == 0).take(TOLD);
    out.extend(empty.map(|file| format!("{} is empty", file.path)));
    let problems = side.problems().iter().take(TOLD);
    out.extend(problems.cloned());
    let cut = side.cut().iter().take(TOLD);
    out.extend(cut.map(|cut| format!("{cut}: let the tool end its lines")));
    if out.is_empty() {
        let known = files().take(TOLD).filter_map(|file| {
            let what = file_says(Path::new(&file.path))?;
            Some(format!("{} {what}", file.path))
        });
        out.extend(known);
    }
    let tests: u64 = files().map(|file| file.unread.tests).sum();
    let first = side.unread.iter().find(|line| line.shape == Shape::Test);
    if let Some(first) = first {
        let lines = match tests {
            1 => "1 line looks like the outcome of a test".to_owned(),
            n => format!("{n} lines look like outcomes of tests"),
        };
        out.push(format!(
            "{lines}, such as `{}`, but no reader knows their tool: let it write JUnit XML or TAP",
            first.text
        ));
    }
    out
}

/// What a file's bytes say; none if they look like any text.
fn file_says(path: &Path) -> Option<String> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut head = Vec::new();
    let file = File::open(path).ok()?;
    file.take(LOOK).read_to_end(&mut head).ok()?;
    if let Some(what) = no_text(&head) {
        return Some(what.to_owned());
    }
    let text = head.trim_ascii_start();
    match text.first() {
        Some(b'{' | b'[') => json(path).or_else(|| prefixed(&head)),
        Some(b'<') => Some(
            "is XML, but of no tool that karat reads; JUnit's is, which most runners can write"
                .to_owned(),
        ),
        _ => returns(&head).or_else(|| prefixed(&head)),
    }
}

/// What a file is if it is no text: compressed, or bytes that no tool prints.
fn no_text(head: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &str); 5] = [
        (
            b"\x1f\x8b",
            "is compressed by gzip: unpack it first (`gunzip`)",
        ),
        (
            b"\x28\xb5\x2f\xfd",
            "is compressed by zstd: unpack it first (`unzstd`)",
        ),
        (b"\xfd7zXZ", "is compressed by xz: unpack it first (`unxz`)"),
        (
            b"BZh",
            "is compressed by bzip2: unpack it first (`bunzip2`)",
        ),
        (b"PK\x03\x04", "is a zip archive: unpack it first (`unzip`)"),
    ];
    if let Some((_, what)) = known.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(what);
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some("is UTF-16: convert it first (`iconv -f UTF-16 -t UTF-8`)");
    }
    let is_odd = |byte: &u8| matches!(byte, 1..=6 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    let odd = head.iter().filter(|byte| is_odd(byte)).count();
    if odd * 20 > head.len() {
        return Some("is no text");
    }
    let zeros = "has bytes of zero, which no tool prints: it is no text, or was cut while it grew";
    head.contains(&0).then_some(zeros)
}

/// Of a file that begins like JSON: cut off, another tool's, or none.
fn json(path: &Path) -> Option<String> {
    let size = fs::metadata(path).ok()?.len();
    let file = BufReader::new(File::open(path).ok()?);
    let mut values = serde_json::Deserializer::from_reader(file).into_iter::<IgnoredAny>();
    match values.next()? {
        Ok(_) => Some(
            "is JSON, but of no tool and form that karat reads: `karat compare` reads those of \
             its page's list (docs/compare.md)"
                .to_owned(),
        ),
        Err(error) if error.is_eof() => Some(format!(
            "is JSON that is cut off: it ends at byte {size}, before what it began is closed; let \
             the tool write it again"
        )),
        // `[12:34] name` is no JSON at all.
        Err(error) if error.line() == 1 && error.column() < 40 => None,
        Err(error) => Some(format!("begins like JSON and is none: {error}")),
    }
}

/// Whether lines end in carriage returns alone.
fn returns(head: &[u8]) -> Option<String> {
    let returns = head.iter().filter(|byte| **byte == b'\r').count();
    (returns > 1 && !head.contains(&b'\n')).then(|| {
        "has carriage returns and no line ends: all of it is one line, overwritten again and \
         again; `tr '\\r' '\\n'` makes lines of it"
            .to_owned()
    })
}

/// Lines that must agree, at least, to be told of.
const FEWEST: usize = 3;

/// What every line begins with, digits taken for equal, if that is more than a sign.
fn prefixed(head: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first: Vec<char> = lines.next()?.chars().collect();
    let mut length = first.len();
    let mut count = 1;
    for line in lines.take(200) {
        let same = |(a, b): &(&char, char)| **a == *b || a.is_ascii_digit() && b.is_ascii_digit();
        let alike = first.iter().zip(line.chars()).take_while(same).count();
        length = length.min(alike);
        count += 1;
    }
    // A word that all begin with is cut before its first letter.
    while length > 0 && first[length - 1].is_alphanumeric() {
        length -= 1;
    }
    (count >= FEWEST && length >= 2).then(|| {
        let prefix: String = first[..length].iter().collect();
        format!(
            "has lines that all begin like `{prefix}`: if that is not their tool's, cut it off \
             first (`cut -c {}-`)",
            length + 1
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_lines_begin_with_is_told() {
        let cut = |text: &str| prefixed(text.as_bytes());
        let lines = "[+  12ms] ok 1\n[+  13ms] ok 2\n\n[+ 104ms] 1..2\n";
        assert!(cut(lines).is_some_and(|said| said.contains("`[+ `")));
        let lines = "     1\trunning\n     2\ttest a\n     3\tend\n";
        assert!(cut(lines).is_some_and(|said| said.contains("`cut -c 8-`")));
        let lines = "[pod/a] x\n[pod/a] y\n[pod/a] z\n";
        assert!(cut(lines).is_some_and(|said| said.contains("`[pod/a] `")));
        assert_eq!(cut("one\ntwo\nthree\n"), None);
        assert_eq!(cut("test a\ntest b\n"), None);
    }

    #[test]
    fn carriage_returns_alone_are_told() {
        assert!(returns(b"a\rb\rc").is_some());
        assert!(returns(b"a\rb\rc\n").is_none());
    }
}
