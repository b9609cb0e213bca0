//! Signals reach the program as they would without a tracer.

use crate::build::{cc, text, watch};
use karat_trace::Ending;
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn signals_in_the_middle_are_delivered_with_what_they_say() {
    let built = cc("signals.c", &[]);
    for most in [1, 2000] {
        let seen = watch(
            &built.path,
            &["gate", "in_handler"],
            most,
            &[text(&built.path)],
        );
        assert_eq!(seen.traced.ending, Ending::Exited(9));
        // How often it comes to it between two signals is the machine's.
        assert!((1..=most).contains(&seen.counts[0]), "{:?}", seen.counts);
        assert!(seen.counts[1] >= most.min(200));
    }
}

#[test]
fn a_fatal_signal_is_the_end() {
    let built = cc("signals.c", &[]);
    let seen = watch(&built.path, &["gate"], 5, &[text(&built.path), "dies"]);
    assert_eq!(seen.traced.ending, Ending::Signalled(libc::SIGSEGV));
    assert_eq!(seen.counts, [1]);
}

#[test]
fn breakpoints_of_the_program_are_its_own() {
    let built = cc("signals.c", &[]);
    let seen = watch(
        &built.path,
        &["gate", "blocked"],
        1,
        &[text(&built.path), "own"],
    );
    assert_eq!(seen.traced.ending, Ending::Exited(21));
    assert!(
        seen.traced
            .notes
            .iter()
            .any(|note| note.contains("breakpoint of its own"))
    );
}

#[test]
fn a_full_mask_stays_full() {
    let built = cc("signals.c", &[]);
    let names = ["blocked", "gate"];
    let seen = watch(&built.path, &names, 1, &[text(&built.path), "masked"]);
    assert_eq!(seen.counts, [1, 0]);
    assert_eq!(seen.traced.ending, Ending::Exited(21));
}

#[test]
fn a_stopped_program_stays_stopped_until_it_is_continued() {
    let built = cc("signals.c", &[]);
    let path = built.path.clone();
    let tracing =
        std::thread::spawn(move || watch(&path, &["gate", "blocked"], 5, &[text(&path), "stops"]));
    let begin = Instant::now();
    let mut looks = 0;
    while !tracing.is_finished() {
        // A stop at a breakpoint is over at the next look.
        match stopped(text(&built.path)) {
            Some(process) if looks >= 10 => {
                let told = Command::new("kill").args(["-CONT", &process]).status();
                assert!(told.expect("kill").success());
                looks = 0;
            }
            Some(_) => looks += 1,
            None => looks = 0,
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    let seen = tracing.join().expect("a trace");
    assert_eq!(seen.traced.ending, Ending::Exited(3));
    assert_eq!(seen.counts, [1, 1]);
}

/// The number of the process of a program that is stopped.
fn stopped(program: &str) -> Option<String> {
    let processes = std::fs::read_dir("/proc").ok()?;
    processes.flatten().find_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
        let is_it = line.starts_with(program.as_bytes()) && line.ends_with(b"stops\0");
        // `t` is a stop for the tracer, which job control's is too.
        let is_stopped = status.contains("State:\tt") || status.contains("State:\tT");
        (is_it && is_stopped).then(|| entry.file_name().to_string_lossy().into_owned())
    })
}
