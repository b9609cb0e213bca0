//! What Rust's library does before `main` and where it asks the CPU, when a program's start is
//! followed (`fixtures/detected.rs`).

use super::leaks_passed::{number, sure};
use super::leaks_symbolic::explored;
use crate::build::{rust_file, try_rust_file};
use karat_audit::Baseline;
use karat_symbolic::Sure;

/// Ways through `std_detect` are one again behind it: else each would go through the loop.
#[test]
fn what_std_detect_finds_is_one_way() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    for (flags, surest) in [(&[][..], None), (&["--cfg", "wrong"], Some(Sure::Input))] {
        let built = rust_file("detected.rs", flags);
        let kernel = number(&built, "kernel");
        let found = explored(&built, &baseline, &[kernel]);
        let reached = found.routines.get(&kernel).cloned();
        assert!(found.is_complete, "{flags:?}: {found:#?}");
        assert!(reached.is_some(), "{flags:?}: {found:#?}");
        assert_eq!(sure(&reached), surest, "{flags:?}: {found:#?}");
    }
}

/// A program that musl begins relocates itself by what the system gives it. That decides nothing.
#[test]
fn what_begins_a_static_program_decides_nothing() {
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let flags = ["--target=x86_64-unknown-linux-musl", "--cfg", "wrong"];
    let Some(built) = try_rust_file("detected.rs", &flags) else {
        return;
    };
    let kernel = number(&built, "kernel");
    let found = explored(&built, &baseline, &[kernel]);
    let reached = found.routines.get(&kernel).cloned();
    assert_eq!(sure(&reached), Some(Sure::Input), "{found:#?}");
}
