//! A study from its file to its verdict.

use crate::lab::{Lab, Outcome, PROGRAM, SELFTEST, firsts, have, study, workload};
use karat_model::evidence::{Evidence, SCHEMA};
use karat_model::measure::Role;
use karat_model::verdict::{Judgement, Verdict};
use std::collections::BTreeSet;
use std::fs;

/// The judged word of a variant on the only workload.
fn word(evidence: &Evidence, variant: &str) -> Judgement {
    let comparisons = &evidence.workloads[0].comparisons;
    let found = comparisons.iter().find(|c| c.variant == variant);
    found.expect("the variant was compared").judgement
}

/// Round, place in the round and arm of every first attempt, in the order of
/// measuring.
fn order(evidence: &Evidence) -> Vec<(u32, u32, u32)> {
    let samples = evidence.samples.iter().filter(|s| s.attempt == 0);
    samples.map(|s| (s.round, s.position, s.arm)).collect()
}

#[test]
fn a_study_becomes_a_verdict() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::with(&study(&(workload("spin", r#"["bench"]"#) + SELFTEST)));

    // A dry run says what would be done, and does nothing.
    let plan = lab.run(&["--dry-run"]).exits(0);
    for expected in [
        "plain",
        "lean",
        "heavy",
        "spin",
        "selftest",
        "at most 5 min 0 s of measuring",
        "max-time",
    ] {
        assert!(
            plan.stdout.contains(expected),
            "no {expected}: {}",
            plan.stdout
        );
    }
    assert!(!lab.path("runs").exists());

    // NO-GO: the candidate does three times the work.
    let first = lab.run(&["--seed", "42"]).exits(1);
    let folders = lab.finished();
    assert_eq!(folders.len(), 1, "{folders:?}");
    let place = first.stdout.trim_end().lines().last().unwrap();
    assert_eq!(lab.path(place), folders[0], "the path is printed last");
    for heading in ["SLOWER", "NO-GO", "heavy"] {
        assert!(first.stdout.contains(heading), "{}", first.stdout);
    }
    for name in [
        "report.html",
        "report.md",
        "evidence.json",
        "samples.jsonl",
        "study.toml",
    ] {
        let size = fs::metadata(folders[0].join(name)).map_or(0, |m| m.len());
        assert!(size > 0, "{name} is missing or empty");
    }
    for variant in ["plain", "lean", "heavy"] {
        let log = fs::read_to_string(folders[0].join(format!("logs/build-{variant}.log"))).unwrap();
        assert!(log.contains("gcc -O2 -g1 -DWORK="), "{log}");
    }
    assert!(lab.partial().is_empty());

    let evidence = lab.evidence();
    check_evidence(&evidence);
    let lines = fs::read_to_string(folders[0].join("samples.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), evidence.samples.len());
    assert_eq!(lab.builds(), 3);

    // The second run takes its builds from the cache.
    let second = lab
        .run(&["--exit-zero", "--format", "json", "--seed", "42"])
        .exits(0);
    let printed: Evidence = serde_json::from_str(&second.stdout).expect("stdout is the evidence");
    assert_eq!(printed, lab.evidence(), "and the same as the file");
    let again = lab.finished().pop().unwrap();
    let name = again.file_name().unwrap().to_string_lossy();
    assert!(
        second.stderr.trim_end().ends_with(&*name),
        "{}",
        second.stderr
    );
    for (before, after) in evidence.variants.iter().zip(&printed.variants) {
        let (before, after) = (
            before.build.as_ref().unwrap(),
            after.build.as_ref().unwrap(),
        );
        assert!(!before.cached && after.cached);
        assert_eq!((&before.key, &before.sha256), (&after.key, &after.sha256));
    }
    assert_eq!(printed.verdict.verdict, Some(Verdict::NoGo));
    // When all is decided hangs on the machine: one may have more rounds than the other.
    let (one, other) = (order(&printed), order(&evidence));
    let both = one.len().min(other.len());
    assert!(both >= 24, "six rounds of four arms");
    assert_eq!(one[..both], other[..both], "the same seed, the same order");

    // Nobody reads what it says; its code still tells the verdict.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = lab.command(&["run", "study", "--runs", "runs"]);
    Outcome::of(command.stdout(writer)).exits(1);

    // Now there is something to judge the time by.
    let plan = lab.run(&["--dry-run"]).exits(0);
    assert!(plan.stdout.contains("-tiny took "), "{}", plan.stdout);
    assert_eq!(lab.finished().len(), 3);
}

fn check_evidence(evidence: &Evidence) {
    assert_eq!(evidence.schema, SCHEMA);
    assert_eq!(evidence.study.name, "tiny");
    assert_eq!(evidence.study.margin, 0.5);
    assert!(evidence.study.source.contains("[[workload]]"));
    assert_eq!(evidence.run.seed, 42);
    assert!(!evidence.run.smoke);
    assert_eq!(evidence.run.resumed, 0);
    assert!(!evidence.machine.kernel.is_empty());

    let names: Vec<&str> = evidence.variants.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["plain", "lean", "heavy"]);
    assert_eq!(evidence.baseline().unwrap().name, "plain");
    assert_eq!(evidence.variants[1].why, "a third of the work");
    for variant in &evidence.variants {
        assert_eq!(variant.left_out, None);
        let audit = variant.audit.as_ref().expect("each binary is audited");
        assert!(audit.total.instructions > 0);
        assert!(variant.settings[0].contains("-DWORK="));
        assert!(variant.reproduce.iter().any(|l| l.contains("gcc")));
    }
    assert_eq!(evidence.parity.len(), 2);
    assert!(
        evidence
            .parity
            .iter()
            .all(|p| p.passed && p.name == "selftest")
    );

    let roles: Vec<Role> = evidence.arms.iter().map(|a| a.role).collect();
    let expected = [Role::Baseline, Role::Again, Role::Variant, Role::Variant];
    assert_eq!(roles, expected);
    let rounds = evidence.workloads[0].rounds;
    assert!((6..=10).contains(&rounds), "{rounds} rounds");
    let places: BTreeSet<_> = evidence.samples.iter().map(|s| (s.round, s.arm)).collect();
    assert_eq!(places.len(), firsts(evidence), "each arm once in a round");
    assert!(places.len() <= 4 * rounds as usize);
    assert!(
        evidence
            .samples
            .iter()
            .all(|s| s.values[0] > 0.0 && s.wall > 0.0)
    );
    // Arms take turns: no order twice in a row, all through the run.
    let order = |round: u32| -> Vec<u32> {
        let of_round = |s: &&karat_model::measure::Sample| s.round == round && s.attempt == 0;
        let of_round = evidence.samples.iter().filter(of_round);
        of_round.map(|s| s.arm).collect()
    };
    assert!(
        (1..10).any(|round| order(round) != order(0)),
        "random order"
    );

    assert_eq!(evidence.workloads.len(), 1);
    let workload = &evidence.workloads[0];
    assert_eq!(workload.rounds, 10);
    assert_eq!(workload.metric.name, "time");
    assert!(workload.again_passed);
    assert_eq!(word(evidence, "lean"), Judgement::Faster);
    assert_eq!(word(evidence, "heavy"), Judgement::Slower);
    let verdict_of = |i: usize| evidence.variants[i].verdict.as_ref().unwrap().verdict;
    assert_eq!(evidence.variants[0].verdict, None);
    assert_eq!(verdict_of(1), Some(Verdict::Go));
    assert_eq!(verdict_of(2), Some(Verdict::NoGo));
    assert_eq!(evidence.verdict.verdict, Some(Verdict::NoGo));
    assert_eq!(evidence.verdict.about.as_deref(), Some("heavy"));
    assert_eq!(evidence.verdict.recommended.as_deref(), Some("lean"));
    assert!(
        evidence.verdict.summary.contains("heavy: slower on spin"),
        "{}",
        evidence.verdict.summary
    );
}

#[test]
fn a_variant_that_helps_is_go() {
    if !have("gcc") {
        return;
    }
    let study = study(&workload("spin", r#"["bench"]"#))
        .replace("candidate = \"heavy\"", "candidate = \"lean\"");
    let lab = Lab::with(&study);
    let out = lab.run(&["--quiet"]).exits(0);
    assert_eq!(out.stderr, "", "quiet says nothing when all goes well");
    let evidence = lab.evidence();
    assert_eq!(evidence.verdict.verdict, Some(Verdict::Go));
    assert_eq!(evidence.verdict.about.as_deref(), Some("lean"));
}

#[test]
fn cpu_time_and_patterns_are_metrics_too() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::with(&study(
        "[[workload]]\nname = \"cpu\"\nargs = [\"bench\"]\n\n\
         [[workload]]\nname = \"pattern\"\nargs = [\"bench\"]\n\
         metric = { regex = '\"value\": (?<value>[0-9.]+), \"unit\": \"(?<unit>[a-z]+)\"', unit = \"s\", better = \"lower\" }\n",
    ));
    lab.run(&["--smoke"]).exits(0);
    let evidence = lab.evidence();
    let of = |w: usize| {
        let samples = evidence
            .samples
            .iter()
            // Disturbed runs are made again.
            .filter(move |s| s.workload == w as u32 && s.attempt == 0);
        samples.collect::<Vec<_>>()
    };
    assert!(!of(0).is_empty() && of(0).len() == of(1).len());
    assert!(
        of(0).iter().all(|s| s.values == [s.cpu]),
        "the cost of the process"
    );
    assert!(
        of(1).iter().all(|s| s.values[0] < s.wall),
        "what the program says"
    );
}

#[test]
fn a_smoke_run_withholds_its_verdict() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::with(&study(&(workload("spin", r#"["bench"]"#) + SELFTEST)));
    let out = lab.run(&["--smoke"]).exits(0);
    assert!(!out.stdout.contains("NO-GO"), "{}", out.stdout);
    let evidence = lab.evidence();
    assert!(evidence.run.smoke);
    assert_eq!(evidence.verdict.verdict, None);
    assert!(
        evidence
            .verdict
            .withheld
            .as_ref()
            .unwrap()
            .contains("smoke")
    );
    assert!(evidence.workloads[0].rounds < 10);
    assert!(
        evidence
            .variants
            .iter()
            .all(|v| v.verdict.as_ref().is_none_or(|j| j.verdict.is_none()))
    );
}

#[test]
fn the_control_runs_a_copy_of_the_baseline() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::empty();
    let names = lab.path("names");
    let args = format!("[\"name\", {:?}]", names.to_str().unwrap());
    lab.write("study/study.toml", &study(&workload("w", &args)));
    lab.write("study/src/prog.c", PROGRAM);
    lab.run(&["--smoke"]).exits(0);
    let said = fs::read_to_string(&names).unwrap();
    let mut paths: Vec<&str> = said.lines().collect();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), 4, "plain twice, lean, heavy: {paths:?}");
    let copy = paths.iter().find(|p| p.contains("/copies/"));
    let copy = copy.expect("one of them is a copy");
    let original = copy.replace("/copies/", "/builds/");
    assert!(paths.contains(&original.as_str()), "{paths:?}");
    assert_eq!(fs::read(copy).unwrap(), fs::read(&original).unwrap());
}
