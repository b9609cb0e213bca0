//! What one run on CPUs that were sold decides (`fixtures/sold.c`), and what else of the machine
//! and of libraries such programs go by.

use super::leaks_passed::{BOTH, builds_of, is_decided_of, sure};
use karat_symbolic::Sure;

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
