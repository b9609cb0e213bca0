//! Gates in shared libraries.

use crate::build::{cc, compile, text, watch};
use karat_trace::Ending;

const GATES: [&str; 4] = ["lib_gate", "lib_early", "lib_resolver", "lib_entry"];

#[test]
fn a_library_that_is_opened_is_seen_from_its_first_instruction() {
    let library = cc("library.c", &["-shared", "-fPIC"]);
    let built = cc("loads.c", &["-pthread"]);
    let command = [text(&built.path), text(&library.path)];
    let seen = watch(&library.path, &GATES, 1, &command);
    assert_eq!(seen.counts, [1; 4]);
    assert_eq!(seen.traced.ending, Ending::Exited(44));
}

#[test]
fn a_library_that_is_opened_again_is_counted_again() {
    let library = cc("library.c", &["-shared", "-fPIC"]);
    let built = cc("loads.c", &["-pthread"]);
    let command = [text(&built.path), text(&library.path)];
    let seen = watch(&library.path, &GATES, 100, &command);
    assert_eq!(seen.counts, [4; 4]);
    assert_eq!(seen.traced.ending, Ending::Exited(44));
}

#[test]
fn a_linked_library_is_seen_before_the_program_starts() {
    let library = cc("library.c", &["-shared", "-fPIC"]);
    let program = library.folder.path().join("linked");
    let directory = format!("-Wl,-rpath,{}", text(library.folder.path()));
    compile("linked.c", &[text(&library.path), &directory], &program);
    let seen = watch(&library.path, &GATES, 1, &[text(&program)]);
    assert_eq!(seen.counts, [1; 4]);
    assert_eq!(seen.traced.ending, Ending::Exited(44));
    // By the environment, into a program that does not know it.
    let preload = format!("LD_PRELOAD={}", text(&library.path));
    let seen = watch(&library.path, &GATES, 1, &["env", &preload, "true"]);
    // Nobody calls the indirect function, so nobody resolves it.
    assert_eq!(seen.counts, [0, 1, 0, 0]);
}
