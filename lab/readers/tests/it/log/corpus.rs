//! All samples: no reader takes another's lines, and none of a runner's own lines is left
//! that looks like a test.

use super::{events_of, sample, samples};
use karat_model::compare::Shape;
use karat_model::log::Event;
use karat_readers::log::Readers;

/// Readers of lines that any log may have.
const ANYWHERE: &[&str] = &["annotations", "compiler", "crash", "environment"];

/// The readers that may take something of a folder's samples.
fn may(folder: &str) -> &'static [&'static str] {
    match folder {
        "ab" => &["ab"],
        "bazel" => &["bazel"],
        "catch2" => &["catch2", "junit"],
        "compiler" | "crash" => &[],
        "counters" => &["google-benchmark", "hyperfine"],
        "ctest" => &["ctest"],
        "doctest" => &["doctest", "junit"],
        "fio" => &["fio"],
        "firedancer" => &["firedancer"],
        "go" => &["go"],
        "gtest" | "cmocka" => &["gtest", "junit"],
        "iperf3" => &["iperf3"],
        "jest" => &["jest"],
        "jmh" => &["jmh"],
        "junit" => &["junit"],
        "k6" => &["k6"],
        "libtest" => &["libtest"],
        "meson" => &["meson", "junit"],
        "mocha" => &["mocha"],
        "nextest" => &["nextest", "libtest"],
        "node" => &["node"],
        "oha" => &["oha"],
        "openssl" => &["openssl"],
        "perf" => &["perf"],
        "pytest" => &["pytest"],
        "redis" => &["redis-benchmark"],
        "rspec" => &["rspec"],
        "surefire" => &["surefire"],
        "sysbench" => &["sysbench"],
        "tap" => &["tap"],
        "time" => &["time"],
        "valgrind" => &["valgrind", "tap"],
        "vitest" => &["vitest", "jest", "tap"],
        "wrk" => &["wrk"],
        // Written by hand, of several tools.
        "source" => &[],
        other => panic!("no readers are named for the samples of {other}"),
    }
}

#[test]
fn no_reader_takes_anothers_lines() {
    let mut seen = 0;
    for name in samples() {
        let Some((folder, file)) = name.strip_prefix("log/").and_then(|n| n.split_once('/')) else {
            continue;
        };
        let (events, summary) = events_of(&sample(&name), &Readers::all());
        if folder != "source" {
            for used in &summary.used {
                let known = may(folder).contains(&used.reader) || ANYWHERE.contains(&used.reader);
                assert!(known, "{} takes lines of {folder}/{file}", used.reader);
            }
            seen += 1;
        }
        for event in events {
            if let Event::Unread(line) = event {
                assert_ne!(line.shape, Shape::Test, "{folder}/{file}: {}", line.text);
            }
        }
    }
    assert!(seen > 90, "{seen} samples");
}
