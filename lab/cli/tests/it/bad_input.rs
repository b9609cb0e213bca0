//! What people give karat that it cannot use: a code, a reason, advice, and no panic.

use crate::lab::{Lab, Outcome, PROGRAM, have, study, workload};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

/// Two runs of `true`, which every system has.
const TRUE: [&str; 4] = ["--", "true", "--", "true"];

/// `karat ab --runs runs --rounds 6 OPTIONS -- true -- true`.
fn ab(options: &[&'static str]) -> Vec<&'static str> {
    [&["ab", "--runs", "runs", "--rounds", "6"], options, &TRUE].concat()
}

fn not_utf8(name: &str) -> OsString {
    OsStr::from_bytes(&[name.as_bytes(), b"\xff"].concat()).to_owned()
}

/// `karat ARGS` of which some are no text.
fn karat(lab: &Lab, args: &[&OsStr]) -> Outcome {
    Outcome::of(lab.command(&[]).args(args))
}

fn script(lab: &Lab, name: &str, text: &str, mode: u32) {
    lab.write(name, text);
    fs::set_permissions(lab.path(name), fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn paths_need_not_be_text() {
    let lab = Lab::empty();
    let runs = not_utf8("runs");
    let all = ["ab", "--exit-zero", "--rounds", "6", "--runs"].map(OsStr::new);
    let args = [&all[..], &[&runs], &TRUE.map(OsStr::new)].concat();
    karat(&lab, &args).exits(0);
    let history = ["history", "--runs"].map(OsStr::new);
    let listed = karat(&lab, &[&history[..], &[&runs]].concat()).exits(0);
    assert!(listed.stdout.contains("-ab"), "{}", listed.stdout);
    let file = not_utf8("no such file");
    for command in ["run", "report", "audit", "init"] {
        let out = karat(&lab, &[OsStr::new(command), &file]);
        assert!(
            !out.stderr.contains("panicked"),
            "{command}: {}",
            out.stderr
        );
        assert!(matches!(out.code, Some(0 | 2 | 102)), "{command}: {out:?}");
    }
    // A command is recorded as text: that it is none is told.
    let word = not_utf8("tr");
    let args = ["ab", "--", "true", "--"].map(OsStr::new);
    karat(&lab, &[&args[..], &[&word]].concat())
        .exits(2)
        .says(&["command B", "not UTF-8"]);
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_any_work() {
    let lab = Lab::with(&study(&workload("spin", r#"["bench"]"#)));
    lab.write("a.log", "ok 1 - a\n");
    lab.write("folder.md/x", "");
    for command in [
        &["run", "study", "--runs", "runs"][..],
        &["ab", "--runs", "runs"],
        &["audit", "/bin/sh"],
        &["compare", "a.log", "a.log"],
        &["scan", "."],
        &["report", "--runs", "runs"],
    ] {
        for (output, says) in [
            ("no/such/x.md", "there is no folder no/such"),
            ("a.log/x.md", "there is no folder a.log"),
            ("folder.md", "is a folder"),
            ("x.unknown", "cannot tell the form"),
        ] {
            let mut args = [command, &["-o", output]].concat();
            if command[0] == "ab" {
                args.extend(TRUE);
            }
            lab.karat(&args).exits(2).says(&[output, says]);
        }
        let twice = [command, &["-o", "x.md", "-o", "x.md"]].concat();
        let twice = if command[0] == "ab" {
            [&twice[..], &TRUE].concat()
        } else {
            twice
        };
        lab.karat(&twice).exits(2).says(&["x.md", "two `-o`"]);
    }
    assert!(!lab.path("runs").exists(), "nothing was begun");
    assert!(!lab.path("x.md").exists(), "and nothing is left");
}

#[test]
fn after_a_full_disk_the_run_is_named() {
    let lab = Lab::empty();
    std::os::unix::fs::symlink("/dev/full", lab.path("full.md")).unwrap();
    let out = lab.karat(&ab(&["-o", "full.md"])).exits(70);
    assert!(
        out.stdout.contains("baseline"),
        "the result is told all the same"
    );
    let folder = lab.finished().pop().expect("a whole run");
    let name = folder.file_name().unwrap().to_str().unwrap();
    let out = out.says(&["cannot write full.md", name, "karat report"]);
    let command = format!("karat report runs/{name}");
    assert!(out.stderr.contains(&command), "{}", out.stderr);
    lab.karat(&["report", &format!("runs/{name}")]).exits(0);
    // stdout itself.
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let out = Outcome::of(lab.command(&ab(&[])).stdout(Stdio::from(full)));
    out.exits(70)
        .says(&["cannot write to stdout", "karat report"]);
}

#[test]
fn a_study_that_cannot_be_read_is_a_mistake_of_usage() {
    let lab = Lab::empty();
    fs::write(lab.path("latin.toml"), b"name = \"caf\xe9\"\n").unwrap();
    lab.karat(&["run", "latin.toml"])
        .exits(2)
        .says(&["latin.toml", "byte 12 is not UTF-8"]);
    lab.write("folder/study.toml/x", "");
    lab.karat(&["run", "folder"])
        .exits(2)
        .says(&["no study at folder"]);
    lab.karat(&["run", "/dev/null"])
        .exits(2)
        .says(&["no study at /dev/null"]);
    lab.karat(&["run", "latin.toml/x"])
        .exits(2)
        .says(&["no study at latin.toml/x", "Not a directory"]);
    script(&lab, "secret.toml", "", 0);
    if fs::read(lab.path("secret.toml")).is_ok() {
        println!("SKIPPED: permissions do not bind this user (root)");
        return;
    }
    lab.karat(&["run", "secret.toml"]).exits(2).says(&[
        "secret.toml",
        "cannot be read",
        "Permission denied",
    ]);
}

#[test]
fn a_file_that_cannot_be_executed_is_a_mistake_of_usage() {
    let lab = Lab::empty();
    script(&lab, "plain", "#!/bin/sh\n", 0o644);
    script(&lab, "lost", "#!/no/such/shell\n", 0o755);
    script(&lab, "text", "echo no first line\n", 0o755);
    for (program, says) in [
        ("./plain", "chmod +x ./plain"),
        ("plain", "the file in this folder is ./plain"),
        ("/", "is a folder"),
        ("./gone", "No such file"),
        ("./lost", "/no/such/shell"),
        ("./text", "begins with `#!`"),
    ] {
        let args = ["ab", "--runs", "runs", "--", "true", "--", program];
        lab.karat(&args).exits(2).says(&["B", says]);
    }
    assert!(lab.partial().is_empty(), "no empty run is kept");
    // The same in a study, measured or checked.
    for rest in ["[[workload]]\nname = \"w\"\n", "[[parity]]\nname = \"p\"\n"] {
        for (program, says) in [("plain", "chmod +x"), ("lost", "/no/such/shell")] {
            lab.write(
                "study.toml",
                &format!(
                    "schema = 1\nname = \"s\"\nbaseline = \"a\"\n\
                     [[variant]]\nname = \"a\"\nbinary = \"{program}\"\n\
                     [[variant]]\nname = \"b\"\nbinary = \"/bin/true\"\n{rest}"
                ),
            );
            lab.karat(&["run", "study.toml", "--runs", "runs"])
                .exits(2)
                .says(&["variant `a`: cannot execute", says]);
        }
    }
}

#[test]
fn there_is_no_shell_unless_one_is_asked_for() {
    let lab = Lab::empty();
    let out = lab.karat(&["ab", "--", "true 1", "--", "true"]).exits(2);
    out.says(&[
        "command A",
        "`true 1`",
        "no shell",
        "-- true 1 -- …",
        "--shell",
    ]);
    let shell = [
        "ab",
        "--runs",
        "runs",
        "--rounds",
        "6",
        "--exit-zero",
        "--shell",
    ];
    let out = lab.karat(&[&shell[..], &["--", "true | cat", "--", "exit 0"]].concat());
    let out = out.exits(0);
    assert!(out.stdout.contains("run by `sh -c`"), "{}", out.stdout);
    let variants = lab.evidence().variants;
    assert_eq!(variants[0].why, "'true | cat'");
    assert!(
        variants[0].reproduce[1].ends_with("sh -c 'true | cat'"),
        "{variants:?}"
    );
    let out = lab.karat(&[&shell[..], &["--", "true", "x", "--", "true"]].concat());
    out.exits(2).says(&["command A", "quote it: 'true x'"]);
    lab.karat(&["ab", "--shell", "--bin-a", "true", "--bin-b", "true"])
        .exits(2)
        .says(&["--shell"]);
}

#[test]
fn a_margin_of_one_is_asked_about() {
    let lab = Lab::with(&study("").replace("margin = \"50%\"", "margin = \"1\""));
    lab.karat(&ab(&["--margin", "1"]))
        .exits(2)
        .says(&["did you mean `1%`?"]);
    lab.karat(&["compare", "a", "b", "--margin", "1"])
        .exits(2)
        .says(&["did you mean `1%`?"]);
    lab.run(&[]).exits(2).says(&["did you mean \"1%\"?"]);
    lab.karat(&ab(&["--timeout", "99999999999999999999 h"]))
        .exits(2)
        .says(&["--timeout"]);
}

#[test]
fn runs_that_are_mostly_start_are_told() {
    let lab = Lab::empty();
    let out = lab
        .karat(&ab(&["--exit-zero", "--metric", "wall"]))
        .exits(0);
    assert!(out.stdout.contains("warning KR008"), "{}", out.stdout);
    let found = lab.evidence().findings;
    let short = found.iter().find(|f| f.code == "KR008").expect("a warning");
    assert!(short.message.contains("more work"), "{}", short.message);
    let folder = lab.finished().pop().unwrap();
    for report in ["report.md", "report.html"] {
        assert!(
            fs::read_to_string(folder.join(report))
                .unwrap()
                .contains("KR008")
        );
    }
    let page = lab.karat(&["explain", "kr008"]).exits(0).stdout;
    assert!(page.starts_with("# KR008: ") && page.contains("## What to do"));
    // Long enough: a run that sleeps, by the wall clock.
    let args = [
        "ab",
        "--runs",
        "runs",
        "--rounds",
        "6",
        "--exit-zero",
        "--metric",
        "wall",
    ];
    let long = ["--", "sleep", "0.02", "--", "sleep", "0.02"];
    lab.karat(&[&args[..], &long].concat()).exits(0);
    assert!(lab.evidence().findings.iter().all(|f| f.code != "KR008"));
}

#[test]
fn the_record_of_a_comparison_is_a_study_that_runs_again() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    lab.write("prog.c", PROGRAM);
    let built = std::process::Command::new("gcc")
        .args(["-O2", "-o"])
        .arg(lab.path("prog"))
        .arg(lab.path("prog.c"))
        .status();
    assert!(built.unwrap().success());
    lab.write("in put", "x");
    lab.write("sub/x", "");
    let odd = "a\nb\"c'\\ \u{1b}[1m\u{85}$HOME";
    lab.karat(&[
        "ab",
        "--runs",
        "runs",
        "--rounds",
        "6",
        "--exit-zero",
        "--margin",
        "0.3%",
        "--stdin",
        "in put",
        "--dir",
        "B:sub",
        "--env",
        "A B=c\"d",
        "--env",
        "B:N=1\n2",
        "--setup",
        "test -n \"$HOME\"\ntrue",
        "--cleanup",
        "true",
        "--metric",
        "cpu",
        "--metric",
        r#"time:"value": (?<value>[0-9.]+)"#,
        "--metric",
        "json:value",
        "--better",
        "higher",
        "--timeout",
        "0.7 min",
        "--warmup",
        "2",
        "--max-time",
        "1.5 min",
        "--",
        "./prog",
        odd,
        "--",
        "./prog",
        "",
        "-x",
    ])
    .exits(0);
    let first = lab.evidence();
    let folder = lab.finished().pop().unwrap();
    let text = fs::read_to_string(folder.join("study.toml")).unwrap();
    assert_eq!(text, first.study.source);
    let study = karat_model::study::Study::parse(&text).expect("a study");
    assert_eq!(study.variants[0].args, [odd]);
    assert_eq!(study.variants[1].args, ["", "-x"]);
    assert_eq!(study.variants[1].run.env["N"], "1\n2");
    assert_eq!(study.workloads[0].margin, 0.003);
    assert_eq!(study.workloads[0].timeout, 42.0);
    assert_eq!((study.measure.max_rounds, study.measure.warmup), (6, 2));
    assert_eq!(
        study.measure.time,
        karat_model::study::MaxTime::Seconds(90.0)
    );
    // The same again, from another folder.
    let mut again = lab.command(&["run", "--exit-zero"]);
    again
        .arg(folder.join("study.toml"))
        .arg("--runs")
        .arg(lab.path("runs"));
    Outcome::of(again.current_dir("/")).exits(0);
    let second = lab.evidence();
    assert_ne!(first.run.id, second.run.id);
    let of = |e: &karat_model::evidence::Evidence| {
        e.variants
            .iter()
            .map(|v| {
                (
                    v.settings.clone(),
                    v.reproduce.clone(),
                    v.build.clone().unwrap().sha256,
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&first), of(&second));
    // A shell can do it by hand: one line each, quoted.
    let by_hand = &first.variants[1].reproduce;
    assert!(
        by_hand[0].starts_with("cd ") && by_hand[0].ends_with("/sub"),
        "{by_hand:?}"
    );
    let command = by_hand.iter().find(|l| l.contains("prog")).unwrap();
    assert!(command.ends_with(&format!("/prog '' -x < '{}'", lab.path("in put").display())));
}
