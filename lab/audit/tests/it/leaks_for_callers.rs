//! Exported functions that are there for callers who asked (`fixtures/for_callers.c`,
//! `fixtures/kernel_asks.c`, `fixtures/rust_export.c`).

use crate::by_compilers;
use karat_model::leaks::{AboveBaseline, Certainty, LeakReport, Reach};

const BUILDS: [[&str; 2]; 3] = [["cc", "-O2"], ["cc", "-O3"], ["clang", "-O2"]];
const LIBRARY: [&str; 3] = ["-shared", "-fPIC", "-fvisibility=hidden"];

fn each(name: &str, flags: &[&str], check: impl Fn(&LeakReport, &str)) {
    let flags = [&LIBRARY[..], flags].concat();
    by_compilers::each(&BUILDS, name, &flags, check);
}

fn of<'r>(report: &'r LeakReport, name: &str) -> &'r AboveBaseline {
    let mut all = report.functions.iter();
    all.find(|it| it.function == name).expect(name)
}

/// What is not followed twice is above the baseline all the same: what it calls was said to be
/// behind too little.
#[test]
fn what_an_exported_kernel_goes_on_to_is_its_callers_to_guard() {
    each("kernel_asks.c", &["-DWRONG=0"], |report, built| {
        for name in ["many", "wide"] {
            let one = of(report, name);
            assert_eq!(one.reach, Reach::Exported, "{built}: {one:#?}");
        }
    });
    each("kernel_asks.c", &["-DWRONG=1"], |report, built| {
        let wide = of(report, "wide");
        assert_eq!(wide.reach, Reach::Insufficient, "{built}: {wide:#?}");
        assert_eq!(wide.lacks, ["aes"], "{built}: {wide:#?}");
    });
}

#[test]
fn what_all_ways_need_is_not_what_is_asked_for() {
    each("for_callers.c", &["-DKIND=1"], |report, built| {
        for name in ["by_avx", "by_sha", "plain"] {
            let one = of(report, name);
            let state = (one.reach, one.confidence);
            let theirs = (Reach::Exported, Certainty::Medium);
            assert_eq!(state, theirs, "{built}: {one:#?}");
        }
    });
    // There is a way for CPUs without AES.
    each(
        "for_callers.c",
        &["-DKIND=1", "-DWRONG=1"],
        |report, built| {
            for name in ["by_avx", "by_sha"] {
                let one = of(report, name);
                assert_eq!(one.reach, Reach::Insufficient, "{built}: {one:#?}");
            }
        },
    );
    // Another function goes there unasked.
    each(
        "for_callers.c",
        &["-DKIND=1", "-DWRONG=2"],
        |report, built| {
            let one = of(report, "by_avx");
            assert_eq!(one.reach, Reach::Leak, "{built}: {one:#?}");
        },
    );
}

#[test]
fn a_name_says_what_the_cpu_has() {
    each("for_callers.c", &["-DKIND=2"], |report, built| {
        let inner = of(report, "inner");
        let state = (inner.reach, inner.confidence);
        let theirs = (Reach::Exported, Certainty::Medium);
        assert_eq!(state, theirs, "{built}: {inner:#?}");
    });
    // What a rarer extension stands on is there too.
    for (name, state) in [
        ("-DNAME=sum_xop", Reach::Exported),
        ("-DNAME=boxop", Reach::Leak),
    ] {
        let flags = ["-DKIND=2", "-DNEEDS=\"avx\"", name];
        each("for_callers.c", &flags, |report, built| {
            let inner = of(report, "inner");
            assert_eq!(inner.reach, state, "{built}: {inner:#?}");
        });
    }
    // The name says less, and another function goes there unasked.
    for wrong in ["-DWRONG=1", "-DWRONG=2"] {
        each("for_callers.c", &["-DKIND=2", wrong], |report, built| {
            let inner = of(report, "inner");
            assert_eq!(inner.reach, Reach::Leak, "{built}: {inner:#?}");
        });
    }
}

#[test]
fn what_only_an_exported_kernel_takes_is_for_its_callers() {
    each("for_callers.c", &["-DKIND=3"], |report, built| {
        for name in ["inner", "outer"] {
            let one = of(report, name);
            let state = (one.reach, one.confidence);
            let theirs = (Reach::Exported, Certainty::Medium);
            assert_eq!(state, theirs, "{built}: {one:#?}");
        }
    });
    // It needs more, and another function that needs nothing takes it too.
    for wrong in ["-DWRONG=1", "-DWRONG=2"] {
        each("for_callers.c", &["-DKIND=3", wrong], |report, built| {
            for name in ["inner", "outer"] {
                let one = of(report, name);
                assert_eq!(one.reach, Reach::Unknown, "{built}: {one:#?}");
            }
        });
    }
}

#[test]
fn what_nothing_in_a_library_refers_to_is_for_others() {
    each("rust_export.c", &["-O3"], |report, built| {
        let states = report.functions.iter().map(|it| (it.reach, it.confidence));
        let states: Vec<_> = states.collect();
        assert_eq!(states, [(Reach::Exported, Certainty::Medium)], "{built}");
    });
}
