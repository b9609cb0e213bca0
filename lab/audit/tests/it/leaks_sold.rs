//! What one run on CPUs that were sold decides (`fixtures/sold.c`), and what else of the machine
//! and of libraries such programs go by.

use super::leaks_passed::{BOTH, builds_of, is_decided_of, number, sure};
use super::leaks_symbolic::answered;
use crate::build::{cc, try_by};
use karat_audit::{Baseline, leaks};
use karat_model::leaks::{Certainty, Reach};
use karat_symbolic::{Questions, Sure};

#[test]
fn a_model_that_lacks_it_dies_and_one_that_has_it_does_not() {
    for (build, _, reached) in builds_of("sold.c", &BOTH, 1, &["-DWRONG"]) {
        let death = reached.expect("come to").death.expect("a death");
        assert_eq!(
            (death.on, death.sure),
            (Some("Sandy Bridge"), Sure::Input),
            "{build}"
        );
    }
    for (build, _, reached) in builds_of("sold.c", &BOTH, 1, &[]) {
        assert!(sure(&reached) <= Some(Sure::No), "{build}: {reached:#?}");
        assert!(reached.expect("come to").is_tried, "{build}");
    }
}

#[test]
fn what_handles_sigill_is_left_by_a_jump() {
    for (build, _, reached) in builds_of("sold.c", &BOTH, 2, &["-DWRONG"]) {
        let death = reached.expect("come to").death.expect("a death");
        assert_eq!(
            (death.on, death.sure),
            (Some("Nehalem"), Sure::Input),
            "{build}"
        );
    }
    for (build, _, reached) in builds_of("sold.c", &BOTH, 2, &[]) {
        assert!(sure(&reached) <= Some(Sure::No), "{build}: {reached:#?}");
        assert!(reached.expect("come to").is_tried, "{build}");
    }
}

#[test]
fn what_every_cpu_has_is_no_question() {
    is_decided_of("sold.c", &BOTH, 3, &[]);
}

#[test]
fn a_system_call_comes_back() {
    is_decided_of("sold.c", &BOTH, 4, &[]);
}

#[test]
fn call_once_calls_what_it_is_given() {
    is_decided_of("sold_once.cpp", &["g++"], 0, &[]);
}

/// Runs without arguments decide: WRONG dies in one, perhaps only on a CPU that was sold.
fn is_tried(kind: u32, dies_on: Option<&str>) {
    for (build, _, reached) in builds_of("sold.c", &BOTH, kind, &["-DWRONG"]) {
        let death = reached.expect("come to").death.expect("a death");
        assert_eq!((death.on, death.sure), (dies_on, Sure::Input), "{build}");
    }
    for (build, _, reached) in builds_of("sold.c", &BOTH, kind, &[]) {
        assert!(sure(&reached) <= Some(Sure::No), "{build}: {reached:#?}");
        assert!(reached.expect("come to").is_tried, "{build}");
    }
}

#[test]
fn what_vectors_become_is_known() {
    is_decided_of("sold.c", &BOTH, 5, &[]);
}

#[test]
fn linux_tells_of_the_cpu_in_a_file() {
    is_tried(6, Some("Nehalem"));
}

#[test]
fn linux_tells_of_the_cpu_beside_the_arguments() {
    is_tried(7, Some("Sandy Bridge"));
}

#[test]
fn a_jump_leaves_calls() {
    is_decided_of("sold.c", &BOTH, 8, &[]);
}

#[test]
fn what_is_kept_of_a_thread_begins_as_zeros() {
    is_tried(9, None);
}

#[test]
fn what_handles_sigill_is_set_by_the_system_call() {
    is_tried(10, Some("Nehalem"));
}

#[test]
fn one_run_may_be_long() {
    is_tried(11, Some("Sandy Bridge"));
}

/// Where two are not followed to their ends, others still die early.
#[test]
fn what_dies_early_is_seen_though_others_run_long() {
    for (build, _, reached) in builds_of("sold.c", &BOTH, 15, &["-DWRONG"]) {
        let death = reached.expect("come to").death.expect("a death");
        assert_eq!(death.on, Some("Sandy Bridge"), "{build}");
    }
}

#[test]
fn time_passes_in_a_run() {
    is_tried(12, Some("Sandy Bridge"));
}

#[test]
fn texts_are_copied_and_numbers_end() {
    is_tried(13, Some("Sandy Bridge"));
}

#[test]
fn a_run_without_arguments_has_no_options() {
    is_tried(14, None);
}

#[test]
fn what_an_object_is_is_told() {
    is_decided_of("sold_cast.cpp", &["g++", "clang++"], 0, &[]);
}

/// Code that moves asks for variables of other files' threads by pairs of words.
#[test]
fn call_once_calls_what_it_is_given_in_code_that_moves() {
    let start = "/usr/lib/x86_64-linux-gnu/Scrt1.o";
    if !std::path::Path::new(start).exists() {
        eprintln!("SKIPPED: no {start}");
        return;
    }
    let flags = ["-fPIC", "-shared", "-DSHARED", "-Wl,-e,_start", start];
    is_decided_of("sold_once.cpp", &["g++"], 0, &flags);
}

/// How long copies go by what glibc's start works out, which is not gone through.
#[test]
fn copies_of_a_library_that_is_linked_in_come_to_an_end() {
    let flags = ["-O2", "-s", "-static", "-DKIND=16", "-DWRONG"];
    let program = cc("sold.c", &flags);
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = leaks(&program.bytes, &baseline).expect("a sound binary");
    let mut wrong = report.functions.iter();
    let wrong = wrong.find(|f| f.reach == Reach::Insufficient);
    // Without an end to follow it is known to the search alone, at medium.
    let sure = wrong.map(|f| f.confidence);
    assert_eq!(sure, Some(Certainty::High), "{report:#?}");
}

/// The kernel in a build by GCC is asked about as one of these only.
fn is_asked(
    kind: &str,
    more: &[&str],
    questions: impl Fn(u32, u32) -> Questions,
) -> karat_symbolic::Reached {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let built = try_by("gcc", "sold.c", &[&[kind, "-O1"], more].concat()).expect("gcc");
    let [kernel, main] = ["kernel", "main"].map(|name| number(&built, name));
    let found = answered(&built, &baseline, &questions(kernel, main));
    found.routines.get(&kernel).cloned().unwrap_or_default()
}

/// What is guarded, and not for certain, is told to die where a run on one CPU does.
#[test]
fn a_run_that_dies_elsewhere_is_told() {
    let asked = |open: bool| {
        move |kernel, main| Questions {
            asked: vec![main],
            open: if open { vec![kernel] } else { vec![] },
            ..Questions::default()
        }
    };
    let death = is_asked("-DKIND=1", &["-DWRONG"], asked(true)).death;
    assert_eq!(death.expect("a death").on, Some("Sandy Bridge"));
    let death = is_asked("-DKIND=1", &["-DWRONG"], asked(false)).death;
    assert!(death.is_none_or(|death| death.on.is_none()));
    let death = is_asked("-DKIND=1", &[], asked(true)).death;
    assert!(death.is_none_or(|death| death.sure == Sure::No));
}

/// What is said to die for certain, and is guarded as the start is followed, is tried.
#[test]
fn two_that_disagree_are_decided_by_runs() {
    let asked = |is_deadly: bool| {
        move |kernel, _| Questions {
            asked: vec![kernel],
            deadly: if is_deadly { vec![kernel] } else { vec![] },
            ..Questions::default()
        }
    };
    assert!(is_asked("-DKIND=3", &[], asked(true)).is_tried);
    assert!(!is_asked("-DKIND=3", &[], asked(false)).is_tried);
    assert!(!is_asked("-DKIND=3", &["-DWRONG"], asked(true)).is_tried);
}
