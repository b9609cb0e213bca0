//! Threads that wait for one another (`fixtures/threads.c`), and what C++ does beside its own code
//! (`fixtures/threads.cpp`).

use super::leaks_passed::{BOTH, builds_of, is_decided_of, sure};
use karat_symbolic::Sure;

const THREADS: [&str; 1] = ["-pthread"];

fn waits(kind: u32) {
    is_decided_of("threads.c", &BOTH[..1], kind, &THREADS);
}

#[test]
fn workers_take_jobs_from_a_queue() {
    is_decided_of("threads.c", &BOTH, 1, &THREADS);
}

#[test]
fn semaphores_are_waited_for() {
    waits(2);
}

#[test]
fn all_meet_at_a_barrier() {
    waits(3);
}

#[test]
fn who_looks_again_and_again_lets_others_run() {
    waits(4);
}

#[test]
fn threads_of_c11_are_started() {
    waits(5);
}

#[test]
fn a_thread_ends_however_deep() {
    waits(6);
}

#[test]
fn a_thread_is_started_by_a_call_that_comes_last() {
    waits(7);
}

#[test]
fn what_nobody_ends_is_not_followed() {
    for (build, found, reached) in builds_of("threads.c", &BOTH, 8, &THREADS) {
        assert!(
            !found.is_complete && reached.is_none(),
            "{build}: {found:#?}"
        );
    }
}

#[test]
fn c_plus_plus_writes_lines() {
    is_decided_of("threads.cpp", &["g++", "clang++"], 1, &[]);
}

#[test]
fn what_the_library_throws_says_what_it_is() {
    is_decided_of("threads.cpp", &["g++"], 2, &["-static"]);
}

#[test]
fn a_condition_of_c_plus_plus_is_waited_for() {
    is_decided_of("threads.cpp", &["g++"], 3, &THREADS);
}

/// It is not known to be empty.
#[test]
fn a_stream_of_its_own_is_not_passed() {
    for flags in [&[][..], &["-static"]] {
        for (build, found, reached) in builds_of("threads.cpp", &["g++"], 4, flags) {
            assert!(
                !found.is_complete || reached.is_some(),
                "{build}: {found:#?}"
            );
        }
    }
}

/// glibc's `syscall` is the system's.
#[test]
fn the_system_is_called_by_a_function() {
    for (build, _, reached) in builds_of("plain.c", &BOTH, 5, &[]) {
        assert_eq!(sure(&reached), Some(Sure::Input), "{build}: {reached:#?}");
    }
    for (build, _, reached) in builds_of("plain.c", &BOTH, 5, &["-DGATE"]) {
        assert_eq!(sure(&reached), None, "{build}: {reached:#?}");
    }
}
