//! Programs of Windows, followed from their start (`fixtures/windows.c`).

use super::leaks_passed::{builds_of, is_decided_of, sure};
use karat_symbolic::Sure;
use std::process::Command;

const MINGW: [&str; 1] = ["x86_64-w64-mingw32-gcc"];
const FILE: &str = "windows.c";

fn is_there() -> bool {
    let is_there = Command::new(MINGW[0]).arg("--version").output().is_ok();
    if !is_there {
        println!("SKIPPED: no MinGW; apt-get install gcc-mingw-w64-x86-64");
    }
    is_there
}

#[test]
fn what_a_list_on_the_heap_picks_by_windows_word_is_decided() {
    if is_there() {
        is_decided_of(FILE, &MINGW, 1, &[]);
    }
}

#[test]
fn constructors_run_before_main_and_what_is_registered_at_the_end() {
    if is_there() {
        is_decided_of(FILE, &MINGW, 2, &[]);
    }
}

#[test]
fn threads_and_arguments_on_the_stack_are_followed() {
    if is_there() {
        is_decided_of(FILE, &MINGW, 3, &[]);
    }
}

/// Of what the C library asks for before `main` nothing lowers what may be said.
#[test]
fn what_only_the_cpu_decides_is_sure() {
    if !is_there() {
        return;
    }
    for kind in [1, 2] {
        for (build, found, reached) in builds_of(FILE, &MINGW, kind, &["-DWRONG"]) {
            assert_eq!(sure(&reached), Some(Sure::Yes), "{build}: {found:#?}");
        }
        for (build, _, reached) in builds_of(FILE, &MINGW, kind, &[]) {
            assert!(!reached.expect("come to").is_unsure, "{build}");
        }
    }
}

#[test]
fn what_the_program_itself_catches_proves_nothing() {
    if !is_there() {
        return;
    }
    for (build, _, reached) in builds_of(FILE, &MINGW, 4, &[]) {
        assert_eq!(sure(&reached), Some(Sure::No), "{build}: {reached:#?}");
    }
}

#[test]
fn what_is_sorted_is_compared_by_the_programs_own() {
    if is_there() {
        is_decided_of(FILE, &MINGW, 5, &[]);
    }
}
