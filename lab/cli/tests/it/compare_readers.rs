//! Captured outputs of other tools through the whole command: the same twice, and
//! doctored.

use crate::lab::{Lab, Outcome};
use std::fs;

fn sample(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../readers/tests/samples");
    fs::read_to_string(format!("{folder}/{name}")).expect("a sample")
}

fn compare(lab: &Lab, before: &str, after: &str) -> Outcome {
    lab.write("a.log", before);
    lab.write("b.log", after);
    lab.karat(&["compare", "a.log", "b.log"])
}

/// A libtest log with one test, and what follows it.
fn with(rest: &str) -> String {
    format!(
        "\nrunning 1 test\ntest a ... ok\n\n\
         test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n{rest}\n"
    )
}

/// Outputs of a runner: all is well, and something is not.
const RUNNERS: &[(&str, &str)] = &[
    ("bazel/good.txt", "bazel/fail.txt"),
    ("gtest/good.txt", "gtest/fail.txt"),
    ("catch2/good.txt", "catch2/fail.txt"),
    ("doctest/good.txt", "doctest/fail.txt"),
    ("valgrind/memcheck-clean.txt", "valgrind/memcheck-bad.txt"),
    ("valgrind/memcheck-clean.xml", "valgrind/memcheck-bad.xml"),
    ("valgrind/helgrind-clean.txt", "valgrind/helgrind-bad.txt"),
    ("jest/good.txt", "jest/fail.txt"),
    ("vitest/good.txt", "vitest/fail.txt"),
    ("mocha/good.txt", "mocha/fail.txt"),
    ("node/spec-good.txt", "node/spec-fail.txt"),
    ("rspec/good.txt", "rspec/fail.txt"),
    ("meson/good.txt", "meson/fail.txt"),
    ("unittest/good.txt", "unittest/fail.txt"),
    ("unittest/good-verbose.txt", "unittest/fail-verbose.txt"),
    ("boost/good.txt", "boost/fail.txt"),
    ("boost/good-suite.txt", "boost/fail-suite.txt"),
    ("boost/good-detailed.txt", "boost/fail-detailed.txt"),
    ("boost/good-log.xml", "boost/fail-log.xml"),
    ("boost/good-report.xml", "boost/fail-report.xml"),
    ("check/good.txt", "check/fail.txt"),
    ("check/good.xml", "check/fail.xml"),
    ("zig/good.txt", "zig/fail.txt"),
    ("ginkgo/good.txt", "ginkgo/fail.txt"),
    ("ginkgo/good-verbose.txt", "ginkgo/fail-verbose.txt"),
    ("tap/prove-quiet-good.txt", "tap/prove-quiet-fail.txt"),
    ("mocha/list-good.txt", "mocha/list.txt"),
    ("jest/colour.txt", "jest/colour-fail.txt"),
    ("pytest/subtests-good-v.txt", "pytest/subtests-fail-v.txt"),
    ("pytest/subtests-good-q.txt", "pytest/subtests-fail-q.txt"),
    ("meson/quiet.txt", "meson/quiet-fail.txt"),
    ("meson/ninja.txt", "meson/ninja-fail.txt"),
    ("tap/prove-timer.txt", "tap/prove-timer-fail.txt"),
    ("tap/prove-verbose.txt", "tap/prove-verbose-fail.txt"),
    ("minitest/good.txt", "minitest/fail.txt"),
    ("minitest/good-verbose.txt", "minitest/fail-verbose.txt"),
];

#[test]
fn runners_are_told_apart_from_their_doctored_outputs() {
    let lab = Lab::empty();
    for (good, bad) in RUNNERS {
        let [good_text, bad_text] = [good, bad].map(|name| sample(&format!("log/{name}")));
        compare(&lab, &good_text, &good_text).exits(0);
        compare(&lab, &good_text, &bad_text).exits(103);
        fails_on_both_sides(&lab, &bad_text, bad);
        // Time stamps change nothing. They are known by being on several lines.
        let stamped: String = good_text
            .lines()
            .map(|line| format!("2026-11-22T18:26:39.1234567Z {line}\n"))
            .collect();
        if good_text.lines().count() > 1 {
            compare(&lab, &good_text, &stamped).exits(0);
        }
        // Two logs that are cut off do not agree.
        let lines: Vec<&str> = good_text.lines().collect();
        let cut = lines[..lines.len() * 2 / 3].join("\n");
        let code = compare(&lab, &cut, &cut).code;
        assert_ne!(code, Some(0), "{good} cut off");
    }
}

/// What fails on both sides is never called the same, in no form.
fn fails_on_both_sides(lab: &Lab, text: &str, name: &str) {
    lab.write("a.log", text);
    lab.write("b.log", text);
    let args = [
        "compare",
        "a.log",
        "b.log",
        "-o",
        "both.xml",
        "-o",
        "both.json",
    ];
    let out = lab.karat(&args).exits(0).stdout;
    assert!(out.starts_with("? Failures on both sides"), "{name}: {out}");
    let junit = lab.read("both.xml");
    assert!(junit.contains(" failures=\"0\""), "{name}: {junit}");
    assert!(junit.contains("fails before and after"), "{name}: {junit}");
    let json: serde_json::Value = serde_json::from_str(&lab.read("both.json")).expect("JSON");
    assert_eq!(json["verdict"]["behaviour"], "failing", "{name}");
}

/// Outputs in which a test passed, and what they say if it had failed; other tests of
/// theirs fail on both sides.
const DOCTORED: &[(&str, &str, &str)] = &[
    (
        "libtest/cargo-test.txt",
        "test tests::adds ... ok",
        "test tests::adds ... FAILED",
    ),
    (
        "nextest/plain.txt",
        "PASS [   0.044s] (2/8)",
        "FAIL [   0.044s] (2/8)",
    ),
    ("go/verbose.txt", "--- PASS: TestAdd", "--- FAIL: TestAdd"),
    (
        "go/json.txt",
        r#""Action":"pass","Package":"example.com/shop/tiny","Test":"TestAdd""#,
        r#""Action":"fail","Package":"example.com/shop/tiny","Test":"TestAdd""#,
    ),
    ("pytest/verbose.txt", "test_add PASSED", "test_add FAILED"),
    (
        "ctest/plain.txt",
        "Test #1: good .............................   Passed ",
        "Test #1: good .............................***Failed ",
    ),
    ("tap/perl.txt", "ok 1 - adds", "not ok 1 - adds"),
    ("tap/node.txt", "\nok 1 - adds", "\nnot ok 1 - adds"),
    ("vitest/tap.txt", "ok 1 - small", "not ok 1 - small"),
    (
        "junit/pytest.xml",
        r#"name="test_add" time="0.000" />"#,
        r#"name="test_add" time="0.000"><failure message="no"/></testcase>"#,
    ),
    (
        "unittest/fail-verbose.txt",
        "test_shop.Basket.test_adds) ... ok",
        "test_shop.Basket.test_adds) ... unexpected success",
    ),
    (
        "boost/fail.txt",
        "last checkpoint: \"throws\" test entry",
        "error: in \"basket/adds\": check 1 + 1 == 2 has failed",
    ),
    (
        "boost/fail-report.xml",
        r#""takes" result="passed""#,
        r#""takes" result="failed""#,
    ),
    (
        "check/fail-verbose.txt",
        ":P:basket:takes:0: Passed",
        ":F:basket:takes:0: no",
    ),
    (
        "check/fail.xml",
        r#"<test result="success">"#,
        r#"<test result="failure">"#,
    ),
    (
        "zig/fail.txt",
        "t1.test.adds...OK",
        "t1.test.adds...FAIL (No)",
    ),
    ("meson/expected.txt", "EXPECTEDFAIL ", "FAIL         "),
    ("mocha/list.txt", "\u{2714} sums adds: 0ms", "2) sums adds"),
    (
        "surefire/maven.txt",
        "Tests run: 2, Failures: 0",
        "Tests run: 2, Failures: 1",
    ),
    (
        "jest/fail.json",
        r#""status":"passed","title":"small""#,
        r#""status":"failed","title":"small""#,
    ),
];

#[test]
fn a_test_that_fails_too_is_seen_among_failures() {
    let lab = Lab::empty();
    for (name, passed, failed) in DOCTORED {
        let text = sample(&format!("log/{name}"));
        let other = text.replacen(passed, failed, 1);
        assert_ne!(text, other, "{name} has no {passed}");
        // go's sample has a package that does not build.
        if !name.starts_with("go/verbose") {
            fails_on_both_sides(&lab, &text, name);
        }
        let out = compare(&lab, &text, &other).exits(103).stdout;
        assert!(out.contains("newly failing"), "{name}: {out}");
        compare(&lab, &other, &text).exits(103);
    }
}

#[test]
fn lost_tests_and_crashes_are_seen() {
    let lab = Lab::empty();
    let lost = |name: &str, part: &str| {
        let text = sample(name);
        let left: String = text
            .lines()
            .filter(|line| !line.contains(part))
            .map(|line| format!("{line}\n"))
            .collect();
        assert!(left.len() < text.len(), "{name} has no {part}");
        compare(&lab, &text, &left).exits(103);
    };
    lost("log/gtest/good.txt", "OK ] Few/Sizes.Even/1");
    lost("log/doctest/success.txt", "TEST CASE:  last");
    lost("log/meson/testlog.json.txt", "ms / good");
    lost("log/unittest/good-verbose.txt", "test_adds");
    lost("log/boost/good-suite.txt", "test case \"adds\"");
    lost("log/check/good-verbose.txt", ":basket:adds:0:");
    lost("log/zig/good.txt", "test.takes");
    lost("log/mocha/list-good.txt", "sums adds:");
    for (good, crash) in [
        ("log/gtest/good.txt", "log/gtest/crash.txt"),
        ("log/catch2/good.txt", "log/catch2/crash.txt"),
        ("log/doctest/good.txt", "log/doctest/crash.txt"),
        ("log/boost/good.txt", "log/boost/crash.txt"),
        ("log/boost/good-suite.txt", "log/boost/crash-suite.txt"),
    ] {
        compare(&lab, &sample(good), &sample(crash)).exits(103);
    }
}

#[test]
fn what_nobody_read_is_never_the_same() {
    let lab = Lab::empty();
    // A runner that nobody knows: not known, even if its text is the same.
    for after in ["case basket: FAIL", "case basket: PASS"] {
        let out = compare(&lab, &with("case basket: PASS"), &with(after))
            .exits(3)
            .stdout;
        assert!(out.contains("no reader knows"), "{out}");
    }
    // Errors are compared by their text.
    let out = compare(&lab, &with("server up"), &with("server: ERROR cannot bind"))
        .exits(3)
        .stdout;
    let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("a line looks like an error"), "{out}");
    let error = with("server: ERROR cannot bind");
    let out = compare(&lab, &error, &error).exits(0).stdout;
    let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("Lines that no reader knew, blank ones left out: 1 before and 1 after"),
        "{out}"
    );
    // What is known stays so behind a part that is not.
    let known = |end: &str| with(&format!("some words\n{}", sample(end)));
    compare(
        &lab,
        &known("log/gtest/good.txt"),
        &known("log/gtest/fail.txt"),
    )
    .exits(103);
}

#[test]
fn a_build_that_fails_on_both_sides_is_not_the_same() {
    let lab = Lab::empty();
    let broken = with("error[E0425]: cannot find value `x` in this scope\n --> src/b.rs:1:2\n");
    let out = compare(&lab, &broken, &broken).exits(3).stdout;
    let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("a build fails on both sides"), "{out}");
}

#[test]
fn copies_are_one_run_and_samples_no_runs() {
    let lab = Lab::empty();
    let text = sample("log/counters/hyperfine.json");
    let slower = text
        .replace("0.01", "0.03")
        .replace("sleep 0.03", "sleep 0.01");
    for i in 0..6 {
        lab.write(&format!("old/{i}.json"), &text);
        lab.write(&format!("new/{i}.json"), &slower);
    }
    let out = lab.karat(&["compare", "old", "new"]).exits(0).stdout;
    assert!(out.starts_with("? Nothing judged"), "{out}");
    assert!(out.contains("both are one run"), "{out}");
    // The values within one log are told, and judged on demand only.
    let one = ["compare", "old/0.json", "new/0.json"];
    let out = lab.karat(&one).exits(0).stdout;
    assert!(
        out.contains("Within single runs there are 20 values"),
        "{out}"
    );
    let out = lab
        .karat(&[&one[..], &["--within"]].concat())
        .exits(1)
        .stdout;
    assert!(out.contains("That is an assumption"), "{out}");
}

/// hyperfine names a benchmark by its command, which has the program's name.
#[test]
fn a_benchmark_of_another_name_is_asked_for() {
    let lab = Lab::empty();
    let text = sample("log/counters/hyperfine.txt");
    lab.write("old.log", &text);
    lab.write("new.log", &text.replace("sleep 0", "./sleep 0"));
    let out = lab.karat(&["compare", "old.log", "new.log"]).exits(0);
    let flat = out.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let asks = r#"If "sleep 0.01" and "./sleep 0.01" are one benchmark, give it one name"#;
    assert!(flat.contains(asks), "{flat}");
}

#[test]
fn two_forms_of_one_output_give_one_statistic() {
    let lab = Lab::empty();
    for (json, text) in [
        ("log/counters/hyperfine.json", "log/counters/hyperfine.txt"),
        ("log/counters/hyperfine.json", "log/counters/hyperfine.csv"),
        (
            "criterion/folder/plain/new/sample.json",
            "criterion/second.txt",
        ),
    ] {
        lab.write("a.log", &sample(json));
        lab.write("b.log", &sample(text));
        let out = lab
            .karat(&["compare", "a.log", "b.log", "--format", "json"])
            .exits(0)
            .stdout;
        let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        for figure in found["figures"].as_array().expect("figures") {
            let values = [&figure["before_value"], &figure["after_value"]];
            if let [Some(before), Some(after)] = values.map(serde_json::Value::as_f64) {
                assert!(
                    (before / after - 1.0).abs() < 0.01,
                    "{json} {text}: {figure}"
                );
            }
        }
    }
}

#[test]
fn a_folder_of_criterion_names_its_benchmarks() {
    let lab = Lab::empty();
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../readers/tests/samples/criterion/folder"
    );
    lab.write("text.log", &sample("criterion/second.txt"));
    let out = lab
        .karat(&["compare", folder, "text.log", "--format", "json"])
        .exits(0)
        .stdout;
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let figures = found["figures"].as_array().expect("figures");
    assert_eq!(figures.len(), 6, "{out}");
    for figure in figures {
        let [before, after] = ["before_value", "after_value"]
            .map(|side| figure[side].as_f64().expect("on both sides"));
        // The text prints five digits of the same estimate.
        assert!((before / after - 1.0).abs() < 1e-4, "{figure}");
    }
    // criterion copies the last run to `base`; a run by another name is another run.
    for name in ["base", "new"] {
        for file in ["benchmark.json", "sample.json"] {
            let text = sample(&format!("criterion/folder/plain/{name}/{file}"));
            lab.write(&format!("bench/plain/{name}/{file}"), &text);
        }
    }
    let text = sample("criterion/folder/plain/new/benchmark.json");
    lab.write("bench/plain/main/benchmark.json", &text);
    let other = sample(
        "criterion/folder/flat/a longer parameter than criterion prints on one line/new/sample.json",
    );
    lab.write("bench/plain/main/sample.json", &other);
    let out = lab
        .karat(&["compare", "bench:main", "bench", "--format", "json"])
        .exits(0)
        .stdout;
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let figures = found["figures"].as_array().expect("figures");
    assert_eq!(figures.len(), 1, "{out}");
    assert_ne!(figures[0]["before_value"], figures[0]["after_value"]);
    lab.karat(&["compare", "bench:other", "bench"])
        .exits(2)
        .says(&["no benchmark has a run `other`; there are base, main, new"]);
    let out = lab.karat(&["compare", "bench", "bench"]).exits(0).stdout;
    assert!(out.contains("bench:NAME"), "{out}");
}

#[test]
fn small_changes_that_are_none() {
    let lab = Lab::empty();
    let quiet = |n: usize| format!("{}\n{n} passed in 0.0{n}s\n", ".".repeat(n));
    let quiet = |n| {
        format!(
            "{}{}",
            "=== warnings summary ===\n".replace("===", &"=".repeat(20)),
            quiet(n)
        )
    };
    compare(&lab, &quiet(2), &quiet(3)).exits(0);
    compare(&lab, &quiet(3), &quiet(2)).exits(103);
    // pytest's `-q` has no heading where all is well, and no last line if said twice.
    let letters = |letters: &str, percent: u8| format!("{letters:<73}[{percent:>3}%]\n");
    let one = |text: &str, end: &str| letters(text, 100) + end;
    let (two, three) = (
        one("..", "2 passed in 0.04s\n"),
        one("...", "3 passed in 0.06s\n"),
    );
    compare(&lab, &two, &three).exits(0);
    compare(&lab, &three, &two).exits(103);
    compare(&lab, &one("..s", ""), &one("..s", "")).exits(0);
    compare(&lab, &one("..s", ""), &one(".Fs", "")).exits(103);
    let cut = letters(&".".repeat(72), 50);
    let out = compare(&lab, &cut, &cut).exits(4).stderr;
    assert!(out.contains("ends at 50 % of the tests"), "{out}");
    // A failure that is nowhere named.
    let unnamed = one(".F", "1 failed, 1 passed in 0.04s\n");
    compare(&lab, &two, &unnamed).exits(103);
    // vitest writes a time into its TAP.
    let tap = sample("log/vitest/tap.txt");
    let other = tap.replace("time=2.53ms", "time=3.99ms");
    assert_ne!(tap, other);
    compare(&lab, &tap, &other).exits(0);
}

#[test]
fn a_pattern_takes_unit_and_direction_and_says_what_came_nearest() {
    let lab = Lab::empty();
    lab.write("a.log", &with("hash rate is 100 per tick"));
    lab.write("b.log", &with("hash rate is 50 per tick"));
    let args = ["compare", "a.log", "b.log", "--format", "json", "--pattern"];
    let constants = [
        "rate is (?<value>[0-9]+)",
        "--unit",
        "ops/s",
        "--better",
        "higher",
    ];
    let out = lab.karat(&[&args[..], &constants].concat()).exits(0).stdout;
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["figures"][0]["unit"], "ops/s");
    assert_eq!(found["figures"][0]["speed"], 0.5);
    let missed = ["rate was (?<value>[0-9]+)"];
    let out = lab.karat(&[&args[..], &missed].concat()).exits(3).stdout;
    assert!(
        out.contains("nearest comes `hash rate is 100 per tick`"),
        "{out}"
    );
}

#[test]
fn quiet_says_the_verdict_alone() {
    let lab = Lab::empty();
    lab.write("a.log", &sample("log/gtest/good.txt"));
    lab.write("b.log", &sample("log/gtest/fail.txt"));
    let out = lab.karat(&["compare", "-q", "a.log", "b.log", "-o", "all.md"]);
    let out = out.exits(103).stdout;
    assert!(out.starts_with("✗ Behaviour differs\n"), "{out}");
    assert!(out.contains("1 test newly failing"), "{out}");
    assert!(out.lines().count() <= 4, "{out}");
    assert!(lab.read("all.md").contains("Files compared"));
}

#[test]
fn several_statistics_of_one_benchmark_are_told_apart() {
    let lab = Lab::empty();
    let text = sample("pytest-benchmark/run.json");
    lab.write("a.json", &text);
    lab.write("b.json", &(text + "\n"));
    let out = lab.karat(&["compare", "a.json", "b.json"]).exits(0).stdout;
    for statistic in ["mean", "median", "least"] {
        let end = format!(", {statistic} ");
        assert!(out.contains(&end), "{statistic}: {out}");
    }
    // The values within a run are those of all three, and are judged once.
    let args = [
        "compare", "a.json", "b.json", "--within", "--format", "json",
    ];
    let found: serde_json::Value =
        serde_json::from_str(&lab.karat(&args).exits(3).stdout).expect("JSON");
    for figure in found["figures"].as_array().expect("figures") {
        let judged = figure["judged"].is_object();
        assert!(!judged || figure["statistic"] == "mean", "{figure}");
    }
}
