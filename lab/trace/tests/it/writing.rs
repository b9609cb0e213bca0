//! Programs that look at their own code.

use crate::build::{cc, text, watch};
use karat_trace::Ending;

#[test]
fn what_a_program_writes_over_its_code_stays() {
    let built = cc("writing.c", &[]);
    let seen = watch(
        &built.path,
        &["patched", "gate"],
        1,
        &[text(&built.path), "patch"],
    );
    assert_eq!(seen.traced.ending, Ending::Exited(68));
    // Its own code ran there, not what the file has.
    assert_eq!(seen.counts, [0, 1]);
}

#[test]
fn a_program_that_hashes_its_code_sees_the_breakpoint() {
    let built = cc("writing.c", &[]);
    let command = [text(&built.path), "hash"];
    let untouched = watch(&built.path, &["patched"], 1, &command);
    let planted = watch(&built.path, &["gate"], 1, &command);
    // A limit that the documentation names; what may be relied on is that nothing else
    // of it changes.
    assert_ne!(untouched.traced.ending, planted.traced.ending);
    assert!(matches!(planted.traced.ending, Ending::Exited(_)));
}

#[test]
fn a_program_that_wants_to_be_traced_is_refused() {
    let built = cc("writing.c", &[]);
    let seen = watch(&built.path, &["gate"], 1, &[text(&built.path), "ptrace"]);
    assert_eq!(seen.traced.ending, Ending::Exited(60));
}

#[test]
fn a_program_that_hides_its_memory_is_followed_all_the_same() {
    let built = cc("writing.c", &[]);
    let seen = watch(
        &built.path,
        &["gate"],
        10,
        &[text(&built.path), "undumpable"],
    );
    assert_eq!(seen.traced.ending, Ending::Exited(5));
    assert_eq!(seen.counts, [2]);
}
