//! Variants that are the baseline's program, byte for byte.

use crate::lab::{Lab, SELFTEST, have, study, workload};
use karat_model::verdict::Verdict;

/// Three variants whose flags make no difference, and no paths in their programs.
fn alike() -> String {
    study(&format!("{SELFTEST}{}", workload("spin", r#"["bench"]"#)))
        .replace(" \"-g1\",", "")
        .replace("-DWORK=3", "-DUNUSED=1")
        .replace("-DWORK=1", "-DUNUSED=2")
        .replace("-DWORK=9", "-DUNUSED=3")
}

#[test]
fn identical_programs_are_the_same_without_a_run() {
    if !have("gcc") {
        return;
    }
    let lab = Lab::with(&alike());
    let out = lab.run(&[]).exits(0);
    for words in [
        "SAME: heavy",
        "the same program as the baseline, byte for byte",
        "Keep plain: there is nothing to choose between",
        "identity: one program (SHA-256 ",
    ] {
        assert!(out.stdout.contains(words), "no `{words}` in {}", out.stdout);
    }
    let evidence = lab.evidence();
    assert!(evidence.samples.is_empty() && evidence.parity.is_empty());
    // A smoke run proves that the study works, so it tries everything.
    lab.run(&["--smoke"]).exits(0);
    assert_eq!(lab.evidence().arms.len(), 4);
}

#[test]
fn only_what_differs_is_measured() {
    if !have("gcc") {
        return;
    }
    let text = alike().replace("-DUNUSED=3", "-DWORK=3");
    let lab = Lab::with(&text);
    let out = lab.run(&[]).exits(1);
    assert!(out.stdout.contains("NO-GO: heavy"), "{}", out.stdout);
    let evidence = lab.evidence();
    let arms: Vec<&str> = evidence.arms.iter().map(|a| a.variant.as_str()).collect();
    assert_eq!(arms, ["plain", "plain", "heavy"]);
    let lean = evidence.variants[1].verdict.as_ref().unwrap();
    assert_eq!(lean.verdict, Some(Verdict::Same));
    assert_eq!(evidence.workloads[0].comparisons.len(), 1);
}
