//! Builds by commands, and binaries that exist.

use crate::lab::{Lab, PROGRAM, have, study, workload};
use karat_model::verdict::Judgement;
use std::fs;
use std::process::Command;

#[test]
fn existing_binaries_are_compared_as_they_are() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    lab.write("prog.c", PROGRAM);
    fs::create_dir_all(lab.path("study/bin")).unwrap();
    for (name, work) in [("one", "-DWORK=2"), ("two", "-DWORK=6")] {
        let built = Command::new("gcc")
            .args(["-O2", work, "-o"])
            .arg(lab.path("study/bin").join(name))
            .arg(lab.path("prog.c"))
            .status();
        assert!(built.unwrap().success());
    }
    lab.write(
        "study/study.toml",
        &format!(
            "schema = 1\nname = \"two\"\nbaseline = \"one\"\n\
             [[variant]]\nname = \"one\"\nbinary = \"bin/one\"\n\
             [[variant]]\nname = \"two\"\nbinary = \"bin/two\"\n\
             [measure]\nmax-rounds = 10\nmargin = \"50%\"\n{}",
            workload("spin", r#"["bench"]"#)
        ),
    );
    lab.run(&[]).exits(1);
    let evidence = lab.evidence();
    assert_eq!(
        evidence.workloads[0].comparisons[0].judgement,
        Judgement::Slower
    );
    // The only other variant is what the verdict is about.
    assert_eq!(evidence.verdict.about.as_deref(), Some("two"));
    assert_eq!(lab.builds(), 0, "nothing was built");
    assert!(
        evidence
            .variants
            .iter()
            .all(|v| v.build.as_ref().unwrap().cached)
    );

    fs::remove_file(lab.path("study/bin/two")).unwrap();
    lab.run(&[])
        .exits(2)
        .says(&["no such file or folder: bin/two"]);
}

#[test]
fn study_and_runs_beside_the_sources_are_no_sources() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    lab.write("study/prog.c", PROGRAM);
    let text = study(&workload("spin", r#"["bench"]"#)).replace(r#"dir = "src""#, r#"dir = ".""#);
    lab.write("study/study.toml", &text);
    let runs = lab.path("study/out").to_string_lossy().into_owned();
    let run = ["run", "study", "--smoke", "--runs", &runs];
    lab.karat(&run).exits(0);
    lab.write("study/study.toml", &format!("{text}\n# a remark\n"));
    lab.karat(&run).exits(0);
    let builds = fs::read_dir(lab.path("study/out/cache/builds")).unwrap();
    assert_eq!(builds.count(), 3, "one build for each variant");
}

#[test]
fn a_changed_source_is_built_again_and_a_changed_back_one_is_not() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::with(&study(&workload("spin", r#"["bench"]"#)));
    let cached = || {
        lab.run(&["--smoke"]).exits(0);
        let variants = lab.evidence().variants;
        let cached = variants.iter().map(|v| v.build.as_ref().unwrap().cached);
        cached.collect::<Vec<_>>()
    };
    assert_eq!(cached(), [false; 3]);
    assert_eq!(cached(), [true; 3]);
    let changed = PROGRAM.replace("600000", "700000");
    lab.write("study/src/prog.c", &changed);
    assert_eq!(cached(), [false; 3]);
    lab.write("study/src/prog.c", PROGRAM);
    assert_eq!(cached(), [true; 3]);
    // A new file may decide as well: karat cannot know what a command reads.
    lab.write("study/src/prog.h", "");
    assert_eq!(cached(), [false; 3]);
    fs::remove_file(lab.path("study/src/prog.h")).unwrap();
    assert_eq!(cached(), [true; 3]);
}

#[test]
fn a_damaged_build_is_made_again() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::with(&study(&workload("spin", r#"["bench"]"#)));
    lab.run(&["--smoke"]).exits(0);
    let before = lab.evidence().variants[2].build.clone().unwrap();
    let binary = lab.path("runs/cache/builds").join(&before.key).join("prog");
    let mut bytes = fs::read(&binary).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::remove_file(&binary).unwrap();
    fs::write(&binary, bytes).unwrap();
    lab.run(&["--smoke"]).exits(0);
    let after = lab.evidence().variants[2].build.clone().unwrap();
    assert!(!after.cached);
    assert_eq!(after.sha256, before.sha256);
}

#[test]
fn variants_of_one_makefile_do_not_meet() {
    if !have("gcc") {
        return;
    }
    // Each leaves a file that would spoil the next one's build.
    let build = |work: &str| {
        format!(
            r#"command = ["sh", "-c", "test ! -e used && touch used && gcc -O2 -DWORK={work} $MORE -o out prog.c"]"#
        )
    };
    let lab = Lab::empty();
    lab.write("study/src/prog.c", PROGRAM);
    lab.write(
        "study/study.toml",
        &format!(
            "schema = 1\nname = \"s\"\nbaseline = \"a\"\n[subject]\ndir = \"src\"\n\
             artifact = \"out\"\nenv = {{ MORE = \"-DDIGEST=5\" }}\n{}\n\
             [[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n{}\n\
             [[variant]]\nname = \"c\"\nenv = {{ MORE = \"-DDIGEST=6\" }}\n{}",
            build("1"),
            build("2"),
            crate::lab::SELFTEST
        ),
    );
    lab.run(&["--smoke"]).exits(103);
    assert_eq!(lab.builds(), 3);
    assert!(
        !lab.path("study/src/used").exists(),
        "the user's folder is left alone"
    );
    assert!(!lab.path("study/src/out").exists());
    // The environment reached the compiler: `c` prints another digest.
    let parity = lab.evidence().parity;
    let passed: Vec<_> = parity
        .iter()
        .map(|p| (p.variant.as_str(), p.passed))
        .collect();
    assert_eq!(passed, [("b", true), ("c", false)]);
}

#[test]
fn what_is_built_is_audited_while_others_build() {
    if !have("gcc") {
        return;
    }
    let heavy = r#"["gcc", "-O2", "-g1", "-DWORK=9", "-o", "prog", "prog.c"]"#;
    let slow = r#"["sh", "-c", "sleep 1; gcc -O2 -g1 -DWORK=9 -o prog prog.c"]"#;
    // The baseline is not the first in the file.
    let study = study(&workload("spin", r#"["bench"]"#))
        .replace(heavy, slow)
        .replace("baseline = \"plain\"", "baseline = \"lean\"");
    assert!(study.contains(slow));
    let lab = Lab::with(&study);
    let costs = || -> Vec<String> {
        lab.run(&["--smoke", "--exit-zero"]).exits(0);
        let costs = lab.evidence().costs;
        costs.into_iter().map(|c| c.name).collect()
    };
    let first = costs();
    assert!(
        first.iter().any(|c| c == "audit, some of it beside builds"),
        "{first:?}"
    );
    let evidence = lab.evidence();
    for variant in &evidence.variants {
        let audit = variant.audit.as_ref().expect("all are audited");
        assert_eq!(audit.bloat.is_some(), !variant.baseline, "{}", variant.name);
    }
    let cached = costs();
    assert!(cached.iter().any(|c| c == "audit"), "{cached:?}");
}
