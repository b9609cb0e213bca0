//! `karat ab`: commands against each other.

use crate::lab::{Lab, PROGRAM, have};
use serde_json::Value;
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
    let found: Value = serde_json::from_str(&out.stdout).expect("one JSON document");
    let arms = &found["metrics"][0]["arms"];
    assert_eq!(
        (&arms[0]["arm"], &arms[0]["verdict"]),
        (&"B".into(), &"SAME".into())
    );
    assert_eq!(
        (&arms[1]["arm"], &arms[1]["verdict"]),
        (&"C".into(), &"SLOWER".into())
    );
    assert!(arms[1]["speed"].as_f64().unwrap() < 0.6);
    assert_eq!(found["schema"], 1);
    // A run like any other: it has a folder, reports, and a place in history.
    let evidence = lab.evidence();
    assert_eq!(evidence.run.id, found["run"].as_str().unwrap());
    assert!(lab.finished()[0].join("report.html").is_file());
    let listed = lab.karat(&["history", "--runs", "runs"]).exits(0).stdout;
    assert!(listed.contains("-ab"), "{listed}");
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
