//! Single readings that a snapshot would hide among many.

use super::{events, events_of};
use karat_model::log::{Event, Figure, Message};
use karat_model::units::Better;
use karat_readers::log::{Pattern, Readers};

fn figures(events: Vec<Event>) -> Vec<Figure> {
    let figures = events.into_iter().filter_map(|event| match event {
        Event::Figure(figure) => Some(figure),
        _ => None,
    });
    figures.collect()
}

fn messages(events: Vec<Event>) -> Vec<Message> {
    let messages = events.into_iter().filter_map(|event| match event {
        Event::Message(message) => Some(message),
        _ => None,
    });
    messages.collect()
}

#[test]
fn snips_count_what_was_not_printed() {
    let mut counts = std::collections::BTreeMap::new();
    for message in messages(events("log/source/snip.txt")) {
        *counts.entry(message.text).or_insert(0) += message.count;
    }
    // 1000 of one thread and one of the other; 20 of a log that ends in between.
    assert_eq!(counts["dropped a packet"], 1001);
    assert_eq!(counts["again"], 20);
}

/// CTest says what it starts before it says how the first came out.
#[test]
fn ctest_starts_tests_whatever_they_are_called() {
    let log = "\
Test project /b
    Start 1: ok
    Start 2: parse failed
1/2 Test #1: ok ...............................   Passed    0.00 sec
2/2 Test #2: parse failed .....................   Passed    0.01 sec

100% tests passed, 0 tests failed out of 2
";
    let (events, summary) = events_of(log.as_bytes(), &Readers::all());
    let tests = events.iter().filter(|e| matches!(e, Event::Test(_)));
    assert_eq!(tests.count(), 2);
    let unread = summary.unread;
    assert_eq!((unread.tests, unread.errors), (0, 0), "{unread:?}");
    // A line of another tool is not.
    let (_, summary) = events_of(b"    Start of it: ok\n", &Readers::all());
    assert_eq!(summary.unread.lines, 1);
}

#[test]
fn figures_behind_one_with_parameters_share_them() {
    let log = "\
NOTICE  01-29 12:34:56.000000 main      test_blake3.c(609): Benchmarking AVX512 backend (compress16)
NOTICE  01-29 12:34:56.000000 main      test_blake3.c(626):   ~38.910 Gbps throughput / core (par 16 sz 1024)
NOTICE  01-29 12:34:56.000000 main      test_blake3.c(627):   2.97e+05 * 16 blocks / second / core
NOTICE  01-29 12:34:56.000000 main      test_blake3.c(626):   ~27.657 Gbps throughput / core (par 16 sz 64)
NOTICE  01-29 12:34:56.000000 main      test_blake3.c(627):   3.38e+06 * 16 blocks / second / core
NOTICE  01-29 12:34:56.000000 main      test_blake3.c(633): Benchmarking AVX512 backend (LtHash)
NOTICE  01-29 12:34:56.000000 main      test_blake3.c(650):   2.52e+06 LtHash updates / second / core
";
    let figures = figures(events_of(log.as_bytes(), &Readers::all()).0);
    let sizes: Vec<_> = figures
        .iter()
        .map(|f| f.parameters.get("sz").cloned())
        .collect();
    let (kib, small) = (Some("1024".to_owned()), Some("64".to_owned()));
    assert_eq!(sizes, [kib.clone(), kib, small.clone(), small, None]);
    assert!(figures.iter().all(|f| f.better == Some(Better::Higher)));
    assert_eq!(figures[3].value, 3.38e6);
    assert_eq!(
        figures[3].section,
        "test_blake3: AVX512 backend (compress16)"
    );
}

#[test]
fn a_pattern_reads_before_all_others() {
    let log = b"Run 1: 5M ops/s\nbench sum (n=64): 1.5K widgets\nbench mul (n=8): 2 widgets\n";
    let expression = r"bench (?<name>\w+) \(n=(?<n>\d+)\): (?<value>[\d.]+K?) (?<unit>\w+)";
    let pattern = Pattern::new(expression).expect("a pattern");
    let (all, summary) = events_of(log, &Readers::all().with_pattern(pattern));
    assert_eq!(summary.used[0].reader, "pattern");
    let all = figures(all);
    assert_eq!(all.len(), 3);
    assert_eq!((all[1].value, all[1].unit.as_str()), (1500.0, "widgets"));
    assert_eq!(all[1].parameters["n"], "64");
    assert_eq!(all[2].better, None);
    // The line of another reader, and a direction of the user's own.
    let pattern = Pattern::new("Run 1: (?<value>5)(?<better>M)?").expect("a pattern");
    let found = figures(events_of(log, &Readers::all().with_pattern(pattern)).0);
    assert_eq!((found.len(), found[0].value), (1, 5.0));
}

#[test]
fn patterns_are_refused_with_what_to_do() {
    let problem = |expression: &str| Pattern::new(expression).expect_err("refused");
    assert!(problem("(").contains("cannot be used"));
    assert!(problem("(?<name>a)").contains("no group `value`"));
    assert!(problem("(?<value>a{1000}{1000}{1000})").contains("cannot be used"));
}

#[test]
fn readers_are_chosen_by_name() {
    let log = b"Run 1: 5M ops/s\nSegmentation fault (core dumped)\n";
    let only = |name: &str| Readers::named(&[name]).expect("there is one");
    assert_eq!(events_of(log, &only("runs")).0.len(), 1);
    assert_eq!(
        events_of(log, &Readers::named(&["runs", "crash"]).expect("both"))
            .0
            .len(),
        2
    );
    let (none, summary) = events_of(log, &only("junit"));
    assert!(none.is_empty());
    assert!(summary.problems[0].contains("JUnit XML"), "{summary:?}");
    assert_eq!(summary.bytes, log.len() as u64);
    let error = Readers::named(&["nosuch"])
        .err()
        .expect("refused")
        .to_string();
    assert!(
        error.contains("`nosuch`") && error.contains("firedancer"),
        "{error}"
    );
}

#[test]
fn entity_bombs_and_broken_xml_are_refused() {
    let cases = [
        (
            "<?xml version=\"1.0\"?><!DOCTYPE t [<!ENTITY a \"aa\">]><testsuite><testcase name=\"&a;\"/></testsuite>",
            "document type",
        ),
        (
            "<testsuite><testcase name=\"a\"/>",
            "is cut off inside of `<testsuite>`, at byte 31",
        ),
        ("<testsuite><testcase name=\"a", "cut off"),
        ("<testsuite></wrong>", "is the file whole"),
        ("<testsuite a=b></testsuite>", "no value in quotes"),
    ];
    for (text, expected) in cases {
        let (_, summary) = events_of(text.as_bytes(), &Readers::all());
        assert!(
            summary.problems[0].contains(expected),
            "{text}: {summary:?}"
        );
    }
    let deep = format!("<testsuite>{}", "<a>".repeat(300));
    let (_, summary) = events_of(deep.as_bytes(), &Readers::all());
    assert!(summary.problems[0].contains("nested deeper"), "{summary:?}");
}

#[test]
fn a_log_that_ends_too_early_says_so() {
    let session = "==== test session starts ====\na.py::one PASSED\n";
    for (cut, end, says) in [
        (
            "running 2 tests\ntest a ... ok\n",
            "test b ... ok\n\ntest result: ok. 2 passed; 0 failed\n",
            "libtest: the log ends before the line `test result`",
        ),
        (
            "    Starting 1 test across 1 binary\n        PASS [   0.003s] shop a\n",
            "     Summary [   0.004s] 1 test run: 1 passed, 0 skipped\n",
            "nextest: the log ends before the line `Summary`",
        ),
        (
            session,
            "==== 1 passed in 0.01s ====\n",
            "pytest: the log ends before the session's result",
        ),
        (
            "Running suite(s): s\n100%: Checks: 2, Failures: 0, Errors: 0\na.c:1:P:t:a:0: Passed\n",
            "a.c:2:P:t:b:0: Passed\n",
            "check: the log ends before all of Check's tests are told",
        ),
        // A subtest's plan and tests are not the file's.
        (
            "1..2\n    1..3\n    ok 1 - deep\n    ok 2 - deep\nok 1 - a\n",
            "ok 2 - b\n",
            "tap: 1 of 2 planned tests are there",
        ),
    ] {
        let problems = |text: String| events_of(text.as_bytes(), &Readers::all()).1.problems;
        assert_eq!(problems(cut.to_owned()), [says]);
        assert_eq!(problems(format!("{cut}{end}")), [""; 0], "{says}");
    }
}

#[test]
fn xml_says_what_it_means() {
    let text = "<?xml version='1.0'?><!-- <testcase name='no'/> -- --><testsuites>\
        <testsuite name='s &amp; t'><testcase name='&lt;a&gt; &#x41;&#66; &unknown; &' time='1.5'>\
        <system-out><![CDATA[<testcase name='neither'/>]]]]></system-out></testcase>\
        <testcase name='b' classname='c'><failure><![CDATA[\n  first > line\nsecond]]></failure>\
        </testcase></testsuite></testsuites>";
    let (events, summary) = events_of(text.as_bytes(), &Readers::all());
    assert_eq!(summary.problems, [""; 0]);
    let shown: Vec<String> = events.iter().map(super::shown).collect();
    assert_eq!(
        shown,
        [
            "test Passed [s & t] <a> AB &unknown; & 1.5 s",
            "test Failed [c] b (first > line)"
        ]
    );
}

#[test]
fn crashes_always_have_a_kind() {
    let kinds = |text: &str| -> Vec<String> {
        let kind = |event| match event {
            Event::Crash(crash) => Some(crash.kind),
            _ => None,
        };
        let events = events_of(text.as_bytes(), &Readers::all()).0;
        events.into_iter().filter_map(kind).collect()
    };
    assert_eq!(kinds("==1==ERROR: :Sanitizer: x\n"), [""; 0]);
    let valgrind = "==1== Process terminating with default action of signal 11 ()\n";
    assert_eq!(kinds(valgrind), ["signal"]);
    assert_eq!(kinds("x (signal: )\n"), ["signal"]);
}

#[test]
fn pytest_without_names_is_compared_by_its_numbers() {
    let outcomes = |log: &str| -> Vec<String> {
        let events = events_of(log.as_bytes(), &Readers::all()).0;
        let tests = events.into_iter().filter_map(|event| match event {
            Event::Test(test) => Some(format!("{} {:?}", test.name, test.outcome)),
            _ => None,
        });
        tests.collect()
    };
    let line = "=".repeat(30);
    // `pytest -q`: no `test session starts`, and the last line has no frame.
    let quiet = format!(
        "..F..s\n{line} FAILURES {line}\n_____ test_b[2] _____\nE   AssertionError\n\
         {line} warnings summary {line}\ntest_x.py::test_c\n  /x/test_x.py:7: UserWarning: old way\n\n\
         {line} short test summary info {line}\nFAILED test_x.py::test_b[2] - AssertionError\n\
         1 failed, 2 passed, 1 skipped, 1 warning in 0.10s\n"
    );
    let unnamed = [
        "(passed, not named) Passed",
        "(passed, not named) Passed",
        "(skipped, not named) Skipped",
    ];
    assert_eq!(outcomes(&quiet)[0], "test_b[2] Failed");
    assert_eq!(outcomes(&quiet)[1..], unnamed);
    let good = format!(
        "..s\n{line} warnings summary {line}\na.py::b\n\n-- Docs: x\n2 passed, 1 skipped in 0.02s\n"
    );
    assert_eq!(outcomes(&good), unnamed);
    // What was named is not counted again.
    let verbose = format!(
        "{line} test session starts {line}\na.py::x PASSED [ 50%]\na.py::y SKIPPED (no) [100%]\n\
         {line} 1 passed, 1 skipped in 0.01s {line}\n"
    );
    assert_eq!(outcomes(&verbose), ["x Passed", "y Skipped"]);
    // Others' headings begin no session, and a number is bounded.
    assert!(outcomes("=== ERRORS ===\n7 passed in 1s\n").is_empty());
    let many = format!("{line} warnings summary {line}\n4000000000 passed in 1s\n");
    assert_eq!(outcomes(&many).len(), 100_000);
}
