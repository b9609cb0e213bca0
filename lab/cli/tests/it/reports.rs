//! Finished runs: rendered again, listed, in colour or not.

use crate::lab::{Lab, Outcome, SELFTEST, have, study, workload};
use karat_model::evidence::Evidence;
use serde_json::Value;
use std::fs;

/// A lab with one finished smoke run.
fn finished() -> Lab {
    let lab = Lab::with(&study(&(workload("spin", r#"["bench"]"#) + SELFTEST)));
    lab.run(&["--smoke"]).exits(0);
    lab
}

#[test]
fn a_run_is_rendered_again_in_every_form() {
    if !have("gcc") {
        return;
    }
    let lab = finished();
    let folder = lab.finished().pop().unwrap();
    let kept = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let render = |format: &str| {
        let out = lab.karat(&["report", "latest", "--runs", "runs", "--format", format]);
        out.exits(0).stdout
    };
    assert_eq!(render("markdown"), kept("report.md"));
    assert_eq!(render("html"), kept("report.html"));
    let evidence: Evidence = serde_json::from_str(&render("json")).unwrap();
    assert_eq!(evidence, lab.evidence());
    assert!(
        render("html").starts_with("<!doctype html>")
            || render("html").starts_with("<!DOCTYPE html>")
    );
    assert!(render("human").contains("heavy"));

    // The run may be named by its id, its folder or its evidence.
    let id = evidence.run.id.as_str();
    let in_runs = format!("runs/{id}");
    let file = format!("runs/{id}/evidence.json");
    for name in [id, &in_runs, &file] {
        let out = lab.karat(&["report", name, "--runs", "runs", "--format", "markdown"]);
        assert_eq!(out.exits(0).stdout, kept("report.md"), "{name}");
    }
}

#[test]
fn reports_go_to_files_by_their_endings() {
    if !have("gcc") {
        return;
    }
    let lab = finished();
    let folder = lab.finished().pop().unwrap();
    let kept = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let out = lab.karat(&[
        "report", "--runs", "runs", "-o", "a.md", "--output", "b.html", "-o", "c.json", "-o",
        "d.txt",
    ]);
    assert!(
        !out.exits(0).stdout.is_empty(),
        "stdout gets its report all the same"
    );
    assert_eq!(lab.read("a.md"), kept("report.md"));
    assert_eq!(lab.read("b.html"), kept("report.html"));
    let evidence: Evidence = serde_json::from_str(&lab.read("c.json")).unwrap();
    assert_eq!(evidence, lab.evidence());
    assert!(!lab.read("d.txt").contains('\x1b'));

    let out = lab.karat(&["report", "--runs", "runs", "-o", "report.docx"]);
    out.exits(2).says(&["report.docx", ".html"]);
    assert!(!lab.path("report.docx").exists());
    // A wrong name is no reason to measure for minutes first.
    lab.run(&["-o", "report"]).exits(2);
    assert_eq!(lab.finished().len(), 1);
    // Nor is a folder that is not there.
    let out = lab.run(&["-o", "no/such/folder/r.md"]).exits(2);
    out.says(&["no/such/folder/r.md"]);
    assert_eq!(lab.finished().len(), 1);
    // A place that is full loses the file, not the run.
    std::os::unix::fs::symlink("/dev/full", lab.path("full.md")).unwrap();
    let out = lab.run(&["--smoke", "-o", "full.md"]).exits(70);
    let folder = lab.finished().pop().unwrap();
    let name = folder.file_name().unwrap().to_str().unwrap();
    out.says(&[name, "full.md"]);
}

#[test]
fn history_lists_runs() {
    if !have("gcc") {
        return;
    }
    let lab = finished();
    lab.run(&["--smoke"]).exits(0);
    let ids: Vec<String> = lab
        .finished()
        .iter()
        .rev()
        .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    let out = lab.karat(&["history", "--runs", "runs"]).exits(0);
    let lines = rows(&out.stdout);
    assert_eq!(lines.len(), 2, "{}", out.stdout);
    for (line, id) in lines.iter().zip(&ids) {
        assert!(line.starts_with(id.as_str()), "newest first: {line}");
        assert!(line.contains("withheld"), "{line}");
    }
    let args = ["history", "--runs", "runs", "--format", "markdown", "-o"];
    let out = lab.karat(&[&args[..], &["h.html"]].concat()).exits(0);
    assert!(
        out.stdout.contains(&format!("| `{}` |", ids[0])),
        "{}",
        out.stdout
    );
    let page = lab.read("h.html");
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains(&ids[1]),
        "{page}"
    );
    lab.karat(&[&args[..], &["h.sarif"]].concat())
        .exits(2)
        .says(&["h.sarif"]);
    let out = lab
        .karat(&["history", "--runs", "runs", "--format", "json"])
        .exits(0);
    let json: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(json["schema"], 1);
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    for (run, id) in runs.iter().zip(&ids) {
        assert_eq!(run["id"], id.as_str());
        assert_eq!(run["study"], "tiny");
        assert_eq!(run["verdict"], Value::Null);
        assert!(run["samples"].as_u64().unwrap() > 0);
    }
    let out = lab.karat(&["history", "tiny", "--runs", "runs"]).exits(0);
    assert_eq!(rows(&out.stdout).len(), 2);
    lab.karat(&["history", "other", "--runs", "runs"]).exits(4);

    // `karat history | head -1`, head gone before the first byte.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = lab.command(&["history", "--runs", "runs"]);
    let out = Outcome::of(command.stdout(writer)).exits(0);
    assert_eq!(out.stderr, "");
}

#[test]
fn without_runs_there_is_nothing_to_show() {
    let lab = Lab::empty();
    lab.karat(&["history"]).exits(4).says(&["karat-runs"]);
    let out = lab.karat(&["history", "--format", "json"]).exits(0);
    let json: Value = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(json["runs"], Value::Array(Vec::new()));
    lab.karat(&["report"])
        .exits(2)
        .says(&["latest", "karat history"]);
    lab.karat(&["report", "20260101-000000-x"]).exits(2);
    assert!(!lab.path("karat-runs").exists(), "asking makes nothing");
}

#[test]
fn evidence_that_cannot_be_read_is_named() {
    let lab = Lab::empty();
    lab.write("runs/20260101-000000-x/evidence.json", "{\"schema\": 99}");
    let out = lab.karat(&["report", "latest", "--runs", "runs"]).exits(2);
    out.says(&["evidence.json", "not evidence that this karat can read"]);
}

#[test]
fn colour_obeys_the_flag_and_the_variables() {
    if !have("gcc") {
        return;
    }
    let lab = finished();
    lab.write("bad.toml", "schema = 2\n");
    for args in [&["report", "--runs", "runs"][..], &["run", "bad.toml"]] {
        let coloured = |more: &[&str], variables: &[(&str, &str)]| {
            let mut command = lab.command(&[args, more].concat());
            let out = Outcome::of(command.envs(variables.iter().copied()));
            (out.stdout + &out.stderr).contains('\x1b')
        };
        let force = ("CLICOLOR_FORCE", "1");
        let none = ("NO_COLOR", "1");
        assert!(coloured(&["--color", "always"], &[]), "{args:?}");
        assert!(coloured(&[], &[force]), "{args:?}");
        assert!(!coloured(&[], &[]), "no terminal, no colour: {args:?}");
        assert!(!coloured(&[], &[force, none]), "{args:?}");
        assert!(!coloured(&["--color", "never"], &[force]), "{args:?}");
    }
    // Forms for files and programs never have any.
    for format in ["markdown", "html", "json"] {
        let args = [
            "report", "--runs", "runs", "--color", "always", "--format", format,
        ];
        assert!(
            !lab.karat(&args).exits(0).stdout.contains('\x1b'),
            "{format}"
        );
    }
}

/// The lines of runs in a list for a terminal.
fn rows(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|l| l.contains("-tiny")).collect()
}
