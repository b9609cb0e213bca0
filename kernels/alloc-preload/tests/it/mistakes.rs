//! Mistakes end the program with a message, never silently in corrupted memory.

use crate::preload::{compiled, preloaded, said};
use std::os::unix::process::ExitStatusExt;

fn noticed(mistake: &str, switches: &[(&str, &str)], message: &str) {
    let Some(program) = compiled("mistakes.c") else {
        return;
    };
    let output = preloaded(program.to_str().unwrap(), switches)
        .arg(mistake)
        .output()
        .unwrap();
    let text = said(&output);
    assert_eq!(
        output.status.signal(),
        Some(libc::SIGABRT),
        "{mistake} {switches:?}: {text}"
    );
    assert!(text.contains(message), "{mistake} {switches:?}: {text}");
}

const CHECKED: [&[(&str, &str)]; 4] = [
    &[("KARAT_ALLOC_HARDENED", "1")],
    &[("KARAT_ALLOC_DEBUG", "1")],
    &[("KARAT_ALLOC_DEBUG", "2")],
    &[("KARAT_ALLOC_DEBUG", "3")],
];

#[test]
fn pointers_of_others_are_always_noticed() {
    for switches in [&[][..]].into_iter().chain(CHECKED) {
        for mistake in ["static", "stack", "wild"] {
            noticed(mistake, switches, "which this allocator never gave out");
        }
    }
    for mistake in ["never", "twice-large"] {
        noticed(mistake, &[], "which is not allocated");
    }
    noticed("inside-large", &[], "inside of an object");
}

#[test]
fn a_second_free_is_noticed_with_checks() {
    for switches in CHECKED {
        noticed("twice", switches, "was freed");
        noticed("twice-later", switches, "was freed");
        noticed("twice-large", switches, "was freed");
    }
}

#[test]
fn pointers_into_objects_are_noticed_with_checks() {
    for switches in CHECKED {
        noticed("inside", switches, "was freed, which");
        noticed("inside-large", switches, "was freed, which");
    }
}

#[test]
fn writes_out_of_bounds_and_after_free_are_noticed_by_level() {
    for level in ["1", "2", "3"] {
        let switches = [("KARAT_ALLOC_DEBUG", level)];
        noticed("overrun", &switches, "written beyond the end");
        noticed("overrun-large", &switches, "written beyond the end");
    }
    noticed("after", &[("KARAT_ALLOC_DEBUG", "2")], "after it was freed");
}

/// Level 3: the processor itself stops the program, at the instruction that writes.
#[test]
fn guard_pages_stop_a_write_where_it_happens() {
    let Some(program) = compiled("mistakes.c") else {
        return;
    };
    let switches = [("KARAT_ALLOC_DEBUG", "3")];
    let output = preloaded(program.to_str().unwrap(), &switches)
        .arg("far")
        .output()
        .unwrap();
    assert_eq!(
        output.status.signal(),
        Some(libc::SIGSEGV),
        "{}",
        said(&output)
    );
}
