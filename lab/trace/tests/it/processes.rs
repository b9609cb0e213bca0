//! Gates in other processes.

use crate::build::{cc, program, text, watch};
use karat_trace::{Ending, FileSites, Plan, TraceError, run};
use std::time::{Duration, Instant};

const GATES: [&str; 7] = [
    "in_parent",
    "in_fork",
    "in_vfork",
    "in_clone3",
    "in_shared",
    "in_exec",
    "in_both",
];

#[test]
fn every_way_to_make_a_process_is_followed() {
    for flags in [
        &["-pie", "-fPIE"][..],
        &["-no-pie"],
        &["-static"],
        &["-static-pie"],
        &["-s", "-rdynamic"],
    ] {
        let built = cc("processes.c", flags);
        let seen = watch(&built.path, &GATES, 1, &[text(&built.path)]);
        assert_eq!(seen.counts, [1; 7], "{flags:?}");
        assert_eq!(seen.traced.ending, Ending::Exited(42), "{flags:?}");
    }
}

#[test]
fn counts_are_those_of_all_processes() {
    let built = cc("processes.c", &[]);
    let seen = watch(&built.path, &GATES, 1000, &[text(&built.path)]);
    assert_eq!(seen.counts, [1, 1, 1, 1, 1, 1, 3]);
    assert_eq!(seen.traced.ending, Ending::Exited(42));
    assert_eq!(seen.traced.processes, 6);
}

#[test]
fn a_program_is_found_behind_a_shell_too() {
    let built = cc("processes.c", &[]);
    let script = format!("{0} leaf; {0} leaf; exit 3", text(&built.path));
    let seen = watch(
        &built.path,
        &["in_exec", "in_fork"],
        1000,
        &["sh", "-c", &script],
    );
    assert_eq!(seen.counts, [2, 0]);
    assert_eq!(seen.traced.mapped, [2]);
    assert_eq!(seen.traced.ending, Ending::Exited(3));
}

#[test]
fn forks_beside_running_threads_keep_their_code_whole() {
    let built = cc("forks.c", &["-pthread"]);
    for most in [1, 40] {
        let seen = watch(&built.path, &["gate", "later"], most, &[text(&built.path)]);
        assert_eq!(seen.traced.ending, Ending::Exited(50), "{most}");
        assert_eq!(seen.counts, [most, most.min(50)]);
    }
}

#[test]
fn what_the_program_leaves_running_goes_on_unharmed() {
    let built = cc("forks.c", &["-pthread"]);
    let file = built.folder.path().join("done");
    let command = [text(&built.path), "daemon", text(&file)];
    let seen = watch(&built.path, &["gate", "later"], 1, &command);
    assert_eq!(seen.traced.ending, Ending::Exited(5));
    assert_eq!(seen.counts, [1, 0]);
    assert_eq!(seen.traced.left_running, 1);
    let begin = Instant::now();
    while std::fs::read(&file).unwrap_or_default() != b"done" {
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "it did not go on"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let built = cc("processes.c", &[]);
    let plan = || Plan {
        files: vec![FileSites::new(&built.path, Vec::new()).expect("a file")],
    };
    let error = run(plan(), &program(&["no-such-program-here"]), &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, TraceError::Execute { .. }), "{error}");
    assert!(error.to_string().contains("no-such-program-here"));
    let error = run(plan(), &program(&["a\0b"]), &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, TraceError::ZeroByte));
}

#[test]
fn a_program_that_never_maps_the_file_is_told_from_one_that_does() {
    let built = cc("processes.c", &[]);
    let seen = watch(&built.path, &["in_parent"], 1, &["true"]);
    assert_eq!((seen.traced.mapped, seen.counts), (vec![0], vec![0]));
    assert_eq!(seen.traced.ending, Ending::Exited(0));
}
