//! Code that runs where a value is a function's address (`fixtures/equal.c`).

use crate::build::try_by;
use crate::by_compilers;
use karat_audit::{Baseline, searched};
use karat_model::leaks::{Certainty, Reach};

/// How the function stands that is behind the comparison, the last one.
fn each(how: &str, asked: &str, check: impl Fn(Reach, Certainty, &str)) {
    let builds = [["cc", "-O2"], ["cc", "-O1"], ["clang", "-O2"]];
    let flags = ["-fPIC", "-shared", "-fvisibility=hidden", how, asked];
    by_compilers::each(&builds, "equal.c", &flags, |report, built| {
        let mut all = report.functions.iter();
        let kernel = all.find(|it| it.function == "both_fast");
        let kernel = kernel.expect("the kernel");
        let what = format!("{built}: {:#?}", report.functions);
        check(kernel.reach, kernel.confidence, &what);
    });
}

#[test]
fn what_is_equal_to_a_function_was_handed_out() {
    each("-DHOW=0", "-DASKED=(1u<<5)", |reach, confidence, what| {
        assert_eq!(
            (reach, confidence),
            (Reach::Guarded, Certainty::Medium),
            "{what}"
        );
    });
}

/// Another bit is asked for, or one of the ways that the fixture lists is gone.
#[test]
fn what_may_be_handed_out_by_others_guards_nothing() {
    each("-DHOW=0", "-DASKED=(1u<<3)", |reach, _, what| {
        assert_ne!(reach, Reach::Guarded, "{what}");
    });
    for how in 1..=6 {
        let how = format!("-DHOW={how}");
        each(&how, "-DASKED=(1u<<5)", |reach, confidence, what| {
            let is_claim = reach == Reach::Guarded && confidence > Certainty::Low;
            assert!(!is_claim, "{how} {what}");
            // The comparison may be the question.
            let is_denied = matches!(reach, Reach::Leak | Reach::Insufficient);
            assert!(
                !is_denied || !how.ends_with(['3', '4', '5']),
                "{how} {what}"
            );
        });
    }
}

/// An address that is only compared is no use of its function.
#[test]
fn a_comparison_takes_no_pointer() {
    let flags = ["-O2", "-fPIC", "-shared", "-fvisibility=hidden"];
    let Some(built) = try_by("cc", "equal.c", &flags) else {
        return;
    };
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&built.bytes, &baseline).expect("a sound binary");
    let mut all = report.functions.iter();
    let chosen = all.find(|it| it.function == "hash_fast").expect("it");
    assert_eq!(
        (chosen.reach, chosen.confidence),
        (Reach::Guarded, Certainty::High)
    );
}
