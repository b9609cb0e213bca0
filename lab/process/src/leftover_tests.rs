//! What runs leave behind, by real processes.
//!
//! Nothing says which of several runs under way a process in a session of its own
//! came from, so each of these tests runs in a process of its own, without the
//! runs of the others.

use super::*;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const ALONE: &str = "KARAT_TEST_ALONE";

/// Whether this is the process of the test `name` alone; otherwise it is started
/// and must end well.
fn alone(name: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let done = again(name).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(said.contains("1 passed") && done.status.success(), "{said}");
    false
}

/// This program with the test `name` only.
fn again(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let name = format!("leftover_tests::{name}");
    command.args(["--exact", &name, "--nocapture", "--test-threads=1"]);
    command.env(ALONE, "1").stdin(Stdio::null());
    command
}

fn sh(script: &str, seconds: f64) -> Finished {
    let never = AtomicBool::new(false);
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    run(&mut command, Duration::from_secs_f64(seconds), &never).unwrap()
}

/// The numbers in a run's output.
fn numbers(done: &Finished) -> Vec<i32> {
    let text = String::from_utf8_lossy(&done.stdout);
    text.split_whitespace()
        .map(|w| w.parse().unwrap())
        .collect()
}

fn exists(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

fn assert_gone(pids: &[i32]) {
    // Not even a zombie.
    let there: Vec<&i32> = pids.iter().filter(|p| exists(**p)).collect();
    assert!(there.is_empty(), "{there:?} of {pids:?}");
}

/// Starts 28 times `sleep` in a session of its own; each says its number in `$OUT`.
const SESSIONS: &str = "for i in $(seq 28); do setsid sh -c 'echo $$; exec sleep 60' & done; \
                        while [ $(wc -l <\"$OUT\") -lt 28 ]; do sleep 0.01; done";

#[test]
fn sessions_of_their_own_are_counted_and_gone() {
    if !alone("sessions_of_their_own_are_counted_and_gone") {
        return;
    }
    let out = tempfile::NamedTempFile::new().unwrap();
    let path = out.path().display();
    let done = sh(&format!("OUT={path}; exec >>$OUT; {SESSIONS}"), 30.0);
    assert_eq!(done.left_running, 28);
    let text = std::fs::read_to_string(out.path()).unwrap();
    let pids: Vec<i32> = text.lines().map(|l| l.parse().unwrap()).collect();
    assert_eq!(pids.len(), 28);
    assert_gone(&pids);
    // The next run finds nothing.
    assert_eq!(sh("true", 10.0).left_running, 0);
}

#[test]
fn trees_below_sessions_are_gone_to_the_last_leaf() {
    if !alone("trees_below_sessions_are_gone_to_the_last_leaf") {
        return;
    }
    // Twice forked, with children in further groups and sessions, which ignore what
    // can be ignored; and one that is started again whenever it ends.
    let script = "trap '' HUP TERM INT
        say() { setsid sh -c 'echo $$; setsid sh -c \"echo \\$\\$; sleep 60; true\"; true'; }
        (say &)
        (setsid sh -c 'echo $$; while :; do sleep 60; done' &)
        sleep 0.3";
    let done = sh(script, 30.0);
    assert_eq!(done.ending, Ending::Exit(0));
    let pids = numbers(&done);
    assert_eq!(pids.len(), 3);
    assert_gone(&pids);
    // The three, their two sleeps, and the subshells that wait, as far as they do.
    assert!(
        (5..=8).contains(&done.left_running),
        "{}",
        done.left_running
    );
}

#[test]
fn a_program_that_hangs_in_another_session_is_gone_after_the_time_out() {
    if !alone("a_program_that_hangs_in_another_session_is_gone_after_the_time_out") {
        return;
    }
    let done = sh(
        "setsid --fork sh -c 'echo $$; sleep 60; true'; sleep 60",
        0.5,
    );
    assert_eq!(done.ending, Ending::TimedOut);
    assert_eq!(done.left_running, 0, "the program itself was killed");
    let pids = numbers(&done);
    assert_eq!(pids.len(), 1);
    assert_gone(&pids);
}

#[test]
fn children_that_karat_started_otherwise_live_on() {
    if !alone("children_that_karat_started_otherwise_live_on") {
        return;
    }
    let sleep = || Command::new("sleep").arg("60").spawn().unwrap();
    let mut before = sleep();
    assert_eq!(sh("setsid --fork sleep 60", 10.0).left_running, 1);
    let mut after = sleep();
    assert_eq!(sh("setsid --fork sleep 60", 10.0).left_running, 1);
    for child in [&mut before, &mut after] {
        assert!(child.try_wait().unwrap().is_none(), "it was killed");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn a_run_on_another_thread_keeps_what_it_needs() {
    if !alone("a_run_on_another_thread_keeps_what_it_needs") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("mark");
    let slow = format!(
        "setsid --fork sh -c 'sleep 1; echo alive >{0}.done'; echo >{0}; \
         while ! [ -e {0}.done ]; do sleep 0.02; done",
        mark.display()
    );
    std::thread::scope(|scope| {
        let other = scope.spawn(|| sh(&slow, 20.0));
        while !mark.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        // It may be anybody's, so it waits for the end of both.
        let left = sh(
            "setsid --fork sh -c 'echo $$; exec sleep 60'; sleep 0.2",
            10.0,
        );
        assert_eq!(left.ending, Ending::Exit(0));
        let other = other.join().unwrap();
        assert_eq!(other.ending, Ending::Exit(0), "its helper was killed");
        assert_gone(&numbers(&left));
    });
}

#[test]
fn what_a_setup_starts_is_there_for_the_program_and_gone_after_the_cleanup() {
    if !alone("what_a_setup_starts_is_there_for_the_program_and_gone_after_the_cleanup") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let alive = "kill -0 $(cat server)";
    let setup = Setup {
        dir: Some(dir.path().to_owned()),
        setup: Some(
            "setsid --fork sh -c 'echo $$ >server; exec sleep 60'; \
                     while ! [ -s server ]; do sleep 0.01; done"
                .into(),
        ),
        cleanup: Some(alive.into()),
        ..Setup::default()
    };
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{alive} && setsid --fork sleep 60")]);
    let never = AtomicBool::new(false);
    for _ in 0..2 {
        let ten = Duration::from_secs(10);
        let done = setup.run(&mut command, ten, &never).unwrap();
        assert!(done.success(), "{}", done.last_lines(3));
        // The program's, not the setup's.
        assert_eq!(done.left_running, 1);
        let server = std::fs::read_to_string(dir.path().join("server")).unwrap();
        assert_gone(&[server.trim().parse().unwrap()]);
        std::fs::remove_file(dir.path().join("server")).unwrap();
    }
}

#[test]
fn what_cannot_be_killed_is_an_error_that_names_it() {
    let name = "what_cannot_be_killed_is_an_error_that_names_it";
    if std::env::var_os(ALONE).is_some() {
        let other = "setsid --fork setpriv --reuid=65534 --clear-groups \
                     sh -c 'echo $$ >&2; exec sleep 60'; sleep 0.3";
        let never = AtomicBool::new(false);
        let mut command = Command::new("sh");
        let error = run(command.args(["-c", other]), Duration::from_secs(10), &never);
        println!("{}", error.unwrap_err());
        return;
    }
    // Root without the right to kill cannot kill what belongs to somebody else.
    let mut command = Command::new("setpriv");
    let test = again(name);
    command.arg("--bounding-set=-kill").arg(test.get_program());
    let done = command.args(test.get_args()).env(ALONE, "1").output();
    let done = match done {
        Ok(done) if !String::from_utf8_lossy(&done.stderr).contains("setpriv") => done,
        other => return println!("SKIPPED: setpriv cannot take rights away here: {other:?}"),
    };
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(said.contains("1 passed"), "{said}");
    let (_, rest) = said.split_once("which karat may not kill: ").expect(&said);
    assert!(rest.contains(" (sleep of user 65534)"), "{said}");
    let pid: i32 = rest.split(' ').next().unwrap().parse().unwrap();
    kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
}

/// Waits for the number in `mark`.
fn number_in(mark: &Path) -> i32 {
    let limit = Instant::now() + Duration::from_secs(30);
    loop {
        let text = std::fs::read_to_string(mark).unwrap_or_default();
        if let Some(pid) = text.strip_suffix('\n').and_then(|l| l.parse().ok()) {
            return pid;
        }
        assert!(Instant::now() < limit, "the program did not start");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_karat_leaves_no_program_running() {
    let name = "a_killed_karat_leaves_no_program_running";
    if let Ok(script) = std::env::var("KARAT_TEST_SCRIPT") {
        sh(&script, 60.0);
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("mark");
    // A child of the program, in its group.
    let script = format!("sleep 61 & echo $! >{}; sleep 60; true", mark.display());
    let mut command = again(name);
    command.env("KARAT_TEST_SCRIPT", script);
    let mut karat = command.stdout(Stdio::null()).spawn().unwrap();
    let pid = number_in(&mark);
    assert!(exists(pid));
    kill(Pid::from_raw(karat.id() as i32), Signal::SIGKILL).unwrap();
    karat.wait().unwrap();
    let limit = Instant::now() + Duration::from_secs(10);
    // A container's first process may not wait for orphans.
    let runs = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ")
            .is_some_and(|(_, s)| !s.starts_with('Z'))
    };
    while runs() {
        assert!(Instant::now() < limit, "{pid} survives");
        std::thread::sleep(Duration::from_millis(5));
    }
}
