//! Logs that were cut, wrapped, glued, packed or mixed on their way: never "the same" where
//! they differ, the same where they do not, and an error that says what to do.

use crate::lab::{Lab, Outcome};
use std::fs;

const GOOD: &str = "\nrunning 2 tests\ntest takes ... ok\ntest adds ... ok\n\n\
    test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";

fn sample(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../readers/tests/samples/log");
    fs::read_to_string(format!("{folder}/{name}")).expect("a sample")
}

fn bad() -> String {
    GOOD.replace("test adds ... ok", "test adds ... FAILED")
        .replace("ok. 2 passed; 0 failed", "FAILED. 1 passed; 1 failed")
}

fn compare(lab: &Lab, before: impl AsRef<[u8]>, after: impl AsRef<[u8]>) -> Outcome {
    fs::write(lab.path("a.log"), before).expect("written");
    fs::write(lab.path("b.log"), after).expect("written");
    lab.karat(&["compare", "a.log", "b.log"])
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn prefixed(text: &str, prefix: impl Fn(usize) -> String) -> String {
    let lines = text.lines().enumerate();
    lines.map(|(i, line)| prefix(i) + line + "\n").collect()
}

#[test]
fn prefixes_of_loggers_and_runners_hide_nothing() {
    let lab = Lab::empty();
    let kinds: [fn(usize) -> String; 12] = [
        |i| format!("2026/11/22 18:26:{i:02} "),
        |i| format!("11/22/2026 06:26:{i:02} PM "),
        |i| format!("18:26:{i:02}  "),
        |i| format!("2026-11-22 18:26:{i:02},123 INFO "),
        |i| format!("2026-11-22 18:26:{i:02},123 - INFO - "),
        |i| format!("2026-11-22T18:26:{i:02}.123456789Z stdout F "),
        |i| format!("I1122 18:26:{i:02}.123456   12345 main.go:12] "),
        |i| format!("<34>1 2026-11-22T18:26:{i:02}.003Z host ci - ID47 - "),
        |i| format!("<13>Nov 22 18:26:{i:02} host ci: "),
        |i| format!("web-1  | 2026-11-22T18:26:{i:02}.123Z "),
        |i| format!("\u{1b}[90m2026-11-22T18:26:{i:02}Z\u{1b}[0m "),
        |i| format!("\u{1b}_bk;t=17638360{i:02}123\u{7}"),
    ];
    for kind in kinds {
        compare(&lab, GOOD, prefixed(GOOD, kind)).exits(0);
        compare(&lab, GOOD, prefixed(&bad(), kind)).exits(103);
    }
    // What is no time stamp is told of, and how to cut it off.
    compare(&lab, GOOD, prefixed(GOOD, |_| "[pod/web] ".to_owned()))
        .exits(4)
        .says(&["all begin like `[pod/web] `", "`cut -c 11-`"]);
}

#[test]
fn bytes_of_other_systems_hide_nothing() {
    let lab = Lab::empty();
    let wide = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_be_bytes);
        [0xfe, 0xff].into_iter().chain(units).collect()
    };
    type Form<'a> = &'a dyn Fn(&str) -> Vec<u8>;
    let forms: [Form<'_>; 5] = [
        &wide,
        &|text| text.replace('\n', "\r\n").into_bytes(),
        &|text| format!("\u{feff}{text}").into_bytes(),
        &|text| [&[0; 3000], text.as_bytes()].concat(),
        &|text| text.replace("ok", "\u{1b}[32mok\u{1b}[0m").into_bytes(),
    ];
    for form in forms {
        compare(&lab, GOOD, form(GOOD)).exits(0);
        compare(&lab, GOOD, form(&bad())).exits(103);
    }
    compare(&lab, GOOD, GOOD.replace('\n', "\r"))
        .exits(4)
        .says(&["carriage returns and no line ends", "tr '\\r' '\\n'"]);
    compare(&lab, GOOD, "\n\n").exits(4);
    compare(&lab, GOOD, "").exits(4).says(&["b.log is empty"]);
}

#[test]
fn what_is_cut_off_says_where() {
    let lab = Lab::empty();
    let whole = sample("gtest/fail.json");
    compare(&lab, &whole, &whole).exits(0);
    // Before the reader's keys came, and behind them.
    compare(&lab, &whole, &whole[..40])
        .exits(4)
        .says(&["b.log is JSON that is cut off: it ends at byte 40"]);
    let half = whole.len() / 2;
    let out = compare(&lab, &whole, &whole[..half]);
    assert!(
        flat(&out.stderr).contains(&format!("cut off here, at byte {half}")),
        "{}",
        out.stderr
    );
    let xml = sample("gtest/fail.xml");
    let cut = compare(&lab, &xml, &xml[..xml.len() - 20]);
    assert_ne!(cut.code, Some(0));
    let said = flat(&(cut.stdout + &cut.stderr));
    assert!(said.contains("the file is cut off inside"), "{said}");
    compare(&lab, GOOD, r#"{"some": ["other", "tool"]}"#)
        .exits(4)
        .says(&["is JSON, but of no tool"]);
}

#[test]
fn lines_that_are_too_long_hide_nothing() {
    let lab = Lab::empty();
    let long = |end: &str| format!("{GOOD}{}{end}\n", "x".repeat(300_000));
    compare(&lab, long("a"), long("a")).exits(0);
    let out = compare(&lab, long("a"), long("b")).exits(3).stdout;
    assert!(flat(&out).contains("line 7 has 300002 bytes"), "{out}");
    compare(&lab, GOOD, "x".repeat(300_000))
        .exits(4)
        .says(&["line 1 has 300000 bytes", "let the tool end its lines"]);
}

#[test]
fn runners_that_name_nothing_are_counted() {
    let lab = Lab::empty();
    for (good, bad) in [
        ("gtest/brief.txt", "gtest/brief-fail.txt"),
        ("gtest/brief-skipped.txt", "gtest/brief-skipped-fail.txt"),
        ("cmocka/good.txt", "cmocka/fail.txt"),
        ("libtest/quiet-good.txt", "libtest/quiet.txt"),
    ] {
        let [good, bad] = [good, bad].map(sample);
        compare(&lab, &good, &good).exits(0);
        compare(&lab, &good, &bad).exits(103);
    }
    // Another runner's line is not GoogleTest's.
    let other = sample("gtest/brief-skipped.txt") + "step 12: Skipped\n";
    compare(&lab, &other, &other).exits(3);
    // The line that counts those skipped is cut off.
    let brief = sample("gtest/brief-skipped.txt");
    let cut = brief.split_inclusive("5 tests.\n").next().expect("a part");
    let out = compare(&lab, cut, cut).exits(3).stdout;
    assert!(flat(&out).contains("6 tests ran, and only of 5"), "{out}");
    let fewer = sample("libtest/quiet-good.txt").replace("3 passed", "2 passed");
    compare(&lab, sample("libtest/quiet-good.txt"), fewer).exits(103);
    // One that nobody knows is told of.
    compare(&lab, GOOD, "2 specs were run, Failures: 0\n")
        .exits(4)
        .says(&[
            "1 line looks like the outcome of a test",
            "JUnit XML or TAP",
        ]);
}

#[test]
fn equal_runs_of_counted_failures_do_not_differ() {
    let lab = Lab::empty();
    // As many requests as fit into a second, all of which fail.
    let (first, second) = (sample("oha/missing.txt"), sample("oha/missing.json"));
    let out = compare(&lab, first, second).exits(0).stdout;
    assert!(flat(&out).contains("answers with status 404"), "{out}");
    let none = sample("oha/good.txt");
    compare(&lab, none, sample("oha/missing.txt")).exits(103);
    // A test that fails stops make, which is no build that fails.
    let failed = bad() + "make: *** [Makefile:7: test] Error 101\n";
    let out = compare(&lab, &failed, &failed).exits(0).stdout;
    assert!(out.starts_with("? Failures on both sides"), "{out}");
}

#[test]
fn folders_and_pipes_are_what_they_are() {
    let lab = Lab::empty();
    lab.write("a.log", GOOD);
    lab.write("old/one.log", GOOD);
    lab.write("old/.hidden", &bad());
    lab.write("new/one.log", &bad());
    lab.karat(&["compare", "old", "a.log"]).exits(0);
    lab.karat(&["compare", "old", "new"]).exits(103);
    // Two runners in one log, in another order.
    let tap = "TAP version 13\nok 1 - opens\nok 2 - closes\n1..2\n";
    compare(&lab, format!("{GOOD}{tap}"), format!("{tap}{GOOD}")).exits(0);
    let lost = tap.replace("ok 2", "not ok 2");
    compare(&lab, format!("{GOOD}{tap}"), format!("{lost}{GOOD}")).exits(103);
}

#[test]
fn logs_that_are_cut_at_the_same_place_are_not_the_same() {
    let lab = Lab::empty();
    for (name, says) in [
        ("tap/perl.txt", "no plan (1..N)"),
        ("tap/node.txt", "no plan (1..N)"),
        ("tap/prove-verbose.txt", "no plan (1..N)"),
        ("ctest/plain.txt", "before CTest's last lines"),
        ("go/verbose.txt", "before the last line of a package"),
        ("go/json.txt", "before the package"),
        ("meson/quiet.txt", ""),
        ("minitest/good-verbose.txt", "before minitest's last lines"),
        ("jest/colour.txt", "before jest's last lines"),
    ] {
        let whole = sample(name);
        let lines: Vec<&str> = whole.lines().collect();
        let cut = lines[..lines.len() * 2 / 5].join("\n");
        let out = compare(&lab, &cut, &cut);
        assert!(
            ![Some(0), Some(101)].contains(&out.code),
            "{name}: {:?}",
            out.code
        );
        let said = flat(&(out.stdout + &out.stderr));
        assert!(said.contains(says), "{name}: {said}");
    }
    // Inside of a subtest, behind the plan of what is around it.
    let tap = "TAP version 13\n1..1\nok 1 - file {\n    1..2\n    ok 1 - a\n    ok 2 - b\n}\n";
    compare(&lab, tap, tap).exits(0);
    let cut = tap.replace("    ok 2 - b\n}\n", "");
    let out = compare(&lab, &cut, &cut).exits(3).stdout;
    assert!(
        flat(&out).contains("the log ends inside a subtest"),
        "{out}"
    );
}

#[test]
fn tests_that_are_only_counted_are_missed() {
    let lab = Lab::empty();
    for (name, here, gone) in [
        (
            "meson/quiet.txt",
            "Ok:                 4",
            "Ok:                 3",
        ),
        ("tap/prove-timer.txt", "Tests=10", "Tests=9"),
        ("minitest/good.txt", "3 runs", "2 runs"),
        ("pytest/subtests-good-q.txt", "6 subtests", "5 subtests"),
    ] {
        let whole = sample(name);
        let lost = whole.replace(here, gone);
        assert_ne!(whole, lost, "{name}");
        compare(&lab, &whole, &lost).exits(103);
    }
    // Of `u` alone nobody knows whether it passed.
    let quiet = sample("pytest/subtests-good-qq.txt");
    let out = compare(&lab, &quiet, &quiet).exits(3).stdout;
    assert!(
        flat(&out).contains("subtests that passed or failed"),
        "{out}"
    );
    // A package says nothing of the tests in it.
    let go = "ok  \texample.org/x\t0.01s\n";
    let out = compare(&lab, go, go).exits(0).stdout;
    assert!(
        flat(&out).contains("Of 1 package `go test` names no test"),
        "{out}"
    );
}

#[test]
fn what_only_looks_different_is_not() {
    let lab = Lab::empty();
    // hyperfine's remarks on noise come and go.
    let noisy = sample("hyperfine/noisy.txt");
    let quiet: String = noisy
        .lines()
        .filter(|l| !l.contains("Warning"))
        .fold(String::new(), |text, line| text + line + "\n");
    assert_ne!(noisy, quiet);
    compare(&lab, &noisy, &quiet).exits(0);
    // A build that fails in go's JSON, as in its text.
    let build = sample("go/json-build.txt");
    let out = compare(&lab, &build, &build).exits(3).stdout;
    assert!(flat(&out).contains("a build fails on both sides"), "{out}");
    // Two words and a colon behind a time are no host and program.
    let check = "Running suite(s): sums\n100%: Checks: 2, Failures: 0, Errors: 0\n";
    let stamped = prefixed(check, |i| format!("2026-11-22T18:26:{i:02}Z "));
    compare(&lab, check, stamped).exits(0);
    // Benchmarks with other names are told once.
    let [a, b] = ["old", "new"].map(|name| noisy.replace("sleep 0.0", name));
    let out = flat(&compare(&lab, a, b).stdout);
    assert_eq!(
        out.matches("No figure is on both sides").count(),
        1,
        "{out}"
    );
}
