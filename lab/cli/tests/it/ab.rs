//! `karat ab`: commands against each other.

use crate::lab::{Lab, Outcome, PROGRAM, have};
use karat_model::evidence::Evidence;
use karat_model::verdict::Judgement;
use std::process::Command;

/// A folder with the tiny program as `./prog`; none without a compiler.
fn lab() -> Option<Lab> {
    if !have("gcc") {
        return None;
    }
    let lab = Lab::empty();
    lab.write("prog.c", PROGRAM);
    for (name, work) in [("prog", "-DWORK=2"), ("heavy", "-DWORK=6")] {
        let built = Command::new("gcc")
            .args(["-O2", work, "-o"])
            .arg(lab.path(name))
            .arg(lab.path("prog.c"))
            .status();
        assert!(built.unwrap().success());
    }
    Some(lab)
}

/// The evidence that `--format json` tells.
fn told(out: &Outcome) -> Evidence {
    serde_json::from_str(&out.stdout).expect("one document of evidence")
}

/// `karat ab --runs runs OPTIONS -- COMMANDS`.
fn ab<'a>(options: &[&'a str], commands: &[&'a str]) -> Vec<&'a str> {
    [&["ab", "--runs", "runs"], options, &["--"], commands].concat()
}

#[test]
fn three_times_the_work_is_slower_and_the_same_is_not() {
    let Some(lab) = lab() else { return };
    let out = lab.karat(&ab(
        &["--rounds", "10", "--margin", "50%", "--format", "json"],
        &["./prog", "bench", "--", "./prog", "bench", "--", "./heavy"],
    ));
    let found = told(&out);
    let arms: Vec<_> = found.workloads[0]
        .comparisons
        .iter()
        .map(|c| (c.variant.as_str(), c.judgement))
        .collect();
    assert_eq!(arms, [("B", Judgement::Same), ("C", Judgement::Slower)]);
    assert!(found.workloads[0].comparisons[1].speed.estimate < 0.6);
    // A run like any other: it has a folder, reports, and a place in history.
    assert_eq!(lab.evidence(), found, "all that is kept is told");
    assert!(lab.finished()[0].join("report.html").is_file());
    let listed = lab.karat(&["history", "--runs", "runs"]).exits(0).stdout;
    assert!(listed.contains("-ab"), "{listed}");
}

#[test]
fn events_are_written_while_it_runs_and_the_last_one_says_how_it_ended() {
    let Some(lab) = lab() else { return };
    let options = ["--rounds", "6", "--margin", "50%", "--events", "e.jsonl"];
    let events = |lab: &Lab| -> Vec<serde_json::Value> {
        let text = lab.read("e.jsonl");
        text.lines()
            .map(|l| serde_json::from_str(l).expect("JSON"))
            .collect()
    };
    lab.karat(&ab(&options, &["./prog", "bench", "--", "./heavy"]));
    let all = events(&lab);
    let count = |name: &str| all.iter().filter(|e| e["event"] == name).count();
    assert!(
        count("stage-started") >= 3 && count("looked") >= 1,
        "{all:?}"
    );
    assert!(count("sample") >= lab.evidence().samples.len());
    let last = all.last().unwrap();
    assert_eq!(
        (&last["event"], &last["verdict"]),
        (&"finished".into(), &"NO-GO".into())
    );
    assert!(lab.path(last["folder"].as_str().unwrap()).is_dir());
    let times: Vec<f64> = all.iter().map(|e| e["elapsed"].as_f64().unwrap()).collect();
    assert!(times.is_sorted());

    lab.karat(&ab(&options, &["false", "--", "./heavy"]));
    let all = events(&lab);
    assert_eq!(all.last().unwrap()["event"], "failed", "{all:?}");

    let missing = ["--events", "no/folder/e"];
    let out = lab
        .karat(&ab(&missing, &["./prog", "--", "./heavy"]))
        .exits(2);
    out.says(&["--events: no/folder/e cannot be written"]);
}

#[test]
fn the_words_and_the_exit_code_follow_the_only_other_command() {
    let Some(lab) = lab() else { return };
    let options = ["--rounds", "10", "--margin", "50%"];
    let out = lab
        .karat(&ab(&options, &["./prog", "--", "./heavy"]))
        .exits(1);
    assert!(out.stdout.contains("SLOWER"), "{}", out.stdout);
    assert!(out.stdout.contains("10 rounds of cpu"), "{}", out.stdout);
    let out = lab
        .karat(&ab(&options, &["./heavy", "--", "./prog"]))
        .exits(0);
    assert!(out.stdout.contains("FASTER"), "{}", out.stdout);
    lab.karat(&ab(
        &[&options[..], &["--exit-zero"]].concat(),
        &["./prog", "--", "./heavy"],
    ))
    .exits(0);
}

#[test]
fn numbers_that_commands_print_can_be_compared() {
    let Some(lab) = lab() else { return };
    for metric in ["json:value", r#"time:"value": (?<value>[0-9.]+)"#] {
        let options = ["--rounds", "10", "--margin", "50%", "--metric", metric];
        let out = lab
            .karat(&ab(&options, &["./prog", "--", "./heavy"]))
            .exits(1);
        assert!(out.stdout.contains("SLOWER"), "{}", out.stdout);
    }
    let options = ["--rounds", "10", "--metric", "json:missing"];
    lab.karat(&ab(&options, &["./prog", "--", "./heavy"]))
        .exits(104)
        .says(&["JSON object with the number `missing`"]);
}

#[test]
fn what_is_no_binary_is_measured_without_an_audit() {
    let Some(lab) = lab() else { return };
    lab.write("script", "#!/bin/sh\nexec ./prog\n");
    let script = lab.path("script");
    let mut mode = std::fs::metadata(&script).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    let options = ["--rounds", "10", "--margin", "50%", "--exit-zero"];
    lab.karat(&ab(&options, &["./script", "--", "./prog"]))
        .exits(0);
    let found = lab.evidence().findings;
    let note = found.iter().find(|f| f.code == "KR006").expect("a note");
    assert_eq!(note.variant.as_deref(), Some("A"));
}

#[test]
fn mistakes_are_told() {
    let Some(lab) = lab() else { return };
    let fails = |options: &[&str], commands: &[&str], code: i32, words: &[&str]| {
        lab.karat(&ab(options, commands)).exits(code).says(words);
    };
    fails(&[], &["./prog"], 2, &["expected 2 to 8 commands, found 1"]);
    fails(
        &[],
        &["./prog", "--", "--", "./prog"],
        2,
        &["command B is empty"],
    );
    fails(
        &[],
        &["nosuchprogram", "--", "./prog"],
        2,
        &["command A", "`nosuchprogram`"],
    );
    fails(
        &["--margin", "0"],
        &["./prog", "--", "./prog"],
        2,
        &["--margin: `0`"],
    );
    fails(
        &["--metric", "speed"],
        &["./prog", "--", "./prog"],
        2,
        &["--metric: `speed`"],
    );
    fails(
        &["--metric", "x:("],
        &["./prog", "--", "./prog"],
        2,
        &["not a regular expression"],
    );
    fails(
        &["--metric", "x:a"],
        &["./prog", "--", "./prog"],
        2,
        &["a group named `value`"],
    );
    fails(
        &["--max-time", "soon"],
        &["./prog", "--", "./prog"],
        2,
        &["--max-time: `soon`"],
    );
    fails(
        &[],
        &["./prog", "--", "./prog", "fail"],
        104,
        &["variant `B`", "exit code 7"],
    );
    fails(
        &["--timeout", "200 ms"],
        &["./prog", "--", "./prog", "hang"],
        104,
        &["variant `B`", "still running after 0.2 s"],
    );
}

/// A script, ready to run.
fn script(lab: &Lab, name: &str, text: &str) {
    lab.write(name, &format!("#!/bin/sh\n{text}\n"));
    let path = lab.path(name);
    let mut mode = std::fs::metadata(&path).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&path, mode).unwrap();
}

#[test]
fn several_metrics_are_one_family_and_usage_is_always_told() {
    let Some(lab) = lab() else { return };
    let options = [
        "--rounds",
        "10",
        "--margin",
        "50%",
        "--metric",
        "cpu",
        "--metric",
        "wall",
        "--metric",
        "page-faults",
        "--metric",
        "json:value",
        "--format",
        "json",
    ];
    let out = lab
        .karat(&ab(&options, &["./prog", "--", "./heavy"]))
        .exits(1);
    let evidence = told(&out);
    let metrics = &evidence.workloads;
    let names: Vec<&str> = metrics.iter().map(|m| m.metric.name.as_str()).collect();
    assert_eq!(names, ["cpu", "wall", "page-faults", "value"]);
    assert_eq!(metrics[3].metric.unit, "s", "as the program prints it");
    assert_eq!(metrics[0].comparisons[0].judgement, Judgement::Slower);
    assert_eq!(metrics[2].comparisons[0].judgement, Judgement::Same);
    // Holm: one p is adjusted by more than the other.
    assert!(metrics.iter().all(|m| m.comparisons[0].p_adjusted <= 1.0));
    assert!(
        evidence
            .samples
            .iter()
            .all(|s| s.wall > 0.0 && s.faults > 0)
    );
    let views: Vec<(u32, u32)> = evidence
        .workloads
        .iter()
        .map(|w| (w.run, w.value))
        .collect();
    assert_eq!(views, [(0, 0), (0, 1), (0, 2), (0, 3)]);
    assert_eq!(evidence.workloads[1].name, "run · wall");
}

#[test]
fn what_is_round_a_run_can_differ_by_arm() {
    let Some(lab) = lab() else { return };
    script(
        &lab,
        "told",
        "read line; test -e ready || exit 9; echo \"{\\\"value\\\": $NUMBER$line$(cat here)}\"",
    );
    lab.write("a/here", "5");
    lab.write("b/here", "6");
    lab.write("one", "1\n");
    lab.write("two", "2\n");
    let out = lab
        .karat(&ab(
            &[
                "--rounds",
                "6",
                "--metric",
                "json:value",
                "--format",
                "json",
                "--exit-zero",
                "--stdin",
                "one",
                "--stdin",
                "B:two",
                "--dir",
                "A:a",
                "--dir",
                "B:b",
                "--env",
                "NUMBER=4",
                "--env",
                "B:NUMBER=7",
                "--setup",
                "test ! -e ready && touch ready",
                "--cleanup",
                "rm ready",
            ],
            &["./told", "--", "./told"],
        ))
        .exits(0);
    let arm = &told(&out).workloads[0].comparisons[0];
    assert_eq!(arm.baseline_value.round(), 415.0);
    assert_eq!(arm.variant_value.round(), 726.0);
    assert!(!lab.path("a/ready").exists() && !lab.path("b/ready").exists());
}

#[test]
fn two_programs_with_one_workload() {
    let Some(lab) = lab() else { return };
    let out = lab
        .karat(&[
            "ab", "--runs", "runs", "--rounds", "10", "--margin", "50%", "--bin-a", "./prog",
            "--bin-b", "./heavy", "--", "bench",
        ])
        .exits(1);
    assert!(out.stdout.contains("SLOWER"), "{}", out.stdout);
    let evidence = lab.evidence();
    assert!(evidence.variants.iter().all(|v| v.why.ends_with(" bench")));
}

#[test]
fn benchmarks_of_a_tool_are_metrics_each() {
    let Some(lab) = lab() else { return };
    // As `go test -bench . -count 2` prints it.
    let go = |sum: u32| {
        format!(
            "cat <<E\ngoos: linux\npkg: tiny\nBenchmarkSum-2 100 {sum} ns/op\n\
             BenchmarkSum-2 100 {} ns/op\nBenchmarkMap-2 10 900.5 ns/op 64 B/op\nPASS\nE",
            sum + 1
        )
    };
    script(&lab, "a", &go(100));
    script(&lab, "b", &go(200));
    for metric in ["output:auto", "output:go"] {
        let options = ["--rounds", "10", "--metric", metric, "--format", "json"];
        let out = lab.karat(&ab(&options, &["./a", "--", "./b"])).exits(1);
        let found = told(&out);
        let words: Vec<(&str, Judgement)> = found
            .workloads
            .iter()
            .map(|w| (w.metric.name.as_str(), w.comparisons[0].judgement))
            .collect();
        assert_eq!(words.len(), 3, "{words:?}");
        let sum = words.iter().find(|w| w.0.contains("Sum")).unwrap();
        assert_eq!(sum.1, Judgement::Slower);
        assert_eq!(words.iter().filter(|w| w.1 == Judgement::Same).count(), 2);
    }
    let evidence = lab.evidence();
    assert_eq!(
        evidence.samples[0].repetitions[0].len(),
        2,
        "each repetition is kept"
    );
    let options = ["--metric", "output:gotest"];
    lab.karat(&ab(&options, &["./a", "--", "./b"]))
        .exits(104)
        .says(&["`gotest`", "known are"]);
    let options = ["--metric", "output:auto"];
    lab.karat(&ab(&options, &["./prog", "--", "./prog"]))
        .exits(104)
        .says(&["no known benchmark tool"]);
}

#[test]
fn a_file_from_an_earlier_run_is_not_read() {
    let Some(lab) = lab() else { return };
    script(
        &lab,
        "writes",
        "echo 'BenchmarkSum-2 100 50 ns/op' > found.txt",
    );
    script(&lab, "forgets", "true");
    let options = ["--rounds", "6", "--metric", "output:go:found.txt"];
    let out = lab.karat(&ab(&options, &["./writes", "--", "./forgets"]));
    out.exits(104)
        .says(&["/forgets", "found.txt was not written by this run"]);
    lab.karat(&ab(&options, &["./writes", "--", "./writes"]))
        .exits(0);
}

#[test]
fn arms_in_other_units_or_without_values_are_refused() {
    let Some(lab) = lab() else { return };
    let metric = r"time:took (?<value>\S+) (?<unit>\S+)";
    script(&lab, "ms", "echo took 5 ms");
    for (name, prints, says) in [
        (
            "us",
            "took 5000 us",
            "in `us`, in the first run it was in `ms`",
        ),
        ("nan", "took NaN ms", "NaN"),
        ("zero", "took 0 ms", "not a positive finite number"),
        ("word", "took long ms", "`long` is not a number"),
    ] {
        script(&lab, name, &format!("echo {prints}"));
        let command = format!("./{name}");
        lab.karat(&ab(&["--metric", metric], &["./ms", "--", &command]))
            .exits(104)
            .says(&["variant `B`", says]);
    }
}

#[test]
fn what_goes_wrong_round_a_run_is_told() {
    let Some(lab) = lab() else { return };
    let says = |options: &[&str], code: i32, words: &[&str]| {
        lab.karat(&ab(options, &["./prog", "--", "./prog"]))
            .exits(code)
            .says(words);
    };
    says(
        &["--setup", "echo no room >&2; exit 3"],
        104,
        &["`setup` command", "no room"],
    );
    says(
        &["--cleanup", "exit 4"],
        104,
        &["`cleanup` command", "exit code 4"],
    );
    says(&["--stdin", "nothing"], 2, &["--stdin: there is no"]);
    says(&["--dir", "prog"], 2, &["--dir: there is no"]);
    says(&["--env", "X"], 2, &["`X` is not NAME=VALUE"]);
    says(&["--env", "D:X=1"], 2, &["there is no command D"]);
    says(
        &["--metric", "cpu", "--metric", "cpu"],
        2,
        &["two metrics are called `cpu`"],
    );
    says(&["--bin-a", "./prog"], 2, &["--bin-b"]);
    // Children left behind are killed, and the report says so.
    script(&lab, "leaves", "sleep 60 & echo done");
    let options = ["--rounds", "6", "--exit-zero", "--metric", "wall"];
    lab.karat(&ab(&options, &["./leaves", "--", "./prog"]))
        .exits(0);
    let found = lab.evidence().findings;
    let left = found.iter().find(|f| f.code == "KR007").expect("a warning");
    assert_eq!(left.variant.as_deref(), Some("A"));
}

#[test]
fn the_stack_can_be_moved_by_layouts() {
    let Some(lab) = lab() else { return };
    let options = [
        "--rounds",
        "10",
        "--margin",
        "50%",
        "--layouts",
        "3",
        "--format",
        "json",
    ];
    let out = lab
        .karat(&ab(&options, &["./prog", "--", "./heavy"]))
        .exits(1);
    let evidence = told(&out);
    let arm = &evidence.workloads[0].comparisons[0];
    assert_eq!(arm.layouts.as_ref().unwrap().seeds, [0, 1, 2]);
    assert_eq!(evidence.layouts.layouts, 3);
    assert!(evidence.layouts.method.contains("environment"));
    assert_eq!(evidence.arms.len(), 9);
    assert_eq!(evidence.workloads[0].layout_tax.len(), 2);
}
