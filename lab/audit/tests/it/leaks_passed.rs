//! Routines that work for long, and what following a program's start makes of them
//! (`fixtures/passed.c`): those that lead nowhere are passed over, all others are not.

use super::leaks_symbolic::explored;
use crate::build::{Built, rust_file, try_by};
use karat_audit::Baseline;
use karat_binary::read::image::Image;
use karat_flow::program::Program;
use karat_symbolic::{Found, Reached, Sure};
use std::process::Command;

/// What is found of the kernel in each build: none if it was not come to.
fn builds(compilers: &[&str], kind: u32, more: &[&str]) -> Vec<(String, Found, Option<Reached>)> {
    builds_of("passed.c", compilers, kind, more)
}

pub fn builds_of(
    file: &str,
    compilers: &[&str],
    kind: u32,
    more: &[&str],
) -> Vec<(String, Found, Option<Reached>)> {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let define = format!("-DKIND={kind}");
    let mut out = Vec::new();
    for compiler in compilers {
        for level in ["-O0", "-O1", "-O2"] {
            let flags = [&[define.as_str(), level], more].concat();
            let Some(built) = try_by(compiler, file, &flags) else {
                continue;
            };
            let kernel = number(&built, "kernel");
            let found = explored(&built, &baseline, &[kernel]);
            let reached = found.routines.get(&kernel).cloned();
            out.push((format!("{compiler} {flags:?}"), found, reached));
        }
    }
    assert!(!out.is_empty(), "no compiler");
    out
}

pub(super) fn number(built: &Built, name: &str) -> u32 {
    let image = Image::parse_linked_x86(&built.bytes, "the test").expect("a linked program");
    let program = Program::read(&image).expect("a sound program");
    let all = 0..program.routines.len() as u32;
    let mut named = all.filter(|routine| program.name(*routine) == name);
    named.next().expect("a routine of that name")
}

pub(super) fn sure(reached: &Option<Reached>) -> Option<Sure> {
    Some(reached.as_ref()?.death.as_ref()?.sure)
}

fn is_decided(compilers: &[&str], kind: u32, more: &[&str]) {
    is_decided_of("passed.c", compilers, kind, more);
}

/// All ways are followed; the kernel is guarded, and with WRONG it is come to without.
pub fn is_decided_of(file: &str, compilers: &[&str], kind: u32, more: &[&str]) {
    for (build, found, reached) in builds_of(file, compilers, kind, more) {
        assert!(found.is_complete, "{build}: {found:#?}");
        assert!(
            reached.is_some() && sure(&reached).is_none(),
            "{build}: {reached:#?}"
        );
    }
    for (build, found, reached) in builds_of(file, compilers, kind, &[more, &["-DWRONG"]].concat())
    {
        assert!(found.is_complete, "{build}: {found:#?}");
        assert!(sure(&reached) >= Some(Sure::Input), "{build}: {reached:#?}");
    }
}

pub const BOTH: [&str; 2] = ["gcc", "clang"];

#[test]
fn what_follows_a_loop_of_many_rounds_is_followed() {
    is_decided(&BOTH, 1, &[]);
}

/// lld has read-only data before code: that of a file that moves begins below 4096.
#[test]
fn data_on_the_first_page_is_data() {
    if Command::new("ld.lld").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no ld.lld; apt-get install lld");
        return;
    }
    is_decided(&["clang"], 1, &["-fuse-ld=lld", "-fPIE", "-pie"]);
}

/// Of musl what begins a program is given the stack, not `main`.
#[test]
fn a_program_of_musl_is_followed() {
    if Command::new("musl-gcc").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no musl-gcc; apt-get install musl-tools");
        return;
    }
    is_decided(&["musl-gcc"], 1, &["-static"]);
}

#[test]
fn what_leads_nowhere_is_passed_over() {
    is_decided(&BOTH, 2, &[]);
}

/// Variables that lie side by side are no table.
#[test]
fn what_is_stored_beside_what_decides_is_told_apart() {
    is_decided(&BOTH, 9, &[]);
}

/// A loop comes to its end, one time or another; what else decides in it may always say the same.
#[test]
fn what_is_not_known_proves_nothing_in_a_loop() {
    for (build, found, reached) in builds(&BOTH, 12, &[]) {
        assert!(reached.is_some(), "{build}: {found:#?}");
        assert_eq!(sure(&reached), Some(Sure::No), "{build}: {found:#?}");
    }
}

/// Of a program that is linked statically what C does is known by its names, and is not gone
/// through: what is found is as sure as of others.
#[test]
fn what_c_does_is_known_by_its_names() {
    let compilers = ["gcc", "clang", "musl-gcc"];
    let is_there = |compiler: &&str| try_by(compiler, "passed.c", &["-DKIND=10", "-static"]);
    if !compilers
        .iter()
        .any(|compiler| is_there(compiler).is_some())
    {
        eprintln!("SKIPPED: no C library to link statically; apt-get install libc6-dev");
        return;
    }
    is_decided(&compilers, 10, &["-static"]);
    for (build, found, reached) in builds(&compilers, 10, &["-static", "-DWRONG"]) {
        assert!(found.steps < 2_000, "{build}: {found:#?}");
        assert_eq!(sure(&reached), Some(Sure::Yes), "{build}: {reached:#?}");
    }
    for (build, found, reached) in builds(&compilers, 11, &["-static"]) {
        let is_guarded = found.is_complete && sure(&reached).is_none();
        assert!(!is_guarded, "{build}: {reached:#?}");
    }
}

/// What the C library itself picks by the CPU is no question: such a function is the library's by
/// a name that no program may give, whatever it comes to.
#[test]
fn what_is_the_librarys_for_certain_is_known() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for is_wrong in [false, true] {
        let wrong: &[&str] = if is_wrong { &["-DWRONG"] } else { &[] };
        let flags = [&["-DKIND=10", "-static"], wrong].concat();
        let Some(built) = try_by("gcc", "passed.c", &flags) else {
            eprintln!("SKIPPED: no C library to link statically; apt-get install libc6-dev");
            return;
        };
        let kernel = number(&built, "kernel");
        let copies = number(&built, "__memcpy_avx_unaligned_erms");
        let found = explored(&built, &baseline, &[kernel, copies]);
        let reached = found.routines.get(&kernel).cloned();
        let wanted = is_wrong.then_some(Sure::Yes);
        assert_eq!(sure(&reached), wanted, "{found:#?}");
        assert!(reached.is_some() && found.is_complete, "{found:#?}");
    }
}

/// All that call it ran, and it was not come to; not where these did not run.
#[test]
fn what_is_never_called_is_told() {
    for kind in [13, 14] {
        for wrong in [&[][..], &["-DWRONG"]] {
            for (build, found, reached) in builds(&BOTH, kind, wrong) {
                assert!(found.is_complete, "{build}: {found:#?}");
                let is_uncalled = kind == 13 && wrong.is_empty();
                assert_eq!(found.uncalled.len(), usize::from(is_uncalled), "{build}");
                assert_eq!(reached.is_some(), kind == 13 && !is_uncalled, "{build}");
            }
        }
    }
    // It may be that it was followed wrongly.
    for doubt in ["-static", "-DNOWHERE"] {
        for (build, found, _) in builds(&BOTH, 13, &[doubt]) {
            assert!(found.uncalled.is_empty(), "{build}: {found:#?}");
        }
    }
}

/// What Rust panics by is not gone through, but what cleans up is, and what was set to be called.
#[test]
fn panics_are_ways_out() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for level in ["-Copt-level=1", "-Copt-level=3"] {
        for (kind, is_guarded) in [
            ("plain", true),
            ("wrong", false),
            ("drops", false),
            ("hook", false),
            ("caught", false),
        ] {
            let built = rust_file("panics.rs", &[level, "--cfg", kind]);
            let kernel = number(&built, "kernel");
            let found = explored(&built, &baseline, &[kernel]);
            let reached = found.routines.get(&kernel).cloned();
            let is = found.is_complete && reached.is_some() && sure(&reached).is_none();
            assert_eq!(is, is_guarded, "{kind} {level}: {found:#?}");
        }
    }
}

/// It stores what decides, calls what it is given, at once or behind pointers, or is the way out.
#[test]
fn what_matters_is_not_passed_over() {
    for kind in 3..=8 {
        for (build, _, reached) in builds(&BOTH, kind, &[]) {
            assert!(sure(&reached) <= Some(Sure::No), "{build}: {reached:#?}");
        }
        for (build, found, reached) in builds(&BOTH, kind, &["-DWRONG"]) {
            let is_guarded = found.is_complete && reached.is_some() && sure(&reached).is_none();
            assert!(!is_guarded, "{build}: {reached:#?}");
        }
    }
}

/// What the system answers is not known, but it may do what it is asked for: a CPU that lacks what
/// the kernel needs dies then. Of a program that does something else then, or asks the CPU,
/// nothing is said.
#[test]
fn what_one_run_comes_to_is_found() {
    for kind in 1..=4 {
        for (build, _, reached) in builds_of("plain.c", &BOTH, kind, &[]) {
            assert_eq!(sure(&reached), Some(Sure::Input), "{build}: {reached:#?}");
        }
        for (build, _, reached) in builds_of("plain.c", &BOTH, kind, &["-DOTHER"]) {
            assert!(sure(&reached) <= Some(Sure::No), "{build}: {reached:#?}");
        }
        for (build, _, reached) in builds_of("plain.c", &BOTH, kind, &["-DGATE"]) {
            assert_eq!(sure(&reached), None, "{build}: {reached:#?}");
        }
    }
}
