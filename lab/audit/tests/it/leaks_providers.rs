//! Tables of records that a routine is given, each with a function beside it that says whether it
//! counts (`fixtures/providers.c`).

use crate::by_compilers;
use karat_model::leaks::{Certainty, Reach};

/// How the kernel stands, by each compiler that is there.
fn each(how: &str, asked: &str, check: impl Fn(Reach, Certainty, &str)) {
    let builds = [
        ["cc", "-O2"],
        ["cc", "-O1"],
        ["cc", "-Os"],
        ["clang", "-O2"],
    ];
    let flags = ["-shared", "-fPIC", "-fvisibility=hidden", "-s", how, asked];
    by_compilers::each(&builds, "providers.c", &flags, |report, built| {
        let kernel = report.functions.first().expect("the kernel");
        let what = format!("{built}: {kernel:#?}");
        check(kernel.reach, kernel.confidence, &what);
    });
}

#[test]
fn a_record_counts_where_its_function_says_so() {
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
fn a_record_that_counts_otherwise_is_not_guarded() {
    each("-DHOW=0", "-DASKED=(1u<<3)", |reach, _, what| {
        assert_ne!(reach, Reach::Guarded, "{what}");
    });
    for how in 1..=7 {
        let how = format!("-DHOW={how}");
        each(&how, "-DASKED=(1u<<5)", |reach, confidence, what| {
            let is_claim = reach == Reach::Guarded && confidence > Certainty::Low;
            assert!(!is_claim, "{how} {what}");
        });
    }
}
