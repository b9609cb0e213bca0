//! What following a program's start decides of programs that the search leaves open
//! (`fixtures/decided.c`): each as one that asks for what it needs, and as one that does not.

use crate::build::try_by;
use karat_audit::{Baseline, leaks, searched};
use karat_model::leaks::{AboveBaseline, Certainty, Reach};

const LEVELS: [&str; 3] = ["-O0", "-O2", "-O3"];
/// The first kind that is C++.
const CPP: u32 = 20;

/// How the kernel stands in each build.
fn kernels(kind: u32, more: &[&str]) -> Vec<(String, AboveBaseline)> {
    let define = format!("-DKIND={kind}");
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let mut out = Vec::new();
    let compilers = match kind {
        CPP.. => ["g++", "clang++"],
        _ => ["gcc", "clang"],
    };
    for compiler in compilers {
        for level in LEVELS {
            let flags = [&[define.as_str(), level, "-pthread"], more].concat();
            let Some(built) = try_by(compiler, "decided.c", &flags) else {
                continue;
            };
            let report = leaks(&built.bytes, &baseline).expect("a sound program");
            let mut kernels = report.functions.into_iter();
            let kernel = kernels.find(|f| f.function.contains("kernel"));
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
    is_decided_with(kind, &[]);
}

fn is_decided_with(kind: u32, more: &[&str]) {
    for (build, kernel) in kernels(kind, more) {
        assert_eq!(kernel.reach, Reach::Guarded, "{build}: {kernel:#?}");
    }
    for (build, kernel) in kernels(kind, &[more, &["-DWRONG"]].concat()) {
        assert_eq!(kernel.reach, Reach::Insufficient, "{build}: {kernel:#?}");
        // Without one the report would say that nobody asked.
        assert!(!kernel.gates.is_empty(), "{build}: {kernel:#?}");
    }
}

fn is_certain(kind: u32) {
    for (build, kernel) in kernels(kind, &["-DWRONG"]) {
        assert_eq!(kernel.confidence, Certainty::High, "{build}: {kernel:#?}");
    }
}

/// The same where the search alone says what is false of some builds, and is certain of it: then
/// what is right may be left open.
fn is_not_falsely_decided(kind: u32) {
    for (build, kernel) in kernels(kind, &[]) {
        assert!(!dies(&kernel), "{build}: {kernel:#?}");
    }
    for (build, kernel) in kernels(kind, &["-DWRONG"]) {
        assert!(dies(&kernel), "{build}: {kernel:#?}");
    }
}

/// What the search alone says of a program that asks for what it needs.
fn is_not_falsely_searched(kind: u32) {
    let define = format!("-DKIND={kind}");
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for compiler in ["g++", "clang++"] {
        for level in LEVELS {
            let flags = [define.as_str(), level, "-pthread"];
            let Some(built) = try_by(compiler, "decided.c", &flags) else {
                continue;
            };
            let report = searched(&built.bytes, &baseline).expect("a sound program");
            let is_false = |f: &&AboveBaseline| dies(f) && f.confidence == Certainty::High;
            let wrong = report.functions.iter().find(is_false);
            assert!(wrong.is_none(), "{compiler} {flags:?}: {wrong:#?}");
        }
    }
}

/// What an initialiser hands on is kept.
#[test]
fn what_an_initialiser_hands_on_is_not_called_for_certain() {
    is_not_falsely_searched(21);
}

/// What `main` hands on is called, and of musl `main` is taken by what the beginning calls.
#[test]
fn what_main_hands_on_is_called() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let Some(built) = try_by("musl-gcc", "handed.c", &["-O1", "-static"]) else {
        eprintln!("SKIPPED: no musl-gcc; apt-get install musl-tools");
        return;
    };
    let report = searched(&built.bytes, &baseline).expect("a sound program");
    let is_certain = |f: &AboveBaseline| dies(f) && f.confidence == Certainty::High;
    let kernel = report.functions.iter().find(|f| f.function == "kernel");
    assert!(kernel.is_some_and(is_certain), "{kernel:#?}");
}

/// What a resolver picked tells something else than the resolver does.
#[test]
fn what_a_picked_function_tells_is_no_answer() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for compiler in ["gcc", "clang"] {
        for level in LEVELS {
            for more in ["-fPIE", "-static"] {
                let Some(built) = try_by(compiler, "picked.c", &[level, more]) else {
                    continue;
                };
                let report = searched(&built.bytes, &baseline).expect("a sound program");
                let mut functions = report.functions.into_iter();
                let kernel = functions.find(|f| f.function == "kernel");
                let kernel = kernel.expect("a kernel");
                // At low it is still taken for what picks, in some builds.
                let is_sure = kernel.confidence > Certainty::Low;
                assert!(
                    kernel.reach != Reach::Guarded || !is_sure,
                    "{compiler} {level} {more}: {kernel:#?}"
                );
            }
        }
    }
}

/// A call before may not come back.
#[test]
fn what_follows_a_call_that_may_throw_is_not_come_to_for_certain() {
    is_not_falsely_searched(22);
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

#[test]
fn what_is_sorted_is_picked() {
    is_decided(3);
}

#[test]
fn a_name_is_searched() {
    is_decided(8);
}

#[test]
fn a_function_is_found_by_a_name_that_is_made() {
    is_decided_with(9, &["-rdynamic"]);
}

#[test]
fn a_thread_has_variables_of_its_own() {
    for (build, kernel) in kernels(14, &[]) {
        assert_eq!(kernel.reach, Reach::Guarded, "{build}: {kernel:#?}");
    }
    for (build, kernel) in kernels(14, &["-DWRONG"]) {
        assert!(dies(&kernel), "{build}: {kernel:#?}");
    }
}

#[test]
fn what_runs_at_exit_is_followed() {
    is_decided(10);
    is_certain(10);
}

#[test]
fn what_the_environment_takes_away_is_no_question() {
    is_decided(11);
}

/// Where the environment says nothing that is how programs run.
#[test]
fn a_default_is_what_programs_do() {
    is_decided(12);
    is_certain(12);
}

#[test]
fn a_map_of_names_is_followed() {
    is_decided(20);
}

#[test]
fn objects_register_themselves() {
    is_not_falsely_decided(21);
}

#[test]
fn what_is_thrown_is_caught() {
    is_not_falsely_decided(22);
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
