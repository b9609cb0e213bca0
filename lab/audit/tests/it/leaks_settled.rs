//! What following a program's start decides of programs that the search leaves open
//! (`fixtures/decided.c`): each as one that asks for what it needs, and as one that does not.

use crate::build::try_by;
use karat_audit::{Baseline, leaks};
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

const LEVELS: [&str; 3] = ["-O0", "-O2", "-O3"];

/// How the kernel stands in each build.
fn kernels(kind: u32, more: &[&str]) -> Vec<(String, AboveBaseline)> {
    let define = format!("-DKIND={kind}");
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let mut out = Vec::new();
    for compiler in ["gcc", "clang"] {
        for level in LEVELS {
            let flags = [&[define.as_str(), level, "-pthread"], more].concat();
            let Some(built) = try_by(compiler, "decided.c", &flags) else {
                continue;
            };
            let report = leaks(&built.bytes, &baseline).expect("a sound program");
            let mut kernels = report.functions.into_iter();
            let kernel = kernels.find(|f| f.function.starts_with("kernel"));
            let kernel = kernel.unwrap_or_else(|| panic!("{compiler} {flags:?}"));
            out.push((format!("{compiler} {flags:?}"), kernel));
        }
    }
    assert!(out.len() >= LEVELS.len(), "no compiler");
    out
}

fn dies(kernel: &AboveBaseline) -> bool {
    matches!(kernel.reach, Reach::Leak | Reach::Insufficient)
}

fn is_decided(kind: u32) {
    for (build, kernel) in kernels(kind, &[]) {
        assert_eq!(kernel.reach, Reach::Guarded, "{build}: {kernel:#?}");
    }
    for (build, kernel) in kernels(kind, &["-DWRONG"]) {
        assert_eq!(kernel.reach, Reach::Insufficient, "{build}: {kernel:#?}");
        // Without one the report would say that nobody asked.
        assert!(!kernel.gates.is_empty(), "{build}: {kernel:#?}");
    }
}

#[test]
fn the_best_of_descriptions_is_picked() {
    is_decided(1);
}

#[test]
fn a_pointer_lies_in_objects_of_objects() {
    is_decided(2);
}

#[test]
fn names_are_compared() {
    is_decided(4);
}

#[test]
fn a_choice_is_made_once() {
    is_decided(5);
}

/// How `qsort` sorts is not followed: nothing false may be said, with or without certainty.
#[test]
fn what_is_sorted_is_not_falsely_decided() {
    for (build, kernel) in kernels(3, &[]) {
        assert!(!dies(&kernel), "{build}: {kernel:#?}");
    }
    for (build, kernel) in kernels(3, &["-DWRONG"]) {
        // The search itself may see a table that an answer picks from, and says so with little
        // certainty.
        let is_sure = kernel.confidence != Certainty::Low;
        let is_guarded = kernel.reach == Reach::Guarded && is_sure;
        assert!(!is_guarded, "{build}: {kernel:#?}");
    }
}

#[test]
fn what_a_user_says_is_no_certain_leak() {
    for (build, kernel) in kernels(6, &[]) {
        assert!(!dies(&kernel), "{build}: {kernel:#?}");
    }
    for (build, kernel) in kernels(6, &["-DWRONG"]) {
        let is_sure = dies(&kernel) && kernel.confidence == Certainty::High;
        assert!(!is_sure, "{build}: {kernel:#?}");
    }
}

#[test]
fn what_is_tried_under_a_handler_is_no_leak() {
    for (build, kernel) in kernels(7, &[]) {
        assert!(!dies(&kernel), "{build}: {kernel:#?}");
    }
}
