//! `karat compare`: forms, words, exit codes.
//!
//! `samples/source2-*.log` are two logs of Firedancer's unit tests, written from the
//! tables of a before and after report of February 2026 in the form of `fd_log.c`.

use crate::lab::{Lab, Outcome};
use std::fs;
use std::process::Stdio;

fn sample(side: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/samples");
    format!("{folder}/source2-{side}.log")
}

/// A libtest log.
fn tests(outcomes: &[(&str, &str)]) -> String {
    let mut out = format!("\nrunning {} tests\n", outcomes.len());
    for (name, outcome) in outcomes {
        out += &format!("test {name} ... {outcome}\n");
    }
    let passed = outcomes
        .iter()
        .filter(|(_, outcome)| *outcome == "ok")
        .count();
    let failed = outcomes.len() - passed;
    let word = if failed == 0 { "ok" } else { "FAILED" };
    out + &format!(
        "\ntest result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out\n"
    )
}

/// A log with two tests and one figure.
fn run(value: f64) -> String {
    tests(&[("a", "ok"), ("b", "ok")]) + &format!("speed of hash: {value} GB/s\n")
}

const PATTERN: &str = r"speed of (?<name>\w+): (?<value>[0-9.]+) (?<unit>\S+)";

#[test]
fn a_report_of_single_runs_is_made_again_without_its_guesses() {
    let lab = Lab::empty();
    let (before, after) = (sample("before"), sample("after"));
    let out = lab.karat(&["compare", &before, &after]).exits(0).stdout;
    assert!(
        out.starts_with("? Same behaviour, speed unjudged\n"),
        "{out}"
    );
    let json = lab
        .karat(&["compare", &before, &after, "--format", "json"])
        .exits(0)
        .stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    // 27 "OK", 6 "pass", 3 lines of the script that ran them.
    assert_eq!(json["tests"].as_array().map(Vec::len), Some(36));
    let figures = json["figures"].as_array().expect("figures");
    assert!(figures.iter().all(|f| f["judged"].is_null()));
    for (section, name, size, percent) in [
        ("(compress16)", "throughput", "1024", 6.1),
        ("(compress16)", "blocks", "1024", 6.1),
        ("(compress16)", "throughput", "64", 56.4),
        ("(compress16)", "blocks", "64", 56.2),
        ("(compress16_fast)", "throughput", "1024", -0.1),
        ("(compress16_fast)", "throughput", "64", -0.3),
        ("(compress8_fast)", "throughput", "1024", 1.4),
        ("(compress8_fast)", "throughput", "64", 0.04),
        ("(compress8)", "throughput", "1024", 0.02),
        ("SSE4.1 backend", "throughput", "1024", 1.1),
        ("reference backend", "throughput", "1024", -0.8),
        ("sequential", "hash", "", 16.9),
        ("sequential", "time per hash", "", -14.1),
        ("adder", "hash", "", 0.0),
        ("AVX2 backend (LtHash)", "LtHash updates", "", 0.7),
        ("xof 2048", "throughput", "64", 21.6),
        ("xof 2048", "throughput", "4096", 3.0),
        ("xof 2048", "throughput", "16384", -3.8),
        ("xof 2048", "throughput", "524288", -0.3),
        ("Test times", "run_unit_tests: test_blake3", "", -3.2),
        ("Test times", "run_unit_tests: test_lthash", "", -3.4),
        ("Test times", "run_unit_tests: test_hashes", "", -33.3),
    ] {
        let fits = |f: &&serde_json::Value| {
            f["section"].as_str().is_some_and(|s| s.contains(section))
                && f["name"] == name
                && (size.is_empty() || f["parameters"]["sz"] == size)
        };
        let figure = figures.iter().find(fits);
        let figure = figure.unwrap_or_else(|| panic!("no {section} {name} {size}"));
        let value = |side: &str| figure[side].as_f64().expect("a value");
        let change = (value("after_value") / value("before_value") - 1.0) * 100.0;
        // Half a unit of the digit that the report gives.
        let slack = if percent == 0.02 || percent == 0.04 {
            0.005
        } else {
            0.05
        };
        assert!(
            (change - percent).abs() <= slack,
            "{section} {name} {size}: {change}"
        );
    }
    let facts = json["facts"].as_array().expect("facts");
    assert!(facts.iter().all(|f| f["same"] == true));
    assert!(facts.iter().any(|f| f["key"] == "FD_HAS_AVX512"));
}

#[test]
fn every_form_is_written() {
    let lab = Lab::empty();
    let (before, after) = (sample("before"), sample("after"));
    let files = ["r.html", "r.md", "r.json", "r.txt", "r.xml"];
    let mut args = vec!["compare", &before, &after, "--format", "markdown"];
    for file in &files {
        args.extend(["-o", file]);
    }
    let out = lab.karat(&args).exits(0).stdout;
    assert!(out.starts_with("# ? Same behaviour"), "{out}");
    let read = |name: &str| fs::read_to_string(lab.path(name)).expect(name);
    assert_eq!(read("r.md"), out);
    assert!(read("r.html").starts_with("<!DOCTYPE html>"));
    assert!(read("r.txt").starts_with("? Same behaviour"));
    assert!(read("r.xml").contains("<testsuites name=\"karat compare\""));
    serde_json::from_str::<serde_json::Value>(&read("r.json")).expect("JSON");
    lab.karat(&["compare", &before, &after, "-o", "r.doc"])
        .exits(2)
        .says(&["cannot tell the form", ".xml"]);
    // A format that there is, but not of this.
    lab.karat(&["compare", &before, &after, "-o", "r.csv"])
        .exits(2)
        .says(&["no csv of this report", ".xml"]);
    lab.karat(&["compare", &before, &after, "--format", "sarif"])
        .exits(2)
        .says(&["--format sarif", "human, markdown, json, html, junit"]);
}

#[test]
fn behaviour_that_differs_is_103() {
    let lab = Lab::empty();
    lab.write("a.log", &tests(&[("x", "ok"), ("y", "ok"), ("z", "ok")]));
    lab.write("b.log", &tests(&[("z", "ok"), ("x", "FAILED")]));
    let out = lab.karat(&["compare", "a.log", "b.log"]).exits(103).stdout;
    assert!(
        out.contains("Behaviour differs: 1 test newly failing, 1 test missing"),
        "{out}"
    );
    let junit = lab
        .karat(&["compare", "a.log", "b.log", "--format", "junit"])
        .exits(103)
        .stdout;
    assert!(junit.contains("tests=\"3\" failures=\"2\""), "{junit}");
    // Another order alone is no difference.
    lab.write("c.log", &tests(&[("z", "ok"), ("y", "ok"), ("x", "ok")]));
    lab.karat(&["compare", "a.log", "c.log"]).exits(0);
}

#[test]
fn logs_that_do_not_tell_are_not_the_same() {
    let lab = Lab::empty();
    let whole = tests(&[("x", "ok"), ("y", "ok")]);
    let (cut, _) = whole.split_once("test y").expect("two tests");
    lab.write("whole.log", &whole);
    lab.write("cut.log", cut);
    lab.write(
        "warned.log",
        "warning: unused variable: `x`\n --> a.rs:1:2\n",
    );
    lab.write("of-one/a.log", &whole);
    lab.write("of-one/poem.txt", "roses are red\n");
    lab.write("none/a.log", &whole);
    lab.write("none/b.log", "");
    for (log, code, says) in [
        ("cut.log", 3, "ends before the line `test result`"),
        ("warned.log", 3, "no test was read on either side"),
        ("of-one", 3, "nothing known was found in of-one/poem.txt"),
        ("none", 0, "Same behaviour"),
        ("whole.log", 0, "Same behaviour"),
    ] {
        let out = lab.karat(&["compare", log, log]).exits(code).stdout;
        let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(says), "{log}: {out}");
        let junit = ["compare", log, log, "--format", "junit"];
        let junit = lab.karat(&junit).exits(code).stdout;
        assert_eq!(junit.contains("all were read"), code == 3, "{log}: {junit}");
    }
}

#[test]
fn a_crash_is_a_difference() {
    let lab = Lab::empty();
    let fine = tests(&[("x", "ok"), ("y", "ok")]);
    lab.write("a.log", &fine);
    lab.write(
        "b.log",
        &format!("{fine}Segmentation fault (core dumped)\n"),
    );
    let out = lab.karat(&["compare", "a.log", "b.log"]).exits(103).stdout;
    assert!(out.contains("1 crash new"), "{out}");
}

#[test]
fn several_runs_a_side_are_judged() {
    let lab = Lab::empty();
    let values = [100.0, 100.2, 99.9, 100.1, 100.4];
    for (i, value) in values.iter().enumerate() {
        lab.write(&format!("old/{i}.log"), &run(*value));
        lab.write(&format!("slow/{i}.log"), &run(value * 0.5));
        lab.write(&format!("fast/{i}.log"), &run(value * 2.0));
        lab.write(&format!("same/{i}.log"), &run(*value));
    }
    let compare = |after: &str, code: i32| {
        let args = ["compare", "old", after, "--pattern", PATTERN];
        lab.karat(&args).exits(code).stdout
    };
    assert!(compare("slow", 1).contains("Same behaviour, slower"));
    assert!(compare("fast", 0).contains("Same behaviour, faster"));
    assert!(compare("same", 0).contains("Same behaviour, same speed"));
    // Two runs a side cannot decide anything at 5 %.
    let few = [
        "compare",
        "--before",
        "old/0.log",
        "old/1.log",
        "--after",
        "fast/0.log",
        "fast/1.log",
        "--pattern",
        PATTERN,
    ];
    let out = lab.karat(&few).exits(3).stdout;
    assert!(out.contains("about 4 runs a side"), "{out}");
}

#[test]
fn a_side_may_be_stdin() {
    let lab = Lab::empty();
    lab.write("a.log", &tests(&[("x", "ok"), ("y", "ok")]));
    lab.write("b.log", &tests(&[("x", "ok"), ("y", "FAILED")]));
    let mut command = lab.command(&["compare", "a.log", "-"]);
    let b = fs::File::open(lab.path("b.log")).expect("a log");
    let out = Outcome::of(command.stdin(Stdio::from(b))).exits(103).stdout;
    assert!(out.contains("1 test newly failing"), "{out}");
}

#[test]
fn a_step_summary_is_appended() {
    let lab = Lab::empty();
    lab.write("a.log", &tests(&[("x", "ok"), ("y", "ok")]));
    lab.write("summary", "what a step before wrote\n");
    let mut command = lab.command(&["compare", "a.log", "a.log", "--step-summary"]);
    command.env("GITHUB_STEP_SUMMARY", lab.path("summary"));
    Outcome::of(&mut command).exits(0);
    let text = lab.read("summary");
    assert!(
        text.starts_with("what a step before wrote\n# = Same behaviour\n\nBefore and after"),
        "{text}"
    );
    let mut command = lab.command(&["compare", "a.log", "a.log", "--step-summary"]);
    command.env_remove("GITHUB_STEP_SUMMARY");
    Outcome::of(&mut command)
        .exits(2)
        .says(&["GITHUB_STEP_SUMMARY is not set"]);
}

#[test]
fn reference_runs_judge_single_ones() {
    let lab = Lab::empty();
    let values = [100.0, 100.2, 99.9, 100.1, 100.4];
    for (i, value) in values.iter().enumerate() {
        lab.write(&format!("noise/{i}.log"), &run(*value));
    }
    lab.write("a.log", &run(100.0));
    lab.write("b.log", &run(50.0));
    let pattern = ["--pattern", PATTERN];
    let args = ["compare", "a.log", "b.log"];
    let alone = lab.karat(&[&args[..], &pattern].concat()).exits(0).stdout;
    assert!(alone.contains("speed unjudged"), "{alone}");
    let noise = ["--noise", "noise"];
    let judged = lab.karat(&[&args[..], &pattern, &noise].concat()).exits(1);
    assert!(judged.stdout.contains("SLOWER"), "{}", judged.stdout);
}

#[test]
fn what_is_wrong_with_the_command_line() {
    let lab = Lab::empty();
    lab.write("a.log", &run(1.0));
    lab.write("poem.txt", "no test\nno figure\n");
    fs::create_dir_all(lab.path("empty")).expect("a folder");
    for (args, says) in [
        (&["compare", "a.log"][..], "AFTER"),
        (&["compare", "a.log", "gone.log"], "no log at gone.log"),
        (&["compare", "a.log", "empty"], "no file in empty"),
        (&["compare", "-", "-"], "once only"),
        (&["compare", "a.log", "/dev/zero"], "is a device"),
        (&["compare", "--before", "a.log"], "--after"),
        (
            &["compare", "a.log", "a.log", "--reader", "libtset"],
            "libtset",
        ),
        (
            &["compare", "a.log", "a.log", "--pattern", "x"],
            "(?<value>",
        ),
        (
            &["compare", "a.log", "a.log", "--margin", "many"],
            "--margin",
        ),
        (
            &["compare", "a.log", "a.log", "-o", "report"],
            "cannot tell the form",
        ),
    ] {
        lab.karat(args).exits(2).says(&[says]);
    }
    lab.karat(&["compare", "a.log", "poem.txt"])
        .exits(4)
        .says(&["nothing readable", "`after`", "--pattern"]);
    let packed = [&b"\x1f\x8b\x08\0"[..], &[0xa5; 40]].concat();
    fs::write(lab.path("packed.gz"), packed).expect("written");
    fs::write(lab.path("program"), [1, 2, 3, 0, 5, 0x7f, b'a', b'b']).expect("written");
    fs::write(lab.path("wide.log"), b"\xff\xfeo\0k\0\n\0").expect("written");
    fs::write(lab.path("holes.log"), b"some words\0\0\0\n").expect("written");
    for (file, says) in [
        (
            "packed.gz",
            "packed.gz is compressed by gzip: unpack it first",
        ),
        ("program", "program is no text"),
        ("wide.log", "wide.log is UTF-16: convert it first"),
        ("holes.log", "holes.log has bytes of zero"),
    ] {
        lab.karat(&["compare", "a.log", file])
            .exits(4)
            .says(&[says]);
    }
    // Globs may overlap; a log that is compared with itself is told of.
    let same = lab.karat(&["compare", "a.log", "./a.log"]).exits(0).stdout;
    assert!(same.contains("on both sides"), "{same}");
    let help = lab.karat(&["compare", "--help"]).exits(0).stdout;
    for word in ["103", "inconclusive", "BEFORE AFTER", "GITHUB_STEP_SUMMARY"] {
        assert!(help.contains(word), "no {word}: {help}");
    }
}

#[test]
fn a_study_reads_the_logs_of_its_variants() {
    if !crate::lab::have("gcc") {
        return;
    }
    let check = "[[parity]]\nname = \"selftest\"\nargs = [\"selftest\"]\nreader = \"firedancer\"\n";
    // The sample program prints no log: the check says so and fails.
    let lab = Lab::with(&crate::lab::study(check));
    lab.run(&["--smoke"]).exits(103);
    let lab = Lab::with(&crate::lab::study(
        &check.replace("firedancer", "firedanser"),
    ));
    lab.run(&["--smoke"]).exits(2).says(&[
        "no reader of logs is called `firedanser`",
        "did you mean `firedancer`?",
        "^^^^",
    ]);
}

#[test]
fn a_study_reads_the_files_that_its_variants_write() {
    if !crate::lab::have("gcc") {
        return;
    }
    let lab = Lab::empty();
    lab.write("study/src/say.c", WRITES);
    lab.write("study/input/readme", "");
    let study = r#"schema = 1
name = "written"
baseline = "all"
[subject]
dir = "src"
artifact = "prog"
command = ["gcc", "-o", "prog", "say.c"]
[[variant]]
name = "all"
run = { dir = "input", env = { TESTS = "2" } }
[[variant]]
name = "fewer"
run = { dir = "input", env = { TESTS = "1" } }
[[variant]]
name = "silent"
run = { dir = "input" }
[[parity]]
name = "tests"
reader = "junit"
logs = ["t.xml"]
"#;
    lab.write("study/study.toml", study);
    let plan = lab.run(&["--dry-run"]).exits(0);
    assert!(
        plan.stdout.contains("(reads t.xml, reader junit)"),
        "{}",
        plan.stdout
    );
    lab.run(&[]).exits(103);
    let evidence = lab.evidence();
    let said: Vec<&str> = evidence
        .parity
        .iter()
        .map(|p| p.differences[0].as_str())
        .collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(said[0], "missing: s: t2.");
    // What the variant before it wrote is not its own.
    assert!(
        said[1].contains("t.xml was not written by this run"),
        "{said:?}"
    );
    let logs = evidence.parity[0].logs.as_ref().expect("compared");
    assert_eq!(logs.after.files[0].path, "t.xml");

    // A baseline without its log is a mistake in the study.
    lab.write("study/study.toml", &study.replace("t.xml", "u.xml"));
    lab.run(&[])
        .exits(103)
        .says(&["did not write u.xml", "`logs`"]);
}

/// Writes as many tests as TESTS says; none and no file without it.
const WRITES: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    if (!getenv("TESTS")) return 0;
    FILE *f = fopen("t.xml", "w");
    fputs("<testsuite name=\"s\">", f);
    for (int i = 1; i <= atoi(getenv("TESTS")); i++)
        fprintf(f, "<testcase name=\"t%d\" classname=\"s\"/>", i);
    fputs("</testsuite>\n", f);
    fclose(f);
    return 0;
}
"#;
