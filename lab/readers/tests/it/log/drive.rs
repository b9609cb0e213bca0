//! Lines as logs have them: long, foreign, torn, mixed.

use super::{events, events_of, sample};
use karat_model::log::Event;
use karat_readers::log::{LONGEST, Readers, read};
use std::io::{BufReader, Read};

/// The events of the libtest sample, which the log around it must not change.
fn within(before: &[u8], after: &[u8]) -> Vec<Event> {
    let text = [before, &sample("log/libtest/cargo-test.txt"), after].concat();
    events_of(&text, &Readers::all()).0
}

#[test]
fn what_stands_around_changes_nothing() {
    let plain = within(b"", b"");
    assert!(plain.len() > 10);
    assert_eq!(within("\u{feff}".as_bytes(), b""), plain);
    assert_eq!(
        within(b"\xff\xfe\x00\x80 garbage \xc3(\n\0\0\0\n", b"\n\0\xff"),
        plain
    );
    // A tool that appears far behind the part that is looked at first.
    let far = "nothing of interest here\n".repeat(20_000);
    assert_eq!(within(far.as_bytes(), b""), plain);
}

#[test]
fn line_ends_and_encodings_of_windows() {
    let text = sample("log/libtest/cargo-test.txt");
    let plain = within(b"", b"");
    let crlf = String::from_utf8(text.clone())
        .expect("UTF-8")
        .replace('\n', "\r\n");
    assert_eq!(events_of(crlf.as_bytes(), &Readers::all()).0, plain);
    let mut utf16 = vec![0xff, 0xfe];
    for unit in String::from_utf8(text).expect("UTF-8").encode_utf16() {
        utf16.extend(unit.to_le_bytes());
    }
    assert_eq!(events_of(&utf16, &Readers::all()).0, plain);
}

#[test]
fn long_lines_are_cut_and_counted() {
    let mut text = vec![b'x'; 10 << 20];
    text.extend(b"\nRun 1: 5M ops/s\n");
    let exact = text.len();
    text.extend(vec![b'y'; LONGEST]);
    text.extend(b"\nRun 2: 6M ops/s");
    let (events, summary) = events_of(&text, &Readers::all());
    assert_eq!(events.len(), 2);
    assert_eq!((summary.lines, summary.cut.lines), (4, 1));
    assert_eq!(summary.bytes, text.len() as u64);
    assert!(exact < text.len());
}

#[test]
fn nothing_kept_of_a_line_is_long() {
    let long = "z".repeat(60_000);
    let text = format!(
        "WARNING 01-29 12:34:56.000001 main      a.c(7): {long}\n\
         warning: {long}\n --> {long}:3:4\n\
         bench {long}\n--- FAIL: {long} (0.1s)\nthread 'main' panicked at {long}\n"
    );
    let (events, _) = events_of(text.as_bytes(), &Readers::all());
    assert!(events.len() >= 4, "{}", events.len());
    for event in &events {
        assert!(super::shown(event).len() < 5000);
    }
}

/// Gives one byte at a time, as the slowest pipe would.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn pieces_of_any_size_are_read_alike() {
    for name in [
        "log/junit/surefire.xml",
        "log/pytest/verbose.txt",
        "log/tap/node.txt",
    ] {
        let text = sample(name);
        let mut found = Vec::new();
        let mut stream = BufReader::with_capacity(1, Trickle(&text));
        read(&mut stream, &Readers::all(), &mut |event| found.push(event)).expect("readable");
        assert_eq!(found, events(name), "{name}");
    }
}

#[test]
fn lines_of_several_tools_may_alternate() {
    let one = String::from_utf8(sample("log/firedancer/lthash-stderr.txt")).expect("UTF-8");
    let other = String::from_utf8(sample("google-benchmark/console.txt")).expect("UTF-8");
    let mut mixed = String::new();
    let (mut a, mut b) = (one.lines(), other.lines());
    loop {
        match (a.next(), b.next()) {
            (None, None) => break,
            (x, y) => {
                for line in [x, y].into_iter().flatten() {
                    mixed.push_str(line);
                    mixed.push('\n');
                }
            }
        }
    }
    let mut apart = [
        events("log/firedancer/lthash-stderr.txt"),
        events("google-benchmark/console.txt"),
    ]
    .concat()
    .iter()
    .map(super::shown)
    .collect::<Vec<_>>();
    let mut together: Vec<String> = events_of(mixed.as_bytes(), &Readers::all())
        .0
        .iter()
        .map(super::shown)
        .collect();
    apart.sort();
    together.sort();
    assert_eq!(apart, together);
}

#[test]
fn facts_are_told_once() {
    let (events, _) = events_of(&b"gcc version 12.2.0\n".repeat(3), &Readers::all());
    assert_eq!(events.len(), 1);
}

#[test]
fn ordinary_text_says_nothing() {
    let text = "\
2026-11-20T15:18:45Z INFO server: listening on 127.0.0.1:8080
2026-11-20 15:18:45 request took 15 ms, 3 tests of the connection ok
The test of time ... ok
10:15:30: error counts are low
test the waters
ok then, 1 more thing
not ok with me
Time: 15 o'clock
100%: done
FAIL fast is a motto
OK computer
running late tests
commit to the plan
";
    let (mut events, _) = events_of(text.as_bytes(), &Readers::all());
    events.retain(|event| !matches!(event, Event::Unread(_)));
    assert_eq!(events, []);
}

/// Documents of every kind of reader, by their samples.
const DOCUMENTS: &[&str] = &[
    "google-benchmark/run.json",
    "hyperfine/list.json",
    "jmh/run.json",
    "pytest-benchmark/run.json",
    "log/jest/fail.json",
    "log/junit/pytest.xml",
    "log/junit/surefire.xml",
    "log/catch2/fail.xml",
    "log/boost/fail-log.xml",
    "log/check/fail.xml",
    "log/valgrind/memcheck-bad.xml",
];

#[test]
fn documents_stand_among_lines() {
    let libtest = String::from_utf8(sample("log/libtest/quiet-good.txt")).expect("UTF-8");
    let lines = events_of(libtest.as_bytes(), &Readers::all()).0;
    for name in DOCUMENTS {
        let document = String::from_utf8(sample(name)).expect("UTF-8");
        let document = document.trim();
        let (alone, _) = events_of(document.as_bytes(), &Readers::all());
        assert!(!alone.is_empty(), "{name}");
        for (text, expected) in [
            (
                format!("{libtest}{document}\n"),
                [&lines[..], &alone].concat(),
            ),
            (
                format!("{document}\n{libtest}"),
                [&alone[..], &lines].concat(),
            ),
            (
                format!("$ make bench\n{document}\n\nall is done\n{document}\n"),
                [&alone[..], &alone].concat(),
            ),
            (
                format!("{document}\n{document}\n"),
                [&alone[..], &alone].concat(),
            ),
        ] {
            let (mut events, summary) = events_of(text.as_bytes(), &Readers::all());
            assert_eq!(summary.problems, [""; 0], "{name}");
            assert_eq!(summary.bytes, text.len() as u64, "{name}");
            // Tools of lines tell their last events when all is read.
            let key = |event: &Event| format!("{event:?}");
            let mut expected = expected;
            expected.sort_by_key(key);
            events.sort_by_key(key);
            // A fact is told once a log.
            expected.dedup_by(|a, b| matches!(a, Event::Fact(_)) && a == b);
            assert_eq!(events, expected, "{name}");
        }
        // What is cut off is said, wherever it begins.
        let cut = format!("$ make bench\n{}\n", &document[..document.len() - 3]);
        let (_, summary) = events_of(cut.as_bytes(), &Readers::all());
        assert_eq!(summary.problems.len(), 1, "{name}");
    }
}

#[test]
fn a_long_document_may_be_one_line() {
    let document = String::from_utf8(sample("hyperfine/list.json")).expect("UTF-8");
    let value: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    let more = ", 0.01".repeat(LONGEST);
    let long = value
        .to_string()
        .replacen("\"times\":[", &format!("\"times\":[0.01{more},"), 1);
    assert!(long.len() > 2 * LONGEST);
    let text = format!("a line\n{long}\nRun 1: 5M ops/s\n");
    let (events, summary) = events_of(text.as_bytes(), &Readers::all());
    assert_eq!(summary.problems, [""; 0]);
    assert_eq!((events.len(), summary.lines, summary.cut.lines), (3, 3, 0));
}

#[test]
fn brackets_begin_no_documents() {
    let lines = "{ not JSON\n[ 12%] Building\n[\n<b>\n{\n{\"a\": 1}\n".repeat(200);
    let text = format!("{lines}Run 1: 5M ops/s\n");
    let (events, summary) = events_of(text.as_bytes(), &Readers::all());
    assert_eq!(events.len(), 1);
    assert_eq!((summary.lines, summary.bytes), (1201, text.len() as u64));
}
