//! What goes wrong while a study runs: a code for each stage, and a message
//! that names who, where and what.

use crate::lab::{Lab, SELFTEST, firsts, have, study, workload};
use karat_model::finding::Severity;
use karat_model::verdict::Verdict;
use std::fs;

/// The workload all these studies could measure.
fn spin() -> String {
    workload("spin", r#"["bench"]"#)
}

#[test]
fn a_build_that_fails() {
    if !have("gcc") {
        return;
    }
    let good = study(&spin());
    let lab = Lab::with(&good.replace("\"-DWORK=9\"", "\"-DWORK=9\", \"-DBROKEN\""));
    let out = lab.run(&[]).exits(101);
    assert!(out.stdout.is_empty(), "{}", out.stdout);
    out.says(&[
        "variant `heavy`: exit code 1",
        "command: gcc -O2 -g1 -DWORK=9 -DBROKEN -o prog prog.c",
        "this variant cannot be built",
        "builds that succeeded are kept in the cache",
    ]);
    assert!(lab.finished().is_empty() && lab.partial().is_empty());
    assert_eq!(lab.builds(), 2);

    lab.write("study/study.toml", &good);
    lab.run(&["--smoke"]).exits(0);
    let variants = lab.evidence().variants;
    let cached: Vec<bool> = variants
        .iter()
        .map(|v| v.build.as_ref().unwrap().cached)
        .collect();
    assert_eq!(cached, [true, true, false]);
}

#[test]
fn all_failed_builds_are_named() {
    if !have("gcc") {
        return;
    }
    let study = study(&spin())
        .replace("\"-DWORK=1\"", "\"-DBROKEN\"")
        .replace("\"-DWORK=9\"", "\"-DBROKEN\", \"-DWORK=9\"");
    let out = Lab::with(&study).run(&[]).exits(101);
    out.says(&["variant `lean`", "variant `heavy`"]);
}

#[test]
fn a_compiler_that_is_not_there() {
    let heavy = r#"command = ["gcc", "-O2", "-g1", "-DWORK=9", "-o", "prog", "prog.c"]"#;
    let none = r#"command = ["a-compiler-that-nobody-has"]"#;
    let lab = Lab::with(&study(&spin()).replace(heavy, none));
    let out = lab.run(&[]).exits(101);
    out.says(&["variant `heavy`: cannot start `a-compiler-that-nobody-has`"]);
}

#[test]
fn a_build_that_leaves_nothing() {
    let heavy = r#"command = ["gcc", "-O2", "-g1", "-DWORK=9", "-o", "prog", "prog.c"]"#;
    let lab = Lab::with(&study(&spin()).replace(heavy, r#"command = ["true"]"#));
    let out = lab.run(&[]).exits(101);
    out.says(&["variant `heavy`", "left no ", "prog", "command: true"]);
}

#[test]
fn a_program_of_which_functions_are_expected_must_be_a_binary() {
    let text = "#!/bin/sh\necho\n";
    let lab = Lab::empty();
    lab.write("study/a", text);
    lab.write("study/b", text);
    lab.write(
        "study/study.toml",
        "schema = 1\nname = \"s\"\nbaseline = \"a\"\n\
         [[variant]]\nname = \"a\"\nbinary = \"a\"\n[[variant]]\nname = \"b\"\nbinary = \"b\"\n\
         [[expect]]\nfunction = \"kernel\"\n",
    );
    let out = lab.run(&[]).exits(102);
    out.says(&["variant `a`: cannot audit", "study/a"]);
    assert!(lab.partial().is_empty());
}

#[test]
fn a_variant_that_behaves_differently() {
    if !have("gcc") {
        return;
    }
    let study =
        study(&(spin() + SELFTEST)).replace("\"-DWORK=9\"", "\"-DWORK=9\", \"-DDIGEST=77\"");
    let lab = Lab::with(&study);
    let out = lab.run(&[]).exits(103);
    assert!(
        out.stdout.contains("-digest 1234") && out.stdout.contains("+digest 77"),
        "{}",
        out.stdout
    );
    let folder = lab.finished().pop().unwrap();
    for report in ["report.md", "report.html"] {
        let text = fs::read_to_string(folder.join(report)).unwrap();
        assert!(text.contains("-digest 1234"), "{report}");
        assert!(text.contains("+digest 77"), "{report}");
    }
    let evidence = lab.evidence();
    let failed: Vec<_> = evidence.parity.iter().filter(|p| !p.passed).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].variant, "heavy");
    assert_eq!(failed[0].differences.len(), 1);
    assert!(
        evidence
            .findings
            .iter()
            .any(|f| { f.severity == Severity::Error && f.variant.as_deref() == Some("heavy") })
    );
    // It is NO-GO unmeasured; the others are measured all the same.
    let heavy = &evidence.variants[2];
    assert_eq!(heavy.verdict.as_ref().unwrap().verdict, Some(Verdict::NoGo));
    assert!(evidence.arms.iter().all(|a| a.variant != "heavy"));
    // Disturbed runs are made again.
    let samples = evidence.samples.iter().filter(|s| s.attempt == 0);
    assert_eq!(samples.count(), 30, "ten rounds of three arms");

    // Errors keep their codes.
    lab.run(&["--exit-zero"]).exits(103);
    lab.run(&["--smoke"]).exits(103);
}

#[test]
fn nobody_behaves_like_the_baseline() {
    if !have("gcc") {
        return;
    }
    let study = study(&(spin() + SELFTEST)).replace("\"-DWORK=3\"", "\"-DWORK=3\", \"-DDIGEST=0\"");
    let lab = Lab::with(&study);
    lab.run(&[]).exits(103);
    let evidence = lab.evidence();
    assert!(evidence.samples.is_empty(), "nothing to compare");
    assert_eq!(evidence.verdict.verdict, Some(Verdict::NoGo));
}

#[test]
fn a_check_whose_own_output_varies_says_so() {
    if !have("gcc") {
        return;
    }
    // The time a run took is never the same.
    let check = "[[parity]]\nname = \"times\"\nargs = [\"bench\"]\n";
    let lab = Lab::with(&study(&(spin() + check)));
    lab.run(&["--smoke"]).exits(103);
    let evidence = lab.evidence();
    assert_eq!(evidence.parity.len(), 2);
    for check in &evidence.parity {
        assert!(check.differences[0].contains("two runs of the baseline differ"));
    }
}

#[test]
fn a_workload_that_cannot_be_measured() {
    if !have("gcc") {
        return;
    }
    for (how, word) in [
        ("crash", "killed by SIGABRT"),
        ("fail", "exit code 7"),
        (
            "silent",
            "no line of stdout is a JSON object with the number `value`",
        ),
        ("hang", "still running after 0.3 s"),
    ] {
        let workload = workload("doomed", &format!("[{how:?}]"));
        let lab = Lab::with(&study(&format!("{workload}timeout = \"300 ms\"\n")));
        let out = lab.run(&[]).exits(104);
        assert!(out.stdout.is_empty());
        let command = format!("prog {how}\n");
        let out = out.says(&[
            "workload `doomed`",
            "variant `plain`",
            "command: ",
            &command,
            word,
        ]);
        if how == "crash" {
            out.says(&["about to crash"]);
        }
        assert!(
            lab.finished().is_empty() && lab.partial().is_empty(),
            "{how}"
        );
        assert_eq!(lab.builds(), 3, "builds are kept");
    }
}

#[test]
fn a_metric_in_another_unit() {
    if !have("gcc") {
        return;
    }
    let study = study(&spin().replace("unit = \"s\"", "unit = \"ms\""));
    let out = Lab::with(&study).run(&[]).exits(104);
    out.says(&["the program prints `s`, the study says `ms`"]);
}

#[test]
fn samples_are_kept_when_a_later_run_fails() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    // Late enough for any warm-up, early enough for the first look, which may decide all.
    let args = format!("[\"stumble\", {:?}, \"20\"]", lab.path("count"));
    let one =
        study(&workload("unsteady", &args)).replace("[measure]\n", "[measure]\nlayouts = 1\n");
    lab.write("study/study.toml", &one);
    lab.write("study/src/prog.c", crate::lab::PROGRAM);
    let out = lab.run(&[]).exits(104);
    out.says(&[
        "workload `unsteady`",
        "killed by SIGABRT",
        "samples kept in",
        "karat run study --resume",
    ]);
    let folder = lab.partial().pop().expect("the run is kept");
    let before = fs::read_to_string(folder.join("samples.jsonl")).unwrap();
    assert!(before.lines().count() > 4, "{before}");

    // Whatever it was that time: the run goes on where it stumbled.
    lab.run(&["--resume"]).exits(1);
    let evidence = lab.evidence();
    assert_eq!(evidence.run.resumed, 1);
    assert!(firsts(&evidence) <= 40);
    let folder = lab.finished().pop().unwrap();
    let after = fs::read_to_string(folder.join("samples.jsonl")).unwrap();
    assert!(after.starts_with(&before), "what was measured stays");
}

#[test]
fn a_runs_folder_that_cannot_be_made() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::with(&study(&spin()));
    lab.write("runs", "a file");
    lab.run(&[]).exits(70).says(&["runs"]);
}

#[test]
fn a_broken_index_costs_no_run() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::with(&study(&spin()));
    fs::create_dir_all(lab.path("runs/index.sqlite")).unwrap();
    let out = lab.run(&["--smoke"]).exits(0);
    assert!(out.stdout.contains("runs"), "the report is printed");
    out.says(&["the index of runs is not up to date", "index.sqlite"]);
}

#[test]
fn parity_runs_a_variant_as_it_is_measured() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    lab.write("study/src/say.c", SAY);
    lab.write("study/input", "from a file\n");
    lab.write(
        "study/study.toml",
        r#"schema = 1
name = "said"
baseline = "a"
[subject]
dir = "src"
artifact = "prog"
command = ["gcc", "-o", "prog", "say.c"]
[[variant]]
name = "a"
run = { env = { WORD = "one" }, stdin = "input" }
[[variant]]
name = "b"
run = { env = { WORD = "two" }, stdin = "input" }
[[parity]]
name = "word"
"#,
    );
    let out = lab.run(&[]).exits(103);
    assert!(
        out.stdout.contains("-one") && out.stdout.contains("+two"),
        "{}",
        out.stdout
    );
    let evidence = lab.evidence();
    let difference = &evidence.parity[0].differences[0];
    assert!(difference.contains(" from a file"), "{difference}");
}

/// Says a word and its input.
const SAY: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    puts(getenv("WORD") ? getenv("WORD") : "nothing");
    for (int c; (c = getchar()) != EOF;) putchar(c);
    return 0;
}
"#;
