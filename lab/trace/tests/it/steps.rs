//! Breakpoints that stay.

use crate::build::{cc, text, watch};
use karat_trace::Ending;

#[test]
fn counts_are_exact_in_one_thread_and_in_many() {
    let built = cc("threads.c", &["-pthread"]);
    for (threads, times) in [("1", "500"), ("8", "60"), ("40", "4")] {
        let command = [text(&built.path), threads, times];
        let seen = watch(&built.path, &["gate", "second", "dead"], u64::MAX, &command);
        let all = threads.parse::<u64>().unwrap() * times.parse::<u64>().unwrap();
        assert_eq!(seen.counts, [all, all, 0], "{threads} threads");
        assert_eq!(seen.traced.ending, Ending::Exited(7));
    }
}

#[test]
fn counting_ends_where_the_caller_says() {
    let built = cc("threads.c", &["-pthread"]);
    let command = [text(&built.path), "8", "5000"];
    let seen = watch(&built.path, &["gate", "second", "dead"], 100, &command);
    assert_eq!(seen.counts, [100, 100, 0]);
    assert_eq!(seen.traced.ending, Ending::Exited(7));
    assert!(seen.threads.len() == 200);
}
