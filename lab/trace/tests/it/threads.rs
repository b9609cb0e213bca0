//! Gates in threads.

use crate::build::{cc, text, watch};
use karat_trace::Ending;

#[test]
fn a_gate_in_a_thread_is_seen_once_and_the_result_is_right() {
    let built = cc("threads.c", &["-pthread"]);
    let command = [text(&built.path), "1", "1000"];
    let seen = watch(&built.path, &["gate", "second", "dead"], 1, &command);
    assert_eq!(seen.counts, [1, 1, 0]);
    assert_eq!(seen.traced.ending, Ending::Exited(7));
    assert_eq!((seen.traced.processes, seen.traced.threads), (1, 1));
    assert_eq!(seen.traced.mapped, [1]);
}

#[test]
fn two_hundred_threads_hit_one_breakpoint_at_once() {
    let built = cc("threads.c", &["-pthread"]);
    for _ in 0..3 {
        let command = [text(&built.path), "200", "100"];
        let seen = watch(&built.path, &["gate", "second", "dead"], 1, &command);
        // Who trapped before it was removed is set back and not counted.
        assert_eq!(seen.counts, [1, 1, 0]);
        assert_eq!(seen.traced.ending, Ending::Exited(7));
        assert_eq!(seen.traced.threads, 200);
        assert!(seen.traced.traps >= 2);
    }
}

#[test]
fn when_all_is_done_the_program_goes_on_untraced() {
    let built = cc("threads.c", &["-pthread"]);
    let command = [text(&built.path), "50", "2000"];
    let seen = watch(&built.path, &["gate", "second", "main"], 1, &command);
    assert_eq!(seen.counts, [1, 1, 1]);
    assert_eq!(seen.traced.ending, Ending::Exited(7));
}
