//! What is wrong with the command line or the study: exit code 2, or 4 when
//! there is nothing to do.

use crate::lab::{Lab, have, study, workload};

#[test]
fn a_command_line_that_means_nothing() {
    let lab = Lab::empty();
    for args in [
        &[][..],
        &["--no-such-flag"],
        &["run"],
        &["run", "study", "--no-such-flag"],
        &["rnu", "study"],
        &["report", "--format", "papyrus"],
        &["run", "study", "--resume", "--smoke"],
        &["run", "study", "--dry-run", "--resume"],
        &["run", "study", "--seed", "many"],
    ] {
        let out = lab.karat(args).exits(2);
        assert!(out.stdout.is_empty(), "{args:?}");
        assert!(!out.stderr.is_empty(), "{args:?}");
    }
    lab.karat(&["rn", "study"]).exits(2).says(&["'run'"]);
    let help = lab.karat(&["--help"]).exits(0).stdout;
    assert!(help.contains("\n  0    GO or SAME"), "{help}");
    let version = lab.karat(&["--version"]).exits(0).stdout;
    assert!(version.starts_with("karat "), "{version}");
    let help = lab.karat(&["run", "--help"]).exits(0).stdout;
    for line in ["NO-GO", "101", "130"] {
        assert!(help.contains(line), "no exit code {line}: {help}");
    }
}

#[test]
fn a_bad_study_is_shown_with_a_caret() {
    let lab = Lab::with(&study("[measur]\nmax-rounds = 10\n"));
    let out = lab.run(&[]).exits(2);
    assert!(out.stdout.is_empty());
    let file = std::path::Path::new("study").join("study.toml");
    out.says(&[
        "unknown key `measur`",
        &format!("--> {}:", file.display()),
        "^^^^^^",
        "did you mean `measure`?",
        "1 problem(s) in the study",
    ]);
    assert!(!lab.path("runs").exists(), "nothing was begun");
}

#[test]
fn a_path_that_is_not_there_is_shown_with_a_caret() {
    let lab = Lab::with(&study("").replace("dir = \"src\"", "dir = \"sources\""));
    let out = lab.run(&["--dry-run"]).exits(2);
    out.says(&["no such file or folder: sources", "^^^^^^^^^"]);
}

#[test]
fn a_study_that_is_not_there() {
    let lab = Lab::empty();
    for place in ["nowhere", "nowhere/study.toml", "."] {
        let out = lab.karat(&["run", place]).exits(2);
        out.says(&["no study at", place, "karat init"]);
    }
}

#[test]
fn a_study_is_named_by_its_file_or_its_folder() {
    let lab = Lab::with(&study(""));
    for place in ["study", "study/", "study/study.toml", "./study/study.toml"] {
        lab.karat(&["run", place, "--dry-run"]).exits(0);
    }
    // From inside, where its folder has no name.
    let inside = |args: &[&str]| {
        let mut command = lab.command(args);
        crate::lab::Outcome::of(command.current_dir(lab.path("study")))
    };
    inside(&["run", "study.toml", "--dry-run"]).exits(0);
    inside(&["run", ".", "--dry-run"]).exits(0);
    if have("gcc") {
        inside(&["run", "study.toml", "--smoke"]).exits(0);
        assert!(
            lab.path("study/karat-runs").is_dir(),
            "where karat was started"
        );
    }
}

#[test]
fn an_isa_that_this_machine_lacks_leaves_a_variant_out() {
    let has = karat_cpu::detect();
    let Some(lacks) = karat_cpu::Isa::all().find(|isa| !has.contains(*isa)) else {
        println!("SKIPPED: this machine has every ISA");
        return;
    };
    let requires = |name: &str| format!("name = \"{name}\"\nrequires = [\"{}\"]", lacks.name());
    let all = study(&workload("spin", r#"["bench"]"#));
    let message = format!("this CPU has no {}", lacks.name());

    let baseline = all.replace(
        "name = \"plain\"\n\n",
        &format!("{}\n\n", requires("plain")),
    );
    let out = Lab::with(&baseline).run(&[]).exits(4);
    out.says(&["the baseline `plain` cannot run", &message]);

    let both = all
        .replace("name = \"lean\"", &requires("lean"))
        .replace("name = \"heavy\"", &requires("heavy"));
    let lab = Lab::with(&both);
    let out = lab.run(&[]).exits(4);
    out.says(&["no variant is left", "lean: ", "heavy: ", &message]);
    assert!(!lab.path("runs").exists());

    // One is left: the study runs and says what it left out.
    let lab = Lab::with(&all.replace("name = \"lean\"", &requires("lean")));
    let plan = lab.run(&["--dry-run"]).exits(0).stdout;
    assert!(plan.contains(&format!("left out: {message}")), "{plan}");
    if !have("gcc") {
        return;
    }
    let out = lab.run(&["--smoke"]).exits(0);
    assert!(out.stdout.contains(lacks.name()), "{}", out.stdout);
    let evidence = lab.evidence();
    assert_eq!(
        evidence.variants[1].left_out.as_deref(),
        Some(message.as_str())
    );
    assert!(evidence.variants[1].build.is_none() && evidence.variants[1].audit.is_none());
    assert_eq!(evidence.arms.len(), 3);
}

#[test]
fn a_code_is_explained() {
    let lab = Lab::empty();
    let list = lab.karat(&["explain"]).exits(0).stdout;
    assert!(list.contains("KA003  symbol gone"), "{list}");
    let page = lab.karat(&["explain", "ka003"]).exits(0).stdout;
    assert!(page.starts_with("# KA003: symbol gone"), "{page}");
    assert!(page.contains("## What to do"), "{page}");
    let out = lab.karat(&["explain", "KA999"]).exits(2);
    out.says(&["no code KA999", "lists all"]);
    // Keys of a study are explained as codes are.
    assert!(list.contains("study.measure "), "{list}");
    let page = lab
        .karat(&["explain", "study.measure.margin"])
        .exits(0)
        .stdout;
    assert!(page.contains("without it  `\"1%\"`"), "{page}");
    let short = lab.karat(&["explain", "measure.margin"]).exits(0).stdout;
    assert!(short.starts_with("# study.measure.margin"), "{short}");
    let out = lab.karat(&["explain", "study.margin"]).exits(2);
    out.says(&["karat explain study.measure.margin"]);
}

#[test]
fn a_dry_run_says_what_is_missing_before_anything_is_built() {
    let text = study(&workload("spin", r#"["bench", "gone.bin"]"#));
    let text = text.replacen("\"gcc\"", "\"no-such-gcc\"", 1);
    let lab = Lab::with(&text);
    let out = lab.run(&["--dry-run"]).exits(2);
    for words in [
        "would fail\n  variant `plain`: the build command names `no-such-gcc`",
        "look at\n  workload `spin`: its argument `gone.bin` looks like a file",
        "a round is 4 runs",
        "`--smoke` shows it",
    ] {
        assert!(out.stdout.contains(words), "no `{words}` in {}", out.stdout);
    }
    out.says(&["this study cannot run here: 1 problem(s)"]);
    assert!(!lab.path("runs").exists(), "nothing was begun");
}

#[test]
fn a_runs_folder_that_cannot_be_made() {
    let lab = Lab::empty();
    lab.write("file", "no folder");
    let out = lab.karat(&["ab", "--runs", "file/runs", "--", "true", "--", "true"]);
    let out = out.exits(70).says(&[
        "`--runs` chooses another folder",
        "file/runs: Not a directory",
    ]);
    assert_eq!(out.stderr.matches("Not a directory").count(), 1);
}
