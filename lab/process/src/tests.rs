//! Runs of real processes.

use super::*;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn sh(script: &str, seconds: f64) -> Finished {
    let never = AtomicBool::new(false);
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    run(&mut command, Duration::from_secs_f64(seconds), &never).unwrap()
}

#[test]
fn output_and_endings_are_distinguished() {
    let done = sh("echo out; echo err >&2; exit 3", 10.0);
    assert_eq!(done.ending, Ending::Exit(3));
    assert_eq!(done.stdout, b"out\n");
    assert_eq!(done.stderr, b"err\n");
    assert_eq!(sh("kill -SEGV $$", 10.0).ending, Ending::Signal(11));
    assert_eq!(done.last_lines(1), "err");
}

#[test]
fn a_hung_process_is_bounded_with_its_children() {
    let start = Instant::now();
    let done = sh("sleep 60 & sleep 60", 0.2);
    assert_eq!(done.ending, Ending::TimedOut);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn children_left_behind_do_not_hold_us_up() {
    let start = Instant::now();
    let done = sh("sleep 60 & echo done", 30.0);
    assert_eq!(done.stdout, b"done\n");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn more_output_than_a_pipe_holds_is_read() {
    let done = sh("head -c 3000000 /dev/zero", 30.0);
    assert_eq!(done.stdout.len(), 3_000_000);
}

#[test]
fn an_interrupt_ends_the_wait() {
    let yes = AtomicBool::new(true);
    let mut command = Command::new("sleep");
    command.arg("60");
    let done = run(&mut command, Duration::from_secs(60), &yes).unwrap();
    assert_eq!(done.ending, Ending::Interrupted);
}

#[test]
fn a_short_program_does_not_outrun_an_interrupt() {
    let yes = AtomicBool::new(true);
    let mut command = Command::new("sleep");
    command.arg("0.02");
    let done = run(&mut command, Duration::from_secs(60), &yes).unwrap();
    assert_eq!(done.ending, Ending::Interrupted);
}

#[test]
fn karat_that_was_stopped_past_the_time_out_still_sees_the_end() {
    // Stops this thread's process for a second: what ended meanwhile has ended.
    let script = format!(
        "(sleep 1; kill -CONT {0}) & kill -STOP {0}; sleep 0.1",
        std::process::id()
    );
    if std::env::var_os("KARAT_TEST_STOPPED").is_some() {
        let done = sh(&script, 0.6);
        println!("{:?}", done.ending);
        return;
    }
    let name = "tests::karat_that_was_stopped_past_the_time_out_still_sees_the_end";
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env("KARAT_TEST_STOPPED", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(said.contains("Exit(0)"), "{said}");
}

#[test]
fn cpu_time_is_the_childs() {
    let done = sh("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", 60.0);
    assert!(done.cpu > 0.01 && done.cpu <= done.wall + 0.05);
}

const MIB: u64 = 1 << 20;

/// `dd` fills a buffer of that many MiB.
fn dd(mib: u64) -> Finished {
    sh(
        &format!("exec dd if=/dev/zero of=/dev/null bs={mib}M count=1"),
        60.0,
    )
}

#[test]
fn the_peak_is_the_childs_or_none() {
    // The tests' own peak, which the kernel would give for every smaller child.
    drop(std::hint::black_box(vec![1_u8; 300 << 20]));
    lower_floor();
    let ballast = std::hint::black_box(vec![1_u8; 16 << 20]);
    let small = dd(1);
    assert_eq!(small.peak_rss, None);
    // Other tests hold memory too, but not as much.
    let floor = small.rss_floor;
    assert!((16 * MIB..250 * MIB).contains(&floor), "{floor}");
    drop(ballast);
    let size = floor / MIB + 64;
    let large = dd(size);
    let peak = large.peak_rss.unwrap();
    // The buffer, and what a small C program takes.
    let bounds = size * MIB..(size + 6) * MIB;
    assert!(bounds.contains(&peak), "{size} MiB: {peak}");
    assert!(large.minor_faults > 100);
}

#[test]
fn waits_and_switches_are_counted() {
    let done = sh("sleep 0.01; sleep 0.01; sleep 0.01", 10.0);
    assert!(done.waits >= 3, "{}", done.waits);
}

#[test]
fn what_was_left_running_is_counted_and_gone() {
    let pids = |done: &Finished| -> Vec<i32> {
        let text = String::from_utf8_lossy(&done.stdout);
        text.split_whitespace()
            .map(|w| w.parse().unwrap())
            .collect()
    };
    let done = sh("sleep 60 & echo $!; (sleep 61 & sleep 62) & echo $!", 30.0);
    // The inner shell and its two, if they were all born before the end.
    assert!(
        (2..=4).contains(&done.left_running),
        "{}",
        done.left_running
    );
    for pid in pids(&done) {
        // Not even a zombie.
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    }
    assert_eq!(sh("sleep 0.01 & wait", 30.0).left_running, 0);
    assert_eq!(sh("true & sleep 0.05", 30.0).left_running, 0);
    assert_eq!(sh("sleep 60 & sleep 60", 0.1).left_running, 0);
}

fn with(setup: &Setup, script: &str) -> Result<Finished, Failure> {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    let never = AtomicBool::new(false);
    setup.run(&mut command, Duration::from_secs(20), &never)
}

#[test]
fn stdin_is_the_file_from_its_start_in_every_run() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("input");
    let setup = Setup {
        stdin: Some(path.clone()),
        ..Setup::default()
    };
    let error = with(&setup, "cat").unwrap_err().to_string();
    assert!(error.contains("input: No such file"), "{error}");
    std::fs::write(&path, "words\n").unwrap();
    for _ in 0..2 {
        assert_eq!(with(&setup, "cat").unwrap().stdout, b"words\n");
    }
    // A pipe would wait for a writer for ever.
    let pipe = Setup {
        stdin: Some(dir.path().join("pipe")),
        setup: Some(format!("mkfifo {}", dir.path().join("pipe").display())),
        ..Setup::default()
    };
    let error = with(&pipe, "cat").unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
    assert_eq!(with(&Setup::default(), "cat").unwrap().stdout, b"");
}

#[test]
fn directory_and_environment_are_the_programs_and_the_commands() {
    let dir = tempfile::tempdir().unwrap();
    let show = "echo $KARAT_TEST >>seen";
    let setup = Setup {
        dir: Some(dir.path().to_owned()),
        env: vec![("KARAT_TEST".into(), "a b".into())],
        setup: Some(show.into()),
        cleanup: Some(show.into()),
        ..Setup::default()
    };
    with(&setup, show).unwrap();
    let seen = std::fs::read_to_string(dir.path().join("seen")).unwrap();
    assert_eq!(seen, "a b\na b\na b\n");
    let missing = Setup {
        dir: Some(dir.path().join("missing")),
        ..Setup::default()
    };
    let error = with(&missing, "true").unwrap_err().to_string();
    assert!(error.contains("working directory"), "{error}");
    let never = AtomicBool::new(false);
    let run = setup.run(&mut Command::new("./x"), Duration::from_secs(1), &never);
    assert!(matches!(run, Err(Failure::RelativeProgram(_))));
}

#[test]
fn a_failed_command_around_a_run_says_which() {
    let setup = Setup {
        setup: Some("echo no disk >&2; exit 3".into()),
        cleanup: Some("exit 4".into()),
        ..Setup::default()
    };
    let error = with(&setup, "true").unwrap_err().to_string();
    assert!(
        error.starts_with("`setup` command: exit code 3\n    no disk"),
        "{error}"
    );
    let setup = Setup {
        setup: None,
        ..setup
    };
    let error = with(&setup, "true").unwrap_err().to_string();
    assert!(
        error.starts_with("`cleanup` command: exit code 4"),
        "{error}"
    );
    // The program's own failure is the cause of what follows.
    assert_eq!(with(&setup, "exit 5").unwrap().ending, Ending::Exit(5));
}

#[test]
fn a_hung_command_is_bounded_and_its_time_is_not_the_programs() {
    let never = AtomicBool::new(false);
    let hung = Setup {
        setup: Some("sleep 60".into()),
        ..Setup::default()
    };
    let run = hung.run(
        &mut Command::new("true"),
        Duration::from_millis(200),
        &never,
    );
    assert!(run.unwrap_err().to_string().contains("time-out"));
    let slow = Setup {
        setup: Some("sleep 0.2".into()),
        cleanup: Some("sleep 0.2".into()),
        ..Setup::default()
    };
    let start = Instant::now();
    let wall = with(&slow, "exit 0").unwrap().wall;
    assert!(start.elapsed().as_secs_f64() - wall >= 0.4);
}

#[test]
fn an_interrupt_stops_the_setup_and_still_cleans_up() {
    let dir = tempfile::tempdir().unwrap();
    let yes = AtomicBool::new(true);
    let mut setup = Setup {
        dir: Some(dir.path().to_owned()),
        setup: Some("sleep 60".into()),
        cleanup: Some("echo >cleaned".into()),
        ..Setup::default()
    };
    let run = setup.run(&mut Command::new("true"), Duration::from_secs(60), &yes);
    assert!(matches!(run, Err(Failure::Interrupted)));
    assert!(!dir.path().join("cleaned").exists());
    setup.setup = None;
    let mut command = Command::new("sleep");
    let run = setup.run(command.arg("60"), Duration::from_secs(60), &yes);
    assert_eq!(run.unwrap().ending, Ending::Interrupted);
    assert!(dir.path().join("cleaned").exists());
}

#[test]
fn commands_are_pinned_like_the_program() {
    let processor = karat_host::pin::allowed()[0];
    let _pinned = karat_host::pin::Pinned::to(processor);
    let check = format!("grep -qx 'Cpus_allowed_list:[[:space:]]*{processor}' /proc/self/status");
    let setup = Setup {
        setup: Some(check.clone()),
        cleanup: Some(check.clone()),
        ..Setup::default()
    };
    assert!(with(&setup, &check).unwrap().success());
}
