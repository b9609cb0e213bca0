//! Tables of which code names an element in the middle (`fixtures/middle.c`), and pointers that
//! are no table (`fixtures/side_by_side.c`).

use crate::by_compilers;
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

/// How the kernel stands, by each compiler that is there.
fn each(how: &str, flags: &[&str], check: impl Fn(Reach, Certainty, &str)) {
    let builds = [["clang", "-O2"], ["clang", "-O3"], ["cc", "-O3"]];
    let flags = [&[how], flags].concat();
    by_compilers::each(&builds, "middle.c", &flags, |report, built| {
        let kernel = report.functions.first().expect("the kernel");
        let what = format!("{built}: {kernel:#?}");
        check(kernel.reach, kernel.confidence, &what);
    });
}

/// Somebody calls an element of the table by a number, from its start: no question is asked there.
/// Clang's stripped builds were guarded, for certain.
#[test]
fn who_has_the_start_of_a_table_has_its_middle() {
    for flags in [&["-s"][..], &[], &["-s", "-fno-pie", "-no-pie"]] {
        each("-DHOW=1", flags, |reach, _, what| {
            assert_ne!(reach, Reach::Guarded, "{what}");
        });
        // Where other members lie between, it is only not certain.
        let flags = [flags, &["-DRECORDS=1"]].concat();
        each("-DHOW=1", &flags, |reach, confidence, what| {
            let is_claim = reach == Reach::Guarded && confidence == Certainty::High;
            assert!(!is_claim, "{what}");
        });
    }
}

/// Nobody does. A symbol says where the table begins; without it, less is certain.
#[test]
fn a_table_that_nobody_else_calls_from_is_guarded() {
    for (flags, sure) in [(&["-s"][..], Certainty::Medium), (&[], Certainty::High)] {
        each("-DHOW=0", flags, |reach, confidence, what| {
            // GCC does not unroll it, and an index is not followed.
            if what.starts_with("clang") {
                assert_eq!((reach, confidence), (Reach::Guarded, sure), "{what}");
            }
        });
    }
}

/// A load of one of two pointers that lie side by side has not the other. It was said to be behind
/// what is asked before that load.
#[test]
fn pointers_side_by_side_are_no_table() {
    // Of GCC's -O2 the question itself is not understood.
    let builds = [["clang", "-O2"], ["clang", "-O1"], ["cc", "-O1"]];
    for way in ["-DWAY=0", "-DWAY=1", "-DWAY=2"] {
        let flags = ["-s", "-shared", "-fPIC", "-fvisibility=hidden", way];
        by_compilers::each(&builds, "side_by_side.c", &flags, |report, built| {
            let needs = |it: &&AboveBaseline| it.extensions.iter().any(|name| name == "avx2");
            let kernel = report.functions.iter().find(needs).expect("the kernel");
            let is_short = kernel.reach == Reach::Insufficient;
            assert_eq!(is_short, way != "-DWAY=0", "{built}: {kernel:#?}");
        });
    }
}
