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
        "bats" => &["tap"],
        "boost" => &["boost", "junit"],
        "catch2" => &["catch2", "junit"],
        "check" => &["check"],
        "compiler" | "crash" => &[],
        "counters" => &["google-benchmark", "hyperfine"],
        "ctest" => &["ctest"],
        "divan" => &["divan"],
        "doctest" => &["doctest", "junit"],
        "fio" => &["fio"],
        "firedancer" => &["firedancer"],
        "ginkgo" => &["ginkgo", "go"],
        "go" => &["go"],
        "gtest" | "cmocka" => &["gtest", "junit"],
        "hyperfine" => &["hyperfine"],
        "iperf3" => &["iperf3"],
        "jest" => &["jest"],
        "jmh" => &["jmh"],
        "junit" => &["junit"],
        "k6" => &["k6"],
        "libtest" => &["libtest"],
        // What its tests print is TAP.
        "meson" => &["meson", "junit", "tap"],
        "minitest" => &["minitest"],
        "mocha" => &["mocha"],
        "nextest" => &["nextest", "libtest"],
        "node" => &["node"],
        "oha" => &["oha"],
        "openssl" => &["openssl"],
        "perf" | "perf-bench" => &["perf"],
        "pyperf" => &["pyperf"],
        "pytest" => &["pytest"],
        "redis" => &["redis-benchmark"],
        "rspec" => &["rspec"],
        "surefire" => &["surefire"],
        "sysbench" => &["sysbench"],
        "tap" => &["tap"],
        "time" => &["time"],
        "unittest" => &["unittest"],
        "valgrind" => &["valgrind", "tap"],
        "vitest" => &["vitest", "jest", "tap"],
        "zig" => &["zig"],
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
